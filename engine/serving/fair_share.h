// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace heteroscape::engine {

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
