// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text_table.h"

#include "app/printable.h"

#include <algorithm>
#include <ostream>

namespace heteroscape::cli {

namespace {

/// Columns that the text takes on a terminal: UTF-8 continuation bytes take none.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool looksNumeric(const std::string& text) {
    return text.empty() || text == "\u2013" || (text[0] >= '0' && text[0] <= '9') || text[0] == '-' ||
           text[0] == '+' || text.starts_with("\u2212");
}

} // namespace

TextTable::TextTable(std::vector<std::string> header) {
    for (auto& cell : header)
        cell = printableLine(cell);
    m_rows.push_back(std::move(header));
}

void TextTable::add(std::vector<std::string> row) {
    row.resize(m_rows.front().size());
    for (auto& cell : row)
        cell = printableLine(cell);
    m_rows.push_back(std::move(row));
}

void TextTable::print(std::ostream& out) const {
    const auto columns = m_rows.front().size();
    std::vector<std::size_t> widths(columns, 0);
    std::vector<bool> right(columns, true);
    for (std::size_t r = 0; r < m_rows.size(); ++r)
        for (std::size_t c = 0; c < columns; ++c) {
            widths[c] = std::max(widths[c], width(m_rows[r][c]));
            if (r > 0 && !looksNumeric(m_rows[r][c]))
                right[c] = false;
        }
    for (const auto& row : m_rows) {
        std::string line;
        for (std::size_t c = 0; c < columns; ++c) {
            const std::string gap(widths[c] - width(row[c]), ' ');
            line += (c == 0 ? "" : "  ") + (right[c] ? gap + row[c] : row[c] + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

} // namespace heteroscape::cli
