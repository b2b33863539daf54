// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/closed_form.h"
#include "engine/serving/fair_share.h"

#include <functional>

namespace heteroscape::engine {

/// The steady state of pools whose links cannot carry what closedForm() would move. The system is taken apart
/// into activities: a whole request on one pool, a request transferred from one pool to another. Each takes
/// time of its pools and bytes of the links in proportion to its rate; rates are shared fairly (see
/// shareFairly) by what they would be without links, so that no pool and no link is used for more than it is.
/// Whole requests on prefill pools (assist) take what KV transfer leaves, as in closedForm().
/// What a link carries both ways is counted together. Latencies are those of a batch alone in the system:
/// what a saturated link delays is a matter of queues, not of a steady state under backlog.
class LinkLimit {
public:
    static constexpr auto kNone = Activity::kNone;

    struct Use {
        double bytesPerSecond = 0.0;
        double starting = 0.0; ///< share of time in which DMAs of KV transfers start
    };
    /// What a load of the pools puts on the links, linear in it.
    struct Traffic {
        std::vector<Use> links;
        double exposed = 0.0; ///< mean exposed KV transfer, s
    };
    /// `loads` has one activity at a rate of 1 batch/s, of which `transferred` are transferred.
    using TrafficOf = std::function<Traffic(std::span<const PoolLoad> loads, double transferred)>;

    /// `capacities`: B/s of each link.
    LinkLimit(std::span<const SteadyPool> pools, bool assist, std::span<const double> capacities,
              const TrafficOf& trafficOf);

    const SteadyState& state() const { return m_state; }
    const std::vector<PoolLoad>& loads() const { return m_loads; }
    const std::vector<Use>& links() const { return m_links; }
    double exposed() const { return m_exposed; } ///< mean exposed KV transfer of what is transferred, s
    /// What state() and loads() are the sums of.
    const std::vector<WayOf<double>>& ways() const { return m_ways; }
    /// The link that holds up most batches/s; kNone where none does.
    std::size_t link() const { return m_link; }

private:
    struct Kind {
        std::size_t from; ///< pool that prefills
        std::size_t to;   ///< pool that decodes; the same for whole requests
        Traffic traffic;
    };

    std::span<const SteadyPool> m_pools;
    std::vector<Kind> m_kinds;
    std::vector<Activity> m_activities; // parallel
    std::vector<WayOf<double>> m_ways;  // parallel
    std::vector<PoolLoad> m_loads;
    std::vector<Use> m_links;
    SteadyState m_state;
    double m_exposed = 0.0;
    std::size_t m_link = kNone;

    void add(std::size_t from, std::size_t to, double weight, std::span<const double> capacities,
             const TrafficOf& trafficOf);
    void sumUp();
};

/// How its state and loads come about from the rates of its ways.
SteadyStateOf<Term> explainLimited(std::span<const SteadyPoolOf<Term>> pools,
                                   std::span<const WayOf<Term>> ways, std::span<PoolLoadOf<Term>> loads);

} // namespace heteroscape::engine
