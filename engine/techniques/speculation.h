// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/scenario/technique.h"

#include <cmath>
#include <cstddef>

namespace heteroscape::engine {

/// Guessed tokens that a decode step verifies together.
const Technique& speculation();

enum SpeculationParameter : std::size_t { kGuesses, kAcceptance, kDraftLayers };

/// Tokens that a step of speculation yields: `guesses` (>= 0), each accepted with probability `acceptance`
/// (0 to 1) given those before it, and the token that verification itself finds.
/// (1 - a^(g+1)) / (1 - a). Source: Leviathan et al., arXiv:2211.17192, eq. 1.
inline double speculatedTokens(double guesses, double acceptance) {
    return acceptance >= 1.0 ? guesses + 1.0
                             : (1.0 - std::pow(acceptance, guesses + 1.0)) / (1.0 - acceptance);
}

/// Whether a decode of this node speculates: the technique is on, and the node's runtime times steps of
/// several tokens and keeps everything on the device.
bool speculates(const Scenario& scenario, const Node& node);

struct Speculated {
    double guesses = 0.0;     ///< g: a step verifies 1 + g tokens of each request
    double tokensAStep = 1.0; ///< y, expected (see speculatedTokens())
};
Speculated speculationOf(const Scenario& scenario);

/// Whether a decode of this node takes its guesses from a model of its own.
bool hasDraft(const Scenario& scenario, const Node& node);

/// The design in which that model is served by the node: on the devices that share a replica of the served
/// model, cut by heads as far as it has heads to be cut evenly, by requests beyond. No technique is on.
Scenario draftDesign(const Scenario& scenario, const Node& node);
Term explainSpeculatedTokens(const Scenario& scenario);

} // namespace heteroscape::engine
