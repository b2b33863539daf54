// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "engine/serving/servers/served_plan.h"

#include <string>

namespace heteroscape::engine {

/// A published server as a design, as far as designs say it: its GPUs with their runtime and layout, the
/// model in its weights' format, lengths, users, the scheduler with its limits, host times and overheads.
/// Workers that prefill apart are a pool of their own on a link. The memory share is the device's memory,
/// what drafts yield the acceptance of speculation. Not said by designs, and named in `about`: the factors on
/// kernels, waits and looks where the chosen batching has none, the rate of KV transfers.
/// Throws Error (NotFound) where the catalogue has no device with such kernels.
Scenario servedScenario(const GpuServers& servers, const Catalog& catalog, const ServedPlan& plan);

} // namespace heteroscape::engine
