// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/measured_table.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostRows = 1000000;
constexpr std::size_t kLongestCell = 100;

constexpr MeasuredColumn words(std::string_view name) {
    return {name, false, 0, 0, false};
}
constexpr MeasuredColumn count(std::string_view name, double minimum = 1, double maximum = 1e9) {
    return {name, true, minimum, maximum, true};
}
constexpr MeasuredColumn amount(std::string_view name, double minimum) {
    return {name, true, minimum, 1e12, false};
}

constexpr std::array<MeasuredColumn, 18> kKernelColumns{
    {words("device"), words("framework"), words("version"), words("op"), words("precision"), count("m"),
     count("n"), count("k"), count("batch"), count("seq"), count("heads"), count("kv_heads"),
     count("head_dim"), words("kv_dtype"), count("window", 0), count("ranks"), count("bytes", 1, 1e15),
     amount("measured_us", 1e-6)}};

constexpr std::array<MeasuredColumn, kMostMeasuredColumns> kExpertColumns{
    {words("op"),       words("device"),  words("kernel"),  words("format"),       count("odd", 0, 1),
     count("tokens"),   count("hidden"),  count("inter"),   count("topk"),         count("experts", 1, 65536),
     count("tp"),       count("ep"),      words("routing"), amount("assigned", 0), amount("touched", 0),
     count("batch"),    count("context"), count("heads"),   count("nodes"),        count("sms", 0),
     amount("us", 1e-6)}};

constexpr std::array<MeasuredColumn, 16> kModuleColumns{
    {words("device"), words("framework"), words("version"), words("op"), words("precision"), count("k"),
     count("batch"), count("seq"), count("heads"), count("kv_heads"), count("head_dim"), words("kv_dtype"),
     words("model"), count("prefix", 0), count("indexer", 0, 1), amount("measured_us", 1e-6)}};

/// Where each column of the form stands in the file. Throws when one is missing.
std::vector<std::size_t> places(const CsvReader& csv, MeasuredForm form) {
    std::vector<std::size_t> at;
    std::vector<std::string_view> missing;
    for (const auto& column : measuredColumns(form)) {
        const auto found = std::find(csv.header().begin(), csv.header().end(), column.name);
        at.push_back(static_cast<std::size_t>(found - csv.header().begin()));
        if (found == csv.header().end())
            missing.push_back(column.name);
    }
    if (!missing.empty())
        csv.fail("columns are missing: " + joined(missing),
                 "Give all of them; cells may be empty where a kernel has no such number");
    return at;
}

MeasuredForm formOf(const CsvReader& csv) {
    const auto has = [&](std::string_view name) {
        return std::find(csv.header().begin(), csv.header().end(), name) != csv.header().end();
    };
    if (has("measured_us"))
        return has("prefix") ? MeasuredForm::Modules : MeasuredForm::Kernels;
    if (has("us") || (has("op") && has("kernel")))
        return MeasuredForm::Experts;
    std::vector<std::string_view> dense, experts;
    for (const auto& column : kKernelColumns)
        dense.push_back(column.name);
    for (const auto& column : kExpertColumns)
        experts.push_back(column.name);
    csv.fail("the header names no table of measured kernels",
             "Give the columns " + joined(dense) + "; or " + joined(experts));
}

void checkCell(const CsvReader& csv, std::size_t place, const MeasuredColumn& column) {
    const auto& cell = csv.cells()[place];
    if (cell.empty())
        return;
    if (cell.size() > kLongestCell)
        csv.failAt(place, "longer than 100 bytes", "Give a name or a number");
    if (!column.number)
        return;
    const auto value = parseNumber(cell);
    if (!value)
        csv.failAt(place, quotedPiece(cell) + " is not a number", "Write it like 1024 or 12.5");
    if (*value < column.minimum || *value > column.maximum || (column.whole && *value != std::floor(*value)))
        csv.failAt(place, quotedPiece(cell) + " is out of range",
                   "Allowed: from " + exactText(column.minimum) + " to " + exactText(column.maximum) +
                       (column.whole ? ", a whole number" : ""));
}

} // namespace

std::span<const MeasuredColumn> measuredColumns(MeasuredForm form) {
    if (form == MeasuredForm::Kernels)
        return kKernelColumns;
    if (form == MeasuredForm::Modules)
        return kModuleColumns;
    return kExpertColumns;
}

MeasuredRow::MeasuredRow(MeasuredForm form, std::size_t line, std::span<const std::string_view> cells)
    : m_form(form), m_line(line) {
    for (std::size_t i = 0; i < cells.size() && i < m_ends.size(); ++i) {
        m_text += cells[i];
        m_ends[i] = static_cast<std::uint16_t>(m_text.size()); // cells are at most 100 bytes long
    }
}

std::string_view MeasuredRow::text(std::string_view column) const {
    const auto columns = measuredColumns(m_form);
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].name == column) {
            const std::size_t begin = i == 0 ? 0 : m_ends[i - 1];
            return std::string_view(m_text).substr(begin, m_ends[i] - begin);
        }
    return {};
}

double MeasuredRow::number(std::string_view column) const {
    const auto value = parseNumber(text(column));
    if (!value)
        throwInvalid("column " + std::string(column),
                     "it is empty, and " + std::string(text("op")) + " needs it");
    return *value;
}

double MeasuredRow::number(std::string_view column, double whenEmpty) const {
    return has(column) ? number(column) : whenEmpty;
}

double MeasuredRow::measuredUs() const {
    return number(m_form == MeasuredForm::Experts ? "us" : "measured_us");
}

MeasuredTable parseMeasured(std::istream& in, const std::string& name, std::vector<UnreadRow>* unread) {
    CsvReader csv(in, name);
    MeasuredTable table;
    table.name = name;
    table.form = formOf(csv);
    const auto columns = measuredColumns(table.form);
    const auto at = places(csv, table.form);
    const auto take = [&] {
        std::vector<std::string_view> cells;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            checkCell(csv, at[i], columns[i]);
            cells.push_back(csv.cells()[at[i]]);
        }
        MeasuredRow row(table.form, csv.line(), cells);
        for (const auto needed : {std::string_view("op"), std::string_view("device"), columns.back().name})
            if (!row.has(needed))
                csv.fail("column " + std::string(needed) + " is empty", "Each row needs it");
        table.rows.push_back(std::move(row));
    };
    csv.eachRow(kMostRows, "Give one line for each kernel", take, unread);
    return table;
}

MeasuredTable readMeasured(const std::string& path, std::vector<UnreadRow>* unread) {
    InputFile file(path);
    return parseMeasured(file, path, unread);
}

std::vector<std::string> shippedMeasured(const std::string& presetsFolder) {
    const auto folder = presetsFolder + "/measured/";
    auto files = listFiles(folder, ".csv");
    std::erase_if(files,
                  [&](const std::string& file) { // other measurements: serving/ (serving_row.h), power/
                      return file.find('/', folder.size()) != std::string::npos;
                  });
    return files;
}

} // namespace heteroscape::engine
