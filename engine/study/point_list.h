// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"

#include <cstddef>
#include <istream>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

enum class Spacing { Linear, Log };

/// `count` (at least 2) numbers from `from` to `to`, both among them exactly, evenly apart on a linear or a
/// logarithmic scale (then both above 0), each rounded to 15 digits. Whole ones are rounded, and each is
/// there once, so that there may be fewer. Downwards when `to` lies below.
std::vector<double> spacedValues(double from, double to, std::size_t count, Spacing spacing, bool whole);

/// Gives a study its axes, each as parseAxis() reads it. Several in one text, parted by semicolons, move
/// together, value by value: "nodes.gpu.count=8,16;links.uplink.bandwidth_gbps=400,800"; then the study is a
/// list of every combination of all, of up to kMaxAxisValues points. Throws as parseAxis() and checkStudy().
void readAxes(Study& study, const Catalog& catalog, std::span<const std::string> texts);

/// Gives a study the points of a CSV (see CsvReader): its header names the paths of parameters, each row is a
/// point with a value for each, numbers in the shown unit, choices, switches and layouts by name. Of up to
/// kMaxAxisValues rows; one column or one row make a grid. `name`: of the file. Throws Error (InvalidInput)
/// naming line, column and remedy.
void readPoints(Study& study, const Catalog& catalog, std::istream& in, const std::string& name);

} // namespace heteroscape::engine
