// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/transfer.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr double kDmas = 2.0; // K and V

} // namespace

double KvHandOver::layerSeconds(const Hop& hop) const {
    return kDmas * hop.latency + bytesPerLayer / hop.bandwidth;
}

double KvHandOver::startSeconds(const Hop& hop) const {
    return layers * kDmas * hop.latency;
}

double KvHandOver::serialSeconds(std::span<const Hop> path) const {
    double sum = 0.0;
    for (const auto& hop : path)
        sum += layers * layerSeconds(hop);
    return sum;
}

double KvHandOver::exposedSeconds(std::span<const Hop> path, double prefillSeconds) const {
    // A pipeline with constant stage times leaves its last stage at
    //   max over the layer m at which the slowest constraint sets in; both ends of the affine maximum
    //   suffice:
    // layer i is ready at p i and then needs every hop once plus the slowest hop for each later layer.
    double sum = 0.0;
    double slowest = 0.0;
    for (const auto& hop : path) {
        const double seconds = layerSeconds(hop);
        sum += seconds;
        slowest = std::max(slowest, seconds);
    }
    const double perLayer = prefillSeconds / layers;
    const double first = perLayer + sum + (layers - 1.0) * slowest;
    const double last = prefillSeconds + sum;
    return std::max(first, last) - prefillSeconds;
}

} // namespace heteroscape::engine
