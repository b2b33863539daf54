// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// A row of a CSV that is left out.
struct UnreadRow {
    std::size_t line = 0; ///< of the file, from 1
    std::string why;      ///< with place and remedy
};

/// A CSV with a header, line by line (RFC 4180 without line ends inside of cells): lines that start with '#'
/// and empty lines are passed over, lines may end in CR LF, a byte order mark is allowed. Lines of at most
/// 65,536 bytes. Errors are Error (InvalidInput) with the place as "name:line".
class CsvReader {
public:
    /// Reads the header. Throws when there is none, or when it names a column twice.
    CsvReader(std::istream& in, std::string name);

    const std::vector<std::string>& header() const { return m_header; }
    /// The next row; false after the last. Throws when it has not as many cells as the header.
    bool next();
    /// Calls take() for each row that is left, `most` of them at most. A row whose cells are not as many as
    /// the header's, or for which take() throws InvalidInput, is put into `unread` where there is one;
    /// otherwise that is thrown. Throws also where no row at all is read, saying what `remedy` gives.
    void eachRow(std::size_t most, const std::string& remedy, const std::function<void()>& take,
                 std::vector<UnreadRow>* unread = nullptr);
    /// The cells of the row, without blanks around them.
    const std::vector<std::string>& cells() const { return m_cells; }
    std::size_t line() const { return m_line; } ///< of the row, from 1

    [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;
    /// The same, naming the column of the row.
    [[noreturn]] void failAt(std::size_t column, const std::string& what, const std::string& remedy) const;

private:
    std::istream& m_in;
    std::string m_name;
    std::string m_buffer;
    std::size_t m_line = 0;
    std::vector<std::string> m_header, m_cells;

    bool readLine(std::string_view& line);
    bool readCells(std::vector<std::string>& cells);
    void checkWidth() const;
};

/// A piece of a file for a message: at most 40 bytes, what is no printable ASCII as '?', in quotes.
std::string quotedPiece(std::string_view text);

} // namespace heteroscape::engine
