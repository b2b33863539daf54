// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/csv.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace heteroscape::engine {

namespace {

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
