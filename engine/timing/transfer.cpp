// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/transfer.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr double kDmas = 2.0; // K and V

template <class V>
V hopSeconds(const V& bytesPerLayer, const HopOf<V>& hop) {
    using N = Numbers<V>;
    const V starts =
        N::counted("DMAs of a layer", kDmas, measures::count, "one of K, one of V") * hop.latency;
    return N::named(N::named(starts, "Starting", measures::microseconds) +
                        N::named(bytesPerLayer / hop.bandwidth, "Transfer", measures::microseconds),
                    "One layer over", measures::microseconds, hop.name);
}

template <class V>
V exposed(const V& layers, const V& bytesPerLayer, std::span<const HopOf<V>> path, const V& prefill) {
    using N = Numbers<V>;
    using std::max;
    const auto time = [](const V& seconds, std::string_view name) {
        return N::named(seconds, name, measures::milliseconds);
    };
    // A pipeline with constant stage times leaves its last stage at
    //   max over the layer m at which the slowest constraint sets in; both ends of the affine maximum
    //   suffice:
    // layer i is ready at p i and then needs every hop once plus the slowest hop for each later layer.
    V sum{};
    V slowest{};
    for (const auto& hop : path) {
        const V seconds = hopSeconds(bytesPerLayer, hop);
        sum = sum + seconds;
        slowest = max(slowest, seconds);
    }
    sum = time(sum, "One layer over all links");
    slowest = time(slowest, "One layer over the slowest link");
    const V perLayer = time(prefill / layers, "Prefill of one layer");
    const V later = N::named(layers - N::counted("The first", 1.0, measures::count, "definition"),
                             "Layers after the first", measures::count);
    const V first = time(perLayer + sum + time(later * slowest, "Later layers over the slowest link"),
                         "Links hold up the hand-over");
    const V last = time(prefill + sum, "The prefill holds it up");
    return time(time(max(first, last), "End of the hand-over") - prefill, "Hand-over after the prefill");
}

} // namespace

double KvHandOver::layerSeconds(const Hop& hop) const {
    return hopSeconds(bytesPerLayer, hop);
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
    return exposed(layers, bytesPerLayer, path, prefillSeconds);
}

Term explainExposed(const Term& layers, const Term& bytesPerLayer, std::span<const HopOf<Term>> path,
                    const Term& prefillSeconds) {
    return exposed(layers, bytesPerLayer, path, prefillSeconds);
}

} // namespace heteroscape::engine
