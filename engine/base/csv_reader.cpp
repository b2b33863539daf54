// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/csv_reader.h"

#include "engine/base/error.h"

#include <algorithm>
#include <optional>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kLongestLine = 65536;

std::string_view withoutBlanks(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r");
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// The end of the cell that begins at `at`: a comma outside of quotes, or the line's end.
std::size_t cellEnd(std::string_view line, std::size_t at) {
    for (bool quoted = false; at < line.size(); ++at) {
        if (line[at] == '"')
            quoted = !quoted;
        else if (line[at] == ',' && !quoted)
            break;
    }
    return at;
}

std::string cellText(std::string_view cell) {
    cell = withoutBlanks(cell);
    if (cell.size() < 2 || cell.front() != '"' || cell.back() != '"')
        return std::string(cell);
    std::string text;
    for (std::size_t i = 1; i + 1 < cell.size(); ++i) {
        text += cell[i];
        if (cell[i] == '"' && i + 2 < cell.size() && cell[i + 1] == '"')
            ++i; // a quote inside is written twice
    }
    return text;
}

} // namespace

CsvReader::CsvReader(std::istream& in, std::string name) : m_in(in), m_name(std::move(name)) {
    if (!readCells(m_header))
        throwInvalid(m_name + ":1", "the file is empty", "Give a header that names the columns");
    auto sorted = m_header;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
        fail("two columns are named " + quotedPiece(*twice), "Keep one of them");
}

bool CsvReader::next() {
    if (!readCells(m_cells))
        return false;
    checkWidth();
    return true;
}

void CsvReader::checkWidth() const {
    if (m_cells.size() != m_header.size())
        fail(std::to_string(m_cells.size()) + " cells where the header has " +
                 std::to_string(m_header.size()) + " columns",
             "Give a cell for each column; it may be empty");
}

void CsvReader::eachRow(std::size_t most, const std::string& remedy, const std::function<void()>& take,
                        std::vector<UnreadRow>* unread) {
    std::size_t rows = 0, taken = 0;
    std::optional<Error> first;
    while (readCells(m_cells)) {
        if (rows++ == most)
            fail("more than " + std::to_string(most) + " rows", "Cut the table into several files");
        try {
            checkWidth();
            take();
            ++taken;
        } catch (const Error& error) {
            if (!unread || error.code() != ErrorCode::InvalidInput)
                throw;
            if (!first)
                first = error;
            unread->push_back({m_line, error.what()});
        }
    }
    if (rows == 0)
        fail("there is no row after the header", remedy);
    if (taken == 0)
        throw *first;
}

bool CsvReader::readLine(std::string_view& line) {
    m_buffer.resize(kLongestLine + 1);
    m_in.getline(m_buffer.data(), static_cast<std::streamsize>(m_buffer.size()));
    auto length = static_cast<std::size_t>(m_in.gcount());
    if (length == 0 && m_in.eof())
        return false;
    ++m_line;
    if (m_in.fail() && !m_in.eof())
        fail("the line is longer than 65,536 bytes", "Give a CSV");
    if (!m_in.eof())
        --length; // the line's end is counted
    line = std::string_view(m_buffer).substr(0, length);
    return true;
}

bool CsvReader::readCells(std::vector<std::string>& cells) {
    std::string_view line;
    while (readLine(line)) {
        if (m_line == 1 && line.starts_with("\xEF\xBB\xBF"))
            line.remove_prefix(3);
        if (line.starts_with("#") || withoutBlanks(line).empty())
            continue;
        cells.clear();
        for (std::size_t at = 0; at <= line.size();) {
            const auto end = cellEnd(line, at);
            cells.push_back(cellText(line.substr(at, end - at)));
            at = end + 1;
        }
        return true;
    }
    return false;
}

void CsvReader::fail(const std::string& what, const std::string& remedy) const {
    throwInvalid(m_name + ":" + std::to_string(m_line), what, remedy);
}

void CsvReader::failAt(std::size_t column, const std::string& what, const std::string& remedy) const {
    fail("column " + m_header[column] + ": " + what, remedy);
}

std::string quotedPiece(std::string_view text) {
    std::string out = "\"";
    for (const char c : text.substr(0, 40))
        out += c >= ' ' && c < 127 ? c : '?';
    return out + (text.size() > 40 ? "...\"" : "\"");
}

} // namespace heteroscape::engine
