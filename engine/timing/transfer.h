// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"

#include <span>

namespace heteroscape::engine {

/// One link on the way of a KV cache. Numbers are double, or Term to explain.
template <class V>
struct HopOf {
    V bandwidth{};           ///< B/s
    V latency{};             ///< s, of one DMA
    std::string_view name{}; ///< for terms
};
using Hop = HopOf<double>;

/// The KV cache of one batch handed over layer by layer while it is prefilled: two DMAs (K, V) a layer and
/// hop. Source: GLITCHES sections III-C and V-B.
struct KvHandOver {
    double layers = 0.0;
    double bytesPerLayer = 0.0; ///< K and V of the prompt, at the receiver's precision

    /// One hop for one layer: 2 latency + bytes / bandwidth, s.
    double layerSeconds(const Hop& hop) const;
    /// What of one hop its DMAs take to start, all layers, s: a link that takes layers in order waits for
    /// them.
    double startSeconds(const Hop& hop) const;
    /// Everything one after the other, s.
    double serialSeconds(std::span<const Hop> path) const;
    /// What is left when the prefill ends. Layer i (1..L) is ready at prefill x i / L; each hop takes layers
    /// in order:
    ///   a_h(i) = max(a_h(i-1), a_(h-1)(i)) + layerSeconds(hop),  a_0(i) = prefill x i / L;  exposed =
    ///   a_last(L) - prefill.
    double exposedSeconds(std::span<const Hop> path, double prefillSeconds) const;
};

/// How KvHandOver::exposedSeconds() comes about.
Term explainExposed(const Term& layers, const Term& bytesPerLayer, std::span<const HopOf<Term>> path,
                    const Term& prefillSeconds);

} // namespace heteroscape::engine
