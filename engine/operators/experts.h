// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace heteroscape::engine {

/// How tokens spread over experts (moe_parallel.md, section 4.5). `tokens`, `chosen` (experts a token) and
/// `experts` are whole; alpha is the exponent of a power law of popularity, 0 none.

/// Distinct experts that some token chose, uniform random routing: E (1 - (1 - k/E)^T).
double distinctExperts(double experts, double chosen, double tokens);

/// The same under a power law of popularity on [1, 819.2]: the sum over experts of 1 - (1 - min(1, k p_e))^T.
/// E terms.
double distinctExpertsSkewed(double experts, double chosen, double tokens, double alpha);

/// A: token-expert pairs of the busiest of `ranks` ranks, T k/ep times
///   f = 1 + sqrt(2 ln ep (ep/(T k) (1 - 1/ep) + c^2 ep/E)),   capped by ep and min(k, E/ep) ep/k.
/// `variation`: c, coefficient of variation of the experts' popularity.
double busiestRankPairs(double experts, double chosen, double tokens, double ranks, double variation);

/// A power law dealt out without noise, to compare with measured rows.
struct RankLoad {
    double pairs = 0.0;
    double distinct = 0.0;
};
RankLoad skewedRank(double experts, double chosen, double tokens, double ranks, double alpha);

/// phi(k, g) = g (1 - (1 - 1/g)^k): distinct ones of g places when k copies fall at random.
double distinctPlaces(double copies, double places);

/// Of `nodes` those that a token is sent to once by normal kernels, which spread it inside: phi(k, nodes), at
/// most 4, as routing is limited to as many groups (section 5).
double nodesOfToken(double chosen, double nodes);

} // namespace heteroscape::engine
