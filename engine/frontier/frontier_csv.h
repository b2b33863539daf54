// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/frontier.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// All points as CSV, one a line; `front`: which are on their system's front, parallel to the points.
std::string frontierCsv(const FrontierDefinition& definition, const std::vector<FrontierPoint>& points,
                        const std::vector<bool>& front);

} // namespace heteroscape::engine
