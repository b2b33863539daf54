// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/serving_row.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"
#include "engine/validation/measured_table.h"
#include "engine/validation/metric_row.h"

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
                                                     {"mode", &ServingRow::mode, false},
                                                     {"lengths", &ServingRow::lengths, false},
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

/// What is missing of the columns without which no row has an answer; empty: nothing.
std::string missingColumns(const CsvReader& csv) {
    const RowCells cells(csv);
    std::vector<std::string_view> missing;
    const auto there = [&](std::string_view column) { return cells.place(column) < csv.header().size(); };
    const auto check = [&](std::string_view column, bool needed) {
        if (needed && !there(column))
            missing.push_back(column);
    };
    for (const auto& text : kServingTexts)
        check(text.column, text.needed && !(text.column == "model" && there("model_path")) &&
                               !(text.column == "precision" && there("dense_format")));
    for (const auto& number : kServingNumbers)
        check(number.column, number.needed && !(number.column == "tp" && there("decode_tp")));
    return missing.empty() ? std::string() : "columns are missing: " + joined(missing);
}

/// The way in which its requests came, and how it was served.
void readLengths(const CsvReader& csv, const RowCells& cells, ServingRow& row) {
    constexpr std::string_view kUniform = "uniform";
    if (row.mode.empty())
        row.mode = row.decode.count >= 1 ? "disagg" : "agg";
    if (row.mode != "agg" && row.mode != "disagg")
        csv.failAt(cells.place("mode"), quotedPiece(row.mode) + " is neither agg nor disagg",
                   "Write one of them");
    const std::string_view lengths = row.lengths;
    if (lengths.empty() || row.hasFixedLengths())
        return;
    // "uniform 0.8-1": from this share of the length on
    const auto from = lengths.starts_with(kUniform) ? lengths.find_first_not_of(' ', kUniform.size()) : 0;
    if (from == lengths.npos)
        return;
    const auto end = std::min(lengths.find('-', from), lengths.size());
    const auto ratio = from == 0 ? std::nullopt : parseNumber(lengths.substr(from, end - from));
    if (!ratio || !(*ratio >= 0 && *ratio <= 1))
        csv.failAt(cells.place("lengths"), quotedPiece(lengths) + " is neither fixed nor uniform",
                   "Write fixed, or uniform and the least share of the length, such as uniform 0.8-1");
    row.ratio = *ratio;
}

/// Fills a row in as far as it can be read; throws Error for what cannot.
void readServingRow(const CsvReader& csv, const std::string& missing, ServingRow& row) {
    constexpr std::size_t kLongestName = 200;
    const RowCells cells(csv);
    for (const auto& text : kServingTexts)
        row.*text.member = std::string(cells.text(text.column).substr(0, kLongestName));
    for (const auto& text : kServingTexts)
        if (cells.text(text.column).size() > kLongestName)
            csv.failAt(cells.place(text.column), "longer than 200 bytes", "Give a name");
    if (row.id.empty())
        csv.fail("column id is empty", "Each row needs it");
    if (!missing.empty())
        csv.fail(missing, "Give all of them; cells may be empty where a server has no such number");
    for (const auto& number : kServingNumbers)
        cells.read(number.column, row.*number.member, number.whole, number.most);
    for (const auto& number : kWorkersNumbers) {
        cells.read("prefill_" + std::string(number.end), row.prefill.*number.member, true, 4096);
        cells.read("decode_" + std::string(number.end), row.decode.*number.member, true, 4096);
    }
    for (const auto& flag : kServingFlags)
        row.*flag.member = cells.flag(flag.column);
    readLengths(csv, cells, row);
}

/// The next row, with its fault where it has one; false after the last.
bool nextServingRow(CsvReader& csv, const std::istream& in, const std::string& missing, ServingRow& row) {
    try {
        if (!csv.next())
            return false;
        row.line = csv.line();
        readServingRow(csv, missing, row);
    } catch (const Error& error) {
        if (in.fail() && !in.eof()) // of a line without an end nothing more can be read
            throw;
        row.line = csv.line();
        row.fault = error;
    }
    return true;
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

/// Throws Error for ranks that experts cannot be dealt to, and for what would be simulated for minutes.
void checkWorkers(const ServedPlan& plan, const ServedLayout& layout) {
    constexpr double kMostPromptSteps = 1e6; // of one prompt of each user
    if (std::fmod(layout.ranks(), layout.expertEp) != 0)
        throwInvalid("row",
                     "experts are dealt to " + exactText(layout.expertEp) + " ranks, of which " +
                         exactText(layout.ranks()) + " are no multiple",
                     "Give a moe_ep that divides tp times dp");
    if (plan.labels.users * std::ceil(plan.labels.isl / plan.recipe.budget) > kMostPromptSteps)
        throwInvalid("row", "its prompts take more than a million steps to be read once",
                     "Give fewer users or shorter prompts");
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
    return !isMetricHeader(header) &&
           (has("isl") || has("osl") || has("users") || has("silicon_ttft_ms") || has("silicon_tpot_ms"));
}

ServingTable parseServing(std::istream& in, const std::string& name) {
    CsvReader csv(in, name);
    const auto missing = missingColumns(csv);
    if (RowCells(csv).place("id") == csv.header().size())
        csv.fail(missing, "Give all of them; cells may be empty where a server has no such number");
    ServingTable table;
    table.name = name;
    for (ServingRow row; nextServingRow(csv, in, missing, row); row = {}) {
        if (table.rows.size() == kMostServingRows)
            csv.fail("more than 100,000 rows", "Cut the table into several files");
        table.rows.push_back(std::move(row));
    }
    if (table.rows.empty())
        csv.fail("there is no row after the header", "Give one line for each measurement");
    return table;
}

ServingTable readServing(const std::string& path) {
    InputFile file(path);
    return parseServing(file, path);
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
    if (row.fault)
        throw Error(*row.fault);
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
        if (row.tp < 1)
            throwInvalid(where, "its tp is not told", "Give a whole number from 1");
        plan = servers.plan(std::move(labels), layoutOf(row.tp, row.dp, row.expertTp, row.expertEp));
    }
    checkWorkers(plan, plan.workers.layout);
    if (plan.prefill)
        checkWorkers(plan, plan.prefill->layout);
    plan.drafts = row.speculates;
    plan.ratio = row.hasFixedLengths() ? 1.0 : row.ratio;
    plan.firstWaveCounts = !row.hasFixedLengths();
    return plan;
}

} // namespace heteroscape::engine
