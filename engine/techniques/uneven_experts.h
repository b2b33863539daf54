// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique.h"

#include <cstddef>

namespace heteroscape::engine {

struct Layout;
struct Model;

/// How tokens spread over the experts of a mixture: popularity, imbalance of ranks, experts kept twice. Off:
/// every expert is as popular. Source: moe_parallel, section 4.5.
const Technique& unevenExperts();

enum UnevenParameter : std::size_t { kExpertSkew, kExpertImbalance, kRedundantExperts };

/// Pairs of a token and an expert on the busiest of `ranks` ranks over what chance alone gives it; 1 where
/// the technique is off.
double busiestRankFactor(const Scenario& scenario, const Model& model, double tokens, double ranks);

/// Slots of experts that are kept twice over the experts of a layer; 0 where it is off, or one rank has all.
double redundantShare(const Scenario& scenario, const Model& model, const Layout& layout);

} // namespace heteroscape::engine
