// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"

#include <istream>
#include <string>

namespace heteroscape::engine {

/// Gives a study the points of a CSV (see CsvReader): its header names the paths of parameters, each row is a
/// point with a value for each, numbers in the shown unit, choices, switches and layouts by name. Of up to
/// kMaxAxisValues rows; one column or one row make a grid. `name`: of the file. Throws Error (InvalidInput)
/// naming line, column and remedy.
void readPoints(Study& study, const Catalog& catalog, std::istream& in, const std::string& name);

} // namespace heteroscape::engine
