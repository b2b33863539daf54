// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/experts.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace heteroscape::engine {

namespace {

constexpr double kPopularity = 819.2; // X: the most popular expert against the least

/// A power law on [1, most] at the quantile of the i-th of `experts`; rises with i.
double popularity(double i, double experts, double alpha, double most) {
    const double u = (i + 0.5) / experts;
    return alpha == 1.0 ? std::pow(most, u)
                        : std::pow(1 + u * (std::pow(most, 1 - alpha) - 1), 1 / (1 - alpha));
}

double popularitySum(double experts, double alpha, double most) {
    double sum = 0.0;
    for (double i = 0; i < experts; ++i)
        sum += popularity(i, experts, alpha, most);
    return sum;
}

/// Of all pairs, those of each expert; kept until another law is asked for, as it is for step after step.
const std::vector<double>& popularityShares(double experts, double alpha) {
    struct Kept {
        double experts = 0.0, alpha = 0.0;
        std::vector<double> shares;
    };
    thread_local Kept kept;
    if (kept.experts != experts || kept.alpha != alpha) {
        Kept next{experts, alpha, {}};
        const double sum = popularitySum(experts, alpha, kPopularity);
        for (double i = 0; i < experts; ++i)
            next.shares.push_back(popularity(i, experts, alpha, kPopularity) / sum);
        kept = std::move(next);
    }
    return kept.shares;
}

} // namespace

double distinctExperts(double experts, double chosen, double tokens) {
    return experts * (1 - std::pow(1 - chosen / experts, tokens));
}

double distinctExpertsSkewed(double experts, double chosen, double tokens, double alpha) {
    double distinct = 0.0;
    for (const double share : popularityShares(experts, alpha))
        distinct += 1 - std::pow(1 - std::min(1.0, chosen * share), tokens);
    return distinct;
}

double busiestRankPairs(double experts, double chosen, double tokens, double ranks, double variation) {
    const double pairs = tokens * chosen;
    const double spread = ranks / pairs * (1 - 1 / ranks) + variation * variation * ranks / experts;
    const double factor = 1 + std::sqrt(2 * std::log(ranks) * spread);
    return pairs / ranks * std::min({factor, ranks, std::min(chosen, experts / ranks) * ranks / chosen});
}

RankLoad skewedRank(double experts, double chosen, double tokens, double ranks, double alpha) {
    const double pairs = tokens * chosen;
    const double most = pairs <= experts ? 200.0 : std::max(2.0, 0.8 * tokens);
    const double sum = popularitySum(experts, alpha, most);
    const double local = experts / ranks;
    double total = 0.0, squares = 0.0, ofLargest = 0.0, touched = 0.0;
    for (double i = 0; i < experts; ++i) {
        const double count = std::min(tokens, popularity(i, experts, alpha, most) / sum * pairs);
        total += count;
        squares += count * count;
        ofLargest += i >= experts - local ? count : 0.0;
        touched += count >= 0.5 ? 1.0 : 0.0;
    }
    const double average = total / experts;
    const double cv = std::sqrt(std::max(0.0, squares / experts - average * average)) / average;
    const double distinct = pairs < experts ? pairs / (1 + pairs / experts) : touched;
    return {std::min(pairs / ranks * (1 + std::sqrt(2 * std::log(ranks) * ranks / experts) * cv), ofLargest),
            distinct / ranks};
}

double distinctPlaces(double copies, double places) {
    return places * (1 - std::pow(1 - 1 / places, copies));
}

double nodesOfToken(double chosen, double nodes) {
    return std::min({nodes, 4.0, distinctPlaces(chosen, nodes)});
}

} // namespace heteroscape::engine
