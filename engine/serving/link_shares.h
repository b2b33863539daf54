// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace heteroscape::engine {

/// How the links of a simulated system are shared between what steps move over them (collectives, offloading)
/// and KV caches that are handed over. Steps come first, as they hold up devices: of each link KV caches have
/// what the steps leave when every replica of every pool is busy. Where steps would leave less than the part
/// of the traffic that KV caches are, the link is shared by that part, and all steps that use it take longer.
struct LinkShares {
    struct Link {
        double capacity = 0.0;       ///< B/s, of all parallel links together
        std::vector<double> steps;   ///< B/s of each pool while all its replicas are busy
        double handedOverPart = 0.0; ///< of the bytes on the link in steady state; 0: no KV cache crosses it
    };

    explicit LinkShares(std::span<const Link> links);

    std::vector<double> forCaches; ///< B/s that each link has for KV caches
    std::vector<double> stretch;   ///< of each pool: its steps take so many times as long; at least 1
};

} // namespace heteroscape::engine
