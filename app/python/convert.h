// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"

#include <pybind11/pybind11.h>

#include <vector>

namespace heteroscape::python {

/// Dicts, lists, strings, numbers (whole ones as int), True, False and None.
pybind11::object toPython(const engine::Json& json);

/// An array of NumPy that takes the numbers over: nothing is copied.
pybind11::object toArray(std::vector<double>&& values);

} // namespace heteroscape::python
