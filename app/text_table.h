// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace heteroscape::cli {

/// A table of text with aligned columns; columns whose cells are all numbers stand to the right. A cell is
/// one line.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> header);
    void add(std::vector<std::string> row);
    void print(std::ostream& out) const;

private:
    std::vector<std::vector<std::string>> m_rows; ///< the header first
};

} // namespace heteroscape::cli
