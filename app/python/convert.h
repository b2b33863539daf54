// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"

#include <pybind11/pybind11.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::python {

/// Dicts, lists, strings, numbers (whole ones as int), True, False and None.
pybind11::object toPython(const engine::Json& json);

/// A column of a table: `values`, one a row (empty: NaN), are numbers, 0 or 1, or places among texts.
struct TableColumn {
    std::string name;
    std::span<const double> values;
    enum class Of { Numbers, Switches, Texts } of = Of::Numbers;
    std::vector<std::string> texts{}; ///< of places; of NaN an empty one
};
/// A structured array of NumPy, one field a column. Filled on all cores, without Python's lock; the columns
/// outlive the call. Signals as in work.h.
pybind11::object toTable(const std::vector<TableColumn>& columns, std::size_t rows);

} // namespace heteroscape::python
