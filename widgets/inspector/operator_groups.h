// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/breakdown.h"
#include "widgets/inspector/stack_bar.h"

#include <vector>

namespace heteroscape::widgets {

/// The operators of a step in a few groups (projections, attention, FFN, ...), in the order of the step.
/// Shares add up to 1. Groups that take no time are left out.
std::vector<StackPart> operatorGroups(const engine::StepBreakdown& step);

} // namespace heteroscape::widgets
