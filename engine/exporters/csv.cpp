// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/csv.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace heteroscape::engine {

namespace {

/// exactText() without a string for each number; nothing for NaN.
void appendNumber(std::string& out, double value) {
    if (std::isnan(value))
        return;
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
    out.append(buffer, end);
}

std::string csv(const StudyTable& table, const std::vector<const StudyColumn*>& columns) {
    std::string out;
    for (const auto* column : columns)
        out.append(out.empty() ? "" : ",").append(csvField(column->name));
    out += out.empty() ? "bound\n" : ",bound\n";
    for (std::size_t row = 0; row < table.rows(); ++row) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (i > 0)
                out += ',';
            if (columns[i]->isChoice())
                out += csvField(columns[i]->text(columns[i]->at(row)));
            else
                appendNumber(out, columns[i]->at(row));
        }
        out.append(columns.empty() ? "" : ",").append(csvField(table.bound(row))) += '\n';
    }
    return out;
}

bool isNumber(std::string_view text) {
    double value = 0.0;
    const auto* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    return read.ec == std::errc() && read.ptr == end;
}

/// A spreadsheet would take it for a formula.
bool isFormula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos &&
           !isNumber(text);
}

} // namespace

std::string csvField(const std::string& whole) {
    auto text = isFormula(whole) ? "'" + whole : whole;
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

std::string studyCsv(const StudyTable& table, const std::vector<std::string>& metrics) {
    std::vector<std::string> keys;
    for (const auto& spec : metricSpecs())
        keys.emplace_back(spec.key);
    for (const auto& wanted : metrics)
        if (std::find(keys.begin(), keys.end(), wanted) == keys.end())
            throw Error(ErrorCode::NotFound, "metrics",
                        "no metric is called \"" + wanted.substr(0, 80) + "\"", "There are: " + joined(keys));
    std::vector<const StudyColumn*> columns;
    for (const auto& column : table.columns) {
        const bool isMetric = !column.isAxis && column.name != "feasible";
        if (!isMetric || metrics.empty() ||
            std::find(metrics.begin(), metrics.end(), column.name) != metrics.end())
            columns.push_back(&column);
    }
    return csv(table, columns);
}

std::string csvFile(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kSigns{{{"\u00d7", "x"},
                                                                                          {"\u00b5", "u"},
                                                                                          {"\u00b2", "2"},
                                                                                          {"\u2009", " "},
                                                                                          {"\u00a0", " "},
                                                                                          {"\u2212", "-"},
                                                                                          {"\u2013", "-"},
                                                                                          {"\u00b1", "+-"},
                                                                                          {"\u2026", "..."}}};
    std::string out;
    out.reserve(text.size());
    bool plain = true;
    for (std::size_t i = 0; i < text.size();) {
        if (static_cast<unsigned char>(text[i]) < 0x80) {
            out += text[i++];
            continue;
        }
        const auto rest = text.substr(i);
        const auto sign = std::find_if(kSigns.begin(), kSigns.end(),
                                       [&](const auto& one) { return rest.starts_with(one.first); });
        plain = plain && sign != kSigns.end();
        out += sign != kSigns.end() ? sign->second : rest.substr(0, 1);
        i += sign != kSigns.end() ? sign->first.size() : 1;
    }
    return plain ? out : "\xEF\xBB\xBF" + out;
}

} // namespace heteroscape::engine
