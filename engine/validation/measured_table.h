// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/csv_reader.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// One column of a table of measured kernels.
struct MeasuredColumn {
    std::string_view name;
    bool number;             ///< else text
    double minimum, maximum; ///< of a number
    bool whole;
};

/// What rows of a CSV may look like.
enum class MeasuredForm {
    Kernels, ///< dense kernels: silicon_kernels.md, section 10
    Experts, ///< mixtures of experts, latent attention, dispatch, delta rule: moe_parallel.md, section 9.1
    Modules, ///< sparse attention as modules, layers with a state, encoders: silicon_more.md, section 8
};

inline constexpr std::size_t kMostMeasuredColumns = 21;

std::span<const MeasuredColumn> measuredColumns(MeasuredForm form);

/// A measured kernel. Its cells lie in one text, so that many rows take little memory.
class MeasuredRow {
public:
    /// `cells` in the order of measuredColumns().
    MeasuredRow(MeasuredForm form, std::size_t line, std::span<const std::string_view> cells);

    MeasuredForm form() const { return m_form; }
    std::size_t line() const { return m_line; }           ///< of the file, from 1
    std::string_view text(std::string_view column) const; ///< empty when the form has no such column
    bool has(std::string_view column) const { return !text(column).empty(); }
    /// A number that is there. Throws Error (InvalidInput) when the cell is empty.
    double number(std::string_view column) const;
    double number(std::string_view column, double whenEmpty) const;
    double measuredUs() const;

private:
    MeasuredForm m_form;
    std::size_t m_line;
    std::string m_text;
    std::array<std::uint16_t, kMostMeasuredColumns> m_ends{}; ///< of each cell in the text
};

struct MeasuredTable {
    std::string name; ///< the file
    MeasuredForm form = MeasuredForm::Kernels;
    std::vector<MeasuredRow> rows; ///< at least one
};

/// Reads a CSV in the columns of one of the forms, which its header tells apart; columns may stand in any
/// order, others are passed over. Cells may be empty but the operation's, the device's and the measurement.
/// Throws Error (InvalidInput) naming file, line and column: columns that are missing, text where a number
/// should be, numbers out of range (a measurement of 0), a file without rows. Where `unread` is given, rows
/// that cannot be read are put there and the others are read, one at least.
MeasuredTable parseMeasured(std::istream& in, const std::string& name,
                            std::vector<UnreadRow>* unread = nullptr);

/// The same from a regular file.
MeasuredTable readMeasured(const std::string& path, std::vector<UnreadRow>* unread = nullptr);

/// The shipped tables: <presets>/measured/*.csv.
std::vector<std::string> shippedMeasured(const std::string& presetsFolder);

/// Cells of one row by their column.
class RowCells {
public:
    explicit RowCells(const CsvReader& csv) : m_csv(csv) {}

    /// The cell's place; the number of columns where there is none.
    std::size_t place(std::string_view column) const {
        const auto& header = m_csv.header();
        return static_cast<std::size_t>(std::find(header.begin(), header.end(), column) - header.begin());
    }
    std::string_view text(std::string_view column) const {
        const auto at = place(column);
        return at < m_csv.cells().size() ? std::string_view(m_csv.cells()[at]) : std::string_view();
    }
    void read(std::string_view column, double& into, bool whole, double most) const {
        const auto cell = text(column);
        if (cell.empty())
            return;
        const auto value = parseNumber(cell);
        if (!value)
            m_csv.failAt(place(column), quotedPiece(cell) + " is not a number", "Write it like 8 or 12.5");
        if (*value < 0 || *value > most || (whole && *value != std::floor(*value)))
            m_csv.failAt(place(column), quotedPiece(cell) + " is out of range",
                         "Allowed: from 0 to " + exactText(most) + (whole ? ", a whole number" : ""));
        into = *value;
    }
    bool flag(std::string_view column) const {
        const auto cell = text(column);
        if (cell == "True" || cell == "true" || cell == "1")
            return true;
        if (!cell.empty() && cell != "False" && cell != "false" && cell != "0")
            m_csv.failAt(place(column), quotedPiece(cell) + " is neither True nor False",
                         "Write True or False");
        return false;
    }

private:
    const CsvReader& m_csv;
};

} // namespace heteroscape::engine
