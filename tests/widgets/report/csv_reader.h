// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/units/number_text.h"

#include <QString>
#include <QStringList>

#include <cmath>
#include <stdexcept>
#include <vector>

namespace heteroscape::widgets::test {

/// A table of text: what a CSV says, or should say.
struct CsvTable {
    QStringList header;
    std::vector<QStringList> rows;

    int column(const QString& name) const { return static_cast<int>(header.indexOf(name)); }
};

/// Reads a CSV as RFC 4180 has it, with LF line ends. Throws where it is none: a quote within a plain field,
/// text behind a quoted one, a quote that is never closed, a row of another length, a last line without end.
inline CsvTable readCsv(const QString& text) {
    CsvTable table;
    QStringList cells;
    const auto size = text.size();
    for (qsizetype i = 0; i < size;) {
        QString cell;
        if (text[i] == u'"') {
            for (++i;; ++i) {
                if (i >= size)
                    throw std::runtime_error("a quote is never closed");
                if (text[i] != u'"')
                    cell += text[i];
                else if (i + 1 < size && text[i + 1] == u'"')
                    cell += text[i++];
                else
                    break;
            }
            ++i;
        } else {
            for (; i < size && text[i] != u',' && text[i] != u'\n'; ++i)
                if (text[i] == u'"' || text[i] == u'\r')
                    throw std::runtime_error("a quote or CR in a plain field");
                else
                    cell += text[i];
        }
        if (i >= size || (text[i] != u',' && text[i] != u'\n'))
            throw std::runtime_error("a field does not end at a comma or the end of its line");
        cells << cell;
        const bool ends = text[i++] == u'\n';
        if (!ends)
            continue;
        if (table.header.isEmpty())
            table.header = cells;
        else if (cells.size() != table.header.size())
            throw std::runtime_error("a row has not as many cells as the header");
        else
            table.rows.push_back(cells);
        cells.clear();
    }
    if (!cells.isEmpty())
        throw std::runtime_error("the last line does not end");
    return table;
}

/// Where two tables differ first, in words; empty when every cell of one is that of the other.
inline QString difference(const CsvTable& found, const CsvTable& expected) {
    if (found.header != expected.header)
        return QStringLiteral("header <%1>, expected <%2>")
            .arg(found.header.join(u'|'), expected.header.join(u'|'));
    if (found.rows.size() != expected.rows.size())
        return QStringLiteral("%1 rows, expected %2").arg(found.rows.size()).arg(expected.rows.size());
    for (std::size_t row = 0; row < found.rows.size(); ++row)
        if (found.rows[row] != expected.rows[row])
            return QStringLiteral("row %1 <%2>, expected <%3>")
                .arg(row)
                .arg(found.rows[row].join(u'|'), expected.rows[row].join(u'|'));
    return {};
}

/// How many cells hold a number.
inline std::size_t numbersIn(const CsvTable& table) {
    std::size_t count = 0;
    for (const auto& row : table.rows)
        for (const auto& cell : row) {
            bool isNumber = false;
            cell.toDouble(&isNumber);
            count += isNumber ? 1 : 0;
        }
    return count;
}

/// A number to the last digit; empty where there is none.
inline QString exact(double value) {
    return std::isnan(value) ? QString() : QString::fromStdString(engine::exactText(value));
}

} // namespace heteroscape::widgets::test
