// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/designs.h"
#include "engine/scenario/scenario.h"

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <vector>

namespace heteroscape::python {

/// A design: a value that edits replace. What works on it keeps the one that it began with.
struct Design {
    std::shared_ptr<const engine::Scenario> scenario;

    const engine::Scenario& operator*() const { return *scenario; }
    const engine::Scenario* operator->() const { return scenario.get(); }
};

/// The catalogue, read at the first call.
const engine::Catalog& catalog();

/// Lines that people should know, said by warnings.warn() where it ends well.
class Notes {
public:
    cli::Tell tell();
    void warn() const; ///< with Python's lock

private:
    std::vector<std::string> m_lines;
};

/// A design whose errors are refused and whose warnings are said.
void requireRunnable(const Design& design);

// Each adds its part of the module.
void bindDesigns(pybind11::module_& module);
void bindStudies(pybind11::module_& module);
void bindMeasurements(pybind11::module_& module);

} // namespace heteroscape::python
