// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/parameters.h"

#include <QString>

namespace heteroscape::widgets {

/// "Alveo U280: Count", "Prefetch ratio M": a parameter with the part of the design that it belongs to.
QString parameterName(const engine::Scenario& scenario, const std::string& path,
                      const engine::FieldSpec& spec);

} // namespace heteroscape::widgets
