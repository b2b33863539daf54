// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "engine/servers/served_plan.h"

#include <string>

namespace heteroscape::engine {

/// A published server as a design: its GPUs with their runtime, server and layout, the model in its weights'
/// format, lengths, users, the scheduler with its limits. Workers that prefill apart are a pool of their own
/// on a link; what drafts yield is the acceptance of speculation. Throws Error (NotFound) where the catalogue
/// has no device with such kernels.
Scenario servedScenario(const GpuServers& servers, const ServedPlan& plan);

/// Requests of each of so many users: ten, as the public benchmark sends, cut to whole waves beyond 5,000 in
/// all (4,000 where prefill is apart), at least 3.
double publicWaves(double users, bool apart);

} // namespace heteroscape::engine
