// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/evaluation/evaluation.h"

namespace heteroscape::cli {

/// The node, tier, what it is for, bytes needed and there, of a design that does not fit.
engine::Json shortfallJson(const engine::Scenario& scenario, const engine::Evaluation& evaluation);

/// What lies where, the shares of the KV cache, and what the decode of one batch waits for.
engine::Json offloadJson(const engine::OffloadEvaluation& offload);

/// The same as tables on stdout.
void printOffload(const std::string& node, const engine::OffloadEvaluation& offload);

} // namespace heteroscape::cli
