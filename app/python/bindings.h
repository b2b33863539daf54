// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/designs.h"
#include "engine/scenario/design_text.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario.h"

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::python {

/// A design: a value that edits replace. What works on it keeps the one that it began with.
struct Design {
    std::shared_ptr<const engine::Scenario> scenario;
    std::shared_ptr<const engine::DesignOrigin> origin{}; ///< what it was opened as; null: a document

    const engine::Scenario& operator*() const { return *scenario; }
    const engine::Scenario* operator->() const { return scenario.get(); }
    void set(engine::Scenario changed) {
        scenario = std::make_shared<const engine::Scenario>(std::move(changed));
    }
    void edit(const engine::GraphEdit& edit);
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
void bindTiming(pybind11::module_& module);

} // namespace heteroscape::python
