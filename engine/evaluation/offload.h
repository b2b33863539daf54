// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/schedule/offloading.h"

namespace heteroscape::engine {

class Error;

/// Fills in the tiers, shares, sizes and the shortfall of a node whose runtime offloads.
void placeOffloaded(const Offloading& offloading, const Node& node, NodeEvaluation& out);

/// How the sizes and shares of a node whose runtime offloads come about: of one replica.
struct PlacedTerms {
    Term hostShare; ///< of the tokens' KV cache
    Term storageShare;
    Term xShare;
    Term weights;
    Term weightsStorage;
    Term kv;
    Term device; ///< used of each tier
    Term host;
    Term storage;
};
PlacedTerms explainPlaced(const Scenario& scenario, const Node& node, const Machine& machine,
                          const Offloading& offloading);

/// What does not fit on a node, where, how much is there, and what to do, as a sentence. The node has a
/// shortfall.
std::string shortfallText(const Scenario& scenario, std::size_t node, const NodeEvaluation& result);
/// Of steps that nothing was measured of: what was thrown, in words. Throws any other error again.
std::string unmeasuredText(const Error& error);

} // namespace heteroscape::engine
