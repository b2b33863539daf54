// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <string>

namespace heteroscape::engine {

/// A design that another was made of, and what it is called: a preset's id, or the path of a .hscape file.
struct DesignOrigin {
    std::string name;
    Scenario scenario;
};

/// Lines of Python that make a design with the module `heteroscape`: of its origin by the parameters that
/// differ, parts that are its own as dicts; where parameters cannot say it (nodes or links that are new or
/// gone), or without an origin, its whole document. What they make has the same key, name and text.
std::string pythonText(const Scenario& design, const Catalog& catalog, const DesignOrigin* origin = nullptr);

/// The same for a shell: `heteroscape-cli evaluate` with a --set for each parameter; else, and for parts that
/// are its own, the whole document, written to a file that is evaluated. The same key.
std::string commandText(const Scenario& design, const Catalog& catalog, const DesignOrigin* origin = nullptr);

} // namespace heteroscape::engine
