// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/edit.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// How much of its time, or of its peak, something of the system works.
struct WorkingShare {
    std::string label; ///< "Compute of H100 SXM", "NVLink 4 link"
    double share = 0;  ///< 0..1
    bool limits = false;
};

/// One change of the design, and the throughput with it over that without: 1.13.
struct TriedChange {
    std::string label; ///< "L2 prefetch", "Link: PCIe 5.0 x16 in place of PCIe 4.0 x16"
    GraphEdit edit;
    double gain = 1;
    /// The gain when each share of the technique (acceptance, ratio) is at the end of its range that serves
    /// it; at least `gain`, and no more than that where the change has no share to set.
    double atBest = 1;
};

/// A number of the design and the throughput over it, all else as it is. Values in the shown unit.
struct SweepIdea {
    std::string path;  ///< "workload.batch"
    std::string label; ///< "Batch"
    double now = 0;
    std::vector<double> values;     ///< rising, all of which run; `now` is one of them
    std::vector<double> throughput; ///< tok/s, parallel
    std::string next; ///< why not a larger one: what does not fit; empty: nothing was in the way
};

/// What an architect would look at next, of the steady state.
struct Hints {
    std::string bound;                 ///< what decides: "H100 SXM: decode, memory reads"
    std::vector<WorkingShare> working; ///< in the phase that decides, the busiest first
    std::vector<TriedChange> changes;  ///< the ones that gain, the most first; at most kMostChanges
    std::optional<SweepIdea> sweep;    ///< the number that moves the throughput most
    std::size_t tried = 0;             ///< designs that were evaluated

    static constexpr std::size_t kMostChanges = 4;
};

/// Tries every technique that is off, every other link, runtime and device that the catalogue has for what
/// decides, and twice the devices; a change that brings a finding that was not there, does not run, or takes
/// an ideal runtime for one that is not, is none. Then some numbers over a range; not a count of copies to
/// which the throughput is proportional. Hints of a design that does not run are empty. Throws Error
/// (Cancelled).
Hints hints(const Scenario& scenario, const Catalog& catalog, const std::stop_token& stop = {});

} // namespace heteroscape::engine
