// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/serving_row.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/input_file.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

struct ServingText {
    std::string_view column;
    std::string ServingRow::*member;
    bool needed;
};
constexpr std::array<ServingText, 12> kServingTexts{{{"id", &ServingRow::id, true},
                                                     {"model", &ServingRow::model, true},
                                                     {"model_path", &ServingRow::modelPath, false},
                                                     {"system", &ServingRow::system, true},
                                                     {"backend", &ServingRow::backend, true},
                                                     {"backend_version", &ServingRow::version, false},
                                                     {"precision", &ServingRow::precision, true},
                                                     {"dense_format", &ServingRow::denseFormat, false},
                                                     {"expert_format", &ServingRow::expertFormat, false},
                                                     {"mode", &ServingRow::mode, true},
                                                     {"lengths", &ServingRow::lengths, true},
                                                     {"date", &ServingRow::date, false}}};

struct ServingNumber {
    std::string_view column;
    double ServingRow::*member;
    bool needed, whole;
    double most;
};
constexpr std::array<ServingNumber, 10> kServingNumbers{
    {{"isl", &ServingRow::isl, true, true, 1e7},
     {"osl", &ServingRow::osl, true, true, 1e7},
     {"users", &ServingRow::users, true, true, 1e6},
     {"tp", &ServingRow::tp, true, true, 4096},
     {"dp", &ServingRow::dp, false, true, 4096},
     {"moe_tp", &ServingRow::expertTp, false, true, 4096},
     {"moe_ep", &ServingRow::expertEp, false, true, 4096},
     {"decode_slots", &ServingRow::decodeSlots, false, true, 1e6},
     {"silicon_ttft_ms", &ServingRow::ttftMs, false, false, 1e12},
     {"silicon_tpot_ms", &ServingRow::tpotMs, false, false, 1e12}}};

struct WorkersNumber {
    std::string_view end; ///< behind "prefill_" or "decode_"
    double ServingRow::Workers::*member;
};
constexpr std::array<WorkersNumber, 4> kWorkersNumbers{{{"workers", &ServingRow::Workers::count},
                                                        {"tp", &ServingRow::Workers::tp},
                                                        {"dp", &ServingRow::Workers::dp},
                                                        {"ep", &ServingRow::Workers::ep}}};

struct ServingFlag {
    std::string_view column;
    bool ServingRow::*member;
};
constexpr std::array<ServingFlag, 3> kServingFlags{{{"speculates", &ServingRow::speculates},
                                                    {"contradicts", &ServingRow::contradicts},
                                                    {"impossible_label", &ServingRow::impossible}}};

constexpr std::size_t kMostServingRows = 100000;

/// Cells of one row by their column.
class ServingCells {
public:
    explicit ServingCells(const CsvReader& csv) : m_csv(csv) {}

    /// The cell's place; the number of columns where there is none.
    std::size_t place(std::string_view column) const {
        const auto& header = m_csv.header();
        return static_cast<std::size_t>(std::find(header.begin(), header.end(), column) - header.begin());
    }
    std::string_view text(std::string_view column) const {
        const auto at = place(column);
        return at < m_csv.cells().size() ? std::string_view(m_csv.cells()[at]) : std::string_view();
    }
    void read(std::string_view column, double& into, bool whole, double most) const {
        const auto cell = text(column);
        if (cell.empty())
            return;
        const auto value = parseNumber(cell);
        if (!value)
            m_csv.failAt(place(column), quotedPiece(cell) + " is not a number", "Write it like 8 or 12.5");
        if (*value < 0 || *value > most || (whole && *value != std::floor(*value)))
            m_csv.failAt(place(column), quotedPiece(cell) + " is out of range",
                         "Allowed: from 0 to " + exactText(most) + (whole ? ", a whole number" : ""));
        into = *value;
    }
    bool flag(std::string_view column) const {
        const auto cell = text(column);
        if (cell == "True" || cell == "true" || cell == "1")
            return true;
        if (!cell.empty() && cell != "False" && cell != "false" && cell != "0")
            m_csv.failAt(place(column), quotedPiece(cell) + " is neither True nor False",
                         "Write True or False");
        return false;
    }

private:
    const CsvReader& m_csv;
};

void checkColumns(const CsvReader& csv) {
    std::vector<std::string_view> missing;
    const auto check = [&](std::string_view column, bool needed) {
        if (needed && std::find(csv.header().begin(), csv.header().end(), column) == csv.header().end())
            missing.push_back(column);
    };
    for (const auto& text : kServingTexts)
        check(text.column, text.needed);
    for (const auto& number : kServingNumbers)
        check(number.column, number.needed);
    if (!missing.empty())
        csv.fail("columns are missing: " + joined(missing),
                 "Give all of them; cells may be empty where a server has no such number");
}

ServingRow readServingRow(const CsvReader& csv) {
    const ServingCells cells(csv);
    ServingRow row;
    row.line = csv.line();
    for (const auto& text : kServingTexts) {
        const auto cell = cells.text(text.column);
        if (cell.size() > 200)
            csv.failAt(cells.place(text.column), "longer than 200 bytes", "Give a name");
        row.*text.member = std::string(cell);
    }
    for (const auto& number : kServingNumbers)
        cells.read(number.column, row.*number.member, number.whole, number.most);
    for (const auto& number : kWorkersNumbers) {
        cells.read("prefill_" + std::string(number.end), row.prefill.*number.member, true, 4096);
        cells.read("decode_" + std::string(number.end), row.decode.*number.member, true, 4096);
    }
    for (const auto& flag : kServingFlags)
        row.*flag.member = cells.flag(flag.column);
    if (row.id.empty())
        csv.fail("column id is empty", "Each row needs it");
    return row;
}

/// A layout of rows; experts over all ranks, `ep` of them by expert.
ServedLayout layoutOf(double tp, double dp, double expertTp, double expertEp) {
    ServedLayout layout;
    layout.tp = std::max(1.0, tp);
    layout.dp = std::max(1.0, dp);
    layout.expertEp = std::clamp(expertEp, 1.0, layout.ranks());
    layout.expertTp = std::max(1.0, expertTp);
    if (layout.expertTp * layout.expertEp != layout.ranks())
        layout.expertTp = layout.ranks() / layout.expertEp;
    return layout;
}

/// Of disaggregated workers: which ranks experts are dealt to (silicon_serving.md, section 6).
ServedWorkers workersOf(const ServingRow& row, const ServingRow::Workers& workers) {
    const double ranks = std::max(1.0, workers.tp) * std::max(1.0, workers.dp);
    const bool spans = row.backend == "trtllm" || workers.dp > 1;
    const double ep = spans ? ranks : std::max(1.0, workers.ep);
    return {workers.count, layoutOf(workers.tp, workers.dp, 0, ep)};
}

/// The decode batch of a rank where the recipe is not known: the largest power of two that the users exceed
/// by 12 % at most, else no limit (section 6).
double guessedSlots(double usersPerRank) {
    const double power = std::exp2(std::floor(std::log2(std::max(1.0, usersPerRank))));
    return usersPerRank <= 1.12 * power ? power : std::numeric_limits<double>::infinity();
}

} // namespace

std::string ServingRow::group() const {
    auto text = model + ' ' + system + ' ' + backend + ' ' + mode;
    if (hasFixedLengths())
        text += " (fixed)";
    if (speculates)
        text += " (speculating)";
    return text;
}

bool isServingHeader(const std::vector<std::string>& header) {
    const auto has = [&](std::string_view column) {
        return std::find(header.begin(), header.end(), column) != header.end();
    };
    return has("backend") && (has("isl") || has("users") || has("silicon_ttft_ms"));
}

ServingTable parseServing(std::istream& in, const std::string& name, std::vector<UnreadRow>* unread) {
    CsvReader csv(in, name);
    checkColumns(csv);
    ServingTable table;
    table.name = name;
    csv.eachRow(
        kMostServingRows, "Give one line for each measurement",
        [&] { table.rows.push_back(readServingRow(csv)); }, unread);
    return table;
}

ServingTable readServing(const std::string& path, std::vector<UnreadRow>* unread) {
    InputFile file(path);
    return parseServing(file, path, unread);
}

std::vector<std::string> shippedServing(const std::string& presetsFolder) {
    return listFiles(presetsFolder + "/measured/serving", ".csv");
}

bool isServingFile(const std::string& path) {
    InputFile file(path);
    return isServingHeader(CsvReader(file, path).header());
}

ServedPlan servedPlan(const GpuServers& servers, const ServingRow& row) {
    const std::string where = "row";
    if (row.impossible)
        throwInvalid(where, "its label cannot be: the weights do not fit the devices that it names");
    if (row.users < 1 || row.isl < 1 || row.osl < 1)
        throwInvalid(where, "its users, isl or osl are not told", "Give whole numbers from 1");
    RecipeLabels labels;
    labels.model = servers.recipes().model(row.modelPath + ' ' + row.model).model;
    labels.system = row.system;
    labels.backend = row.backend;
    labels.precision = row.precision;
    const auto format = [&](const std::string& text) { return text.empty() ? row.precision : text; };
    labels.denseFormat = format(row.denseFormat);
    labels.expertFormat = format(row.expertFormat);
    labels.mode = row.mode;
    labels.lengths = row.hasFixedLengths() ? "fixed" : "uniform";
    labels.date = row.date;
    labels.isl = row.isl;
    labels.osl = row.osl;
    labels.users = row.users;
    ServedPlan plan;
    if (row.isApart()) {
        if (row.prefill.count < 1 || row.decode.count < 1)
            throwInvalid(where, "its numbers of prefill and decode workers are not told",
                         "Give prefill_workers and decode_workers");
        const auto decode = workersOf(row, row.decode);
        plan = servers.plan(std::move(labels), decode.layout);
        plan.workers.count = decode.count;
        plan.prefill = workersOf(row, row.prefill);
        plan.prefill->layout.bigDomain = plan.workers.layout.bigDomain;
        const double ranks = decode.count * decode.layout.dp;
        plan.decodeSlots = row.decodeSlots >= 1 ? row.decodeSlots : guessedSlots(row.users / ranks);
    } else {
        plan = servers.plan(std::move(labels), layoutOf(row.tp, row.dp, row.expertTp, row.expertEp));
    }
    plan.drafts = row.speculates;
    plan.ratio = row.hasFixedLengths() ? 1.0 : 0.8;
    plan.firstWaveCounts = !row.hasFixedLengths();
    return plan;
}

} // namespace heteroscape::engine
