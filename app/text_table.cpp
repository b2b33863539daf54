// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text_table.h"

#include "app/printable.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <sys/ioctl.h>
#include <unistd.h>

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

constexpr std::size_t kGap = 2; ///< between columns
constexpr std::size_t kEndless = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kLeastText = 16; ///< that is left of a long text

bool hasNoValue(const std::string& text) {
    return text.empty() || text == "\u2013" || text == "not set";
}

/// Its first letters, and that there are more.
std::string shortened(const std::string& text, std::size_t columns) {
    if (width(text) <= columns)
        return text;
    std::size_t seen = 0, end = 0;
    for (; end < text.size(); ++end)
        if ((text[end] & 0xC0) != 0x80 && ++seen >= columns)
            break;
    return text.substr(0, end) + "\u2026";
}

/// Of standard output, where that is a terminal.
std::size_t terminalColumns() {
    winsize size{};
    return ::isatty(STDOUT_FILENO) && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
               ? size.ws_col
               : kEndless;
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

std::vector<TextTable::Column> TextTable::columns() const {
    std::vector<Column> columns;
    for (std::size_t c = 0; c < m_rows.front().size(); ++c) {
        Column column{c, 0, true};
        for (std::size_t r = 0; r < m_rows.size(); ++r) {
            column.width = std::max(column.width, width(m_rows[r][c]));
            if (r > 0 && !looksNumeric(m_rows[r][c]))
                column.right = false;
        }
        columns.push_back(column);
    }
    return columns;
}

void TextTable::print(std::ostream& out) const {
    print(out, &out == &std::cout ? terminalColumns() : kEndless);
}

void TextTable::print(std::ostream& out, std::size_t room) const {
    auto all = columns();
    const auto wide = [&] {
        std::size_t sum = 0;
        for (const auto& column : all)
            sum += column.width + kGap;
        return sum - kGap;
    };
    if (wide() <= room) {
        printBlock(out, all);
        return;
    }
    std::erase_if(all, [this](const Column& column) {
        return column.at > 0 && m_rows.size() > 1 &&
               std::all_of(m_rows.begin() + 1, m_rows.end(),
                           [&](const auto& row) { return hasNoValue(row[column.at]); });
    });
    while (wide() > room) { // the longest text first
        const auto longest = std::max_element(all.begin(), all.end(), [](const Column& a, const Column& b) {
            return (a.right ? 0 : a.width) < (b.right ? 0 : b.width);
        });
        if (longest->right || longest->width <= kLeastText)
            break;
        longest->width = std::max(kLeastText, longest->width - std::min(longest->width, wide() - room));
    }
    for (std::size_t next = 1;;) {
        std::vector<Column> block{all.front()};
        auto used = all.front().width;
        for (; next < all.size() && (block.size() == 1 || used + kGap + all[next].width <= room); ++next) {
            used += kGap + all[next].width;
            block.push_back(all[next]);
        }
        printBlock(out, block);
        if (next >= all.size())
            break;
        out << '\n';
    }
}

void TextTable::printBlock(std::ostream& out, const std::vector<Column>& columns) const {
    for (const auto& row : m_rows) {
        std::string line;
        for (const auto& column : columns) {
            const auto cell = shortened(row[column.at], column.width);
            const std::string gap(column.width - width(cell), ' ');
            line += (&column == &columns.front() ? std::string() : std::string(kGap, ' ')) +
                    (column.right ? gap + cell : cell + gap);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

} // namespace heteroscape::cli
