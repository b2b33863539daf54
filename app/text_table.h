// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace heteroscape::cli {

/// A table of text with aligned columns; columns whose cells are all numbers stand to the right. A cell is
/// one line. On a terminal it keeps within its width; a file or a pipe gets all of every cell.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> header);
    void add(std::vector<std::string> row);
    void print(std::ostream& out) const;
    /// `room`: columns of the terminal. What is wider loses columns that have no value in any row, then the
    /// ends of long texts, and what still lies beyond follows below, with the first column again.
    void print(std::ostream& out, std::size_t room) const;

private:
    struct Column {
        std::size_t at;    ///< in rows
        std::size_t width; ///< of its longest cell, or what is left of it
        bool right;
    };
    std::vector<Column> columns() const;
    void printBlock(std::ostream& out, const std::vector<Column>& columns) const;

    std::vector<std::vector<std::string>> m_rows; ///< the header first
};

} // namespace heteroscape::cli
