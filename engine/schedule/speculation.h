// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace heteroscape::engine {

/// Tokens that a step of speculation yields: `guesses` (>= 0), each accepted with probability `acceptance`
/// (0 to 1) given those before it, and the token that verification itself finds.
/// (1 - a^(g+1)) / (1 - a). Source: Leviathan et al., arXiv:2211.17192, eq. 1.
inline double speculatedTokens(double guesses, double acceptance) {
    return acceptance >= 1.0 ? guesses + 1.0
                             : (1.0 - std::pow(acceptance, guesses + 1.0)) / (1.0 - acceptance);
}

} // namespace heteroscape::engine
