// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heteroscape::engine {

/// How the links of a simulated system are shared between what steps move over them (collectives, offloading)
/// and KV caches that are transferred. Steps come first, as they hold up devices: of each link KV caches have
/// what the steps leave when every replica of every pool is busy. Where steps would leave less than the part
/// of the traffic that KV caches are, the link is shared by that part, and all steps that use it take longer.
struct LinkShares {
    struct Link {
        double capacity = 0.0;        ///< B/s, of all parallel links together
        std::vector<double> steps;    ///< B/s of each pool while all its replicas are busy
        double transferredPart = 0.0; ///< of the bytes on the link in steady state; 0: no KV cache crosses it
    };

    explicit LinkShares(std::span<const Link> links);

    std::vector<double> forCaches; ///< B/s that each link has for KV caches
    std::vector<double> stretch;   ///< of each pool: its steps take so many times as long; at least 1
};

/// What one unit of an activity takes of a resource.
struct ResourceUse {
    std::size_t resource = 0;
    double amount = 0.0;
};

/// Something that goes on at a rate and uses resources in proportion to it.
struct Activity {
    static constexpr auto kNone = static_cast<std::size_t>(-1);

    double weight = 0.0; ///< its rate grows in proportion to it; 0: it does not run
    std::vector<ResourceUse> uses;
    double rate = 0.0;           ///< found
    std::size_t stopped = kNone; ///< the resource that was used up first of those it uses
};

/// Rates that are fair by weight (progressive filling: Bertsekas and Gallager, Data Networks, section 6.5.2):
/// all rates grow in proportion to the weights until a resource is used up; what uses it stops there, and the
/// others grow on. Every activity that runs uses at least one resource. `left` is what there is of each
/// resource, and afterwards what is left.
void shareFairly(std::span<Activity> activities, std::span<double> left);

} // namespace heteroscape::engine
