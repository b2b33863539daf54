// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/frontier_detail.h"
#include "engine/frontier/frontier_measured.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// All points as CSV, one a line. `front`: which are on their system's front, parallel to the points.
/// `details`: of points, by their ordinals; those of others are left empty. `measured` stand below them, each
/// with its id in the last column.
std::string frontierCsv(const FrontierDefinition& definition, const std::vector<FrontierPoint>& points,
                        const std::vector<bool>& front,
                        const std::map<std::size_t, FrontierDetail>& details = {},
                        std::span<const FrontierMeasured> measured = {});

} // namespace heteroscape::engine
