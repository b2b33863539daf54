// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/compiled_phase.h"

#include <memory>
#include <span>

namespace heteroscape::engine {

/// Bytes that the work on one batch moves over the links below a node.
struct OffloadTraffic {
    struct Phase {
        double device = 0.0;  ///< between host and device
        double storage = 0.0; ///< between host and storage, any of it
        double near = 0.0;    ///< between host and the CSDs that attend
    };
    Phase prefill;
    Phase decode; ///< of all output tokens
};

/// A node made runnable: its machine, what it offloads, its memory, its traffic. One replica runs
/// on `devices()` of them. Cheap to make; refers to the scenario, which outlives it.
class CompiledPool {
public:
    /// The node is an accelerator with a runtime; where that offloads, it has a host (see validate()). `map`
    /// was reset() to the scenario. `activeReplicas` work on it; 0: of the node's replicas as many as
    /// give the highest rate where they share host and storage (up to 64 every number is tried, then steps of
    /// a quarter and all), all of them where nothing is offloaded.
    CompiledPool(const Scenario& scenario, std::size_t node, TierMap& map, double activeReplicas = 0.0);
    /// With a map of its own.
    CompiledPool(const Scenario& scenario, std::size_t node);

    std::size_t index() const { return m_index; }
    const Node& node() const { return m_scenario->nodes[m_index]; }
    const Machine& machine() const { return m_machine; }
    double devices() const { return tensorParallel(node()); }
    double activeReplicas() const {
        return m_offloading ? m_offloading->activeReplicas : replicas(node());
    }                                                                   ///< at work
    const Offloading* offloading() const { return m_offloading.get(); } ///< null: nothing

    /// Made anew at each call; the pool outlives it and stays where it is.
    CompiledPhase phase(Phase phase) const { return {*m_scenario, node(), phase, m_machine, offloading()}; }

    // Memory of one device where nothing is offloaded, B.
    double weightBytes() const;          ///< with meta-data
    double kvTokenBytes() const;         ///< K and V of one token, all layers; where windows fill up a mean
    double kvBytes(double tokens) const; ///< of the workload's batch at so many tokens each
    double kvRoomBytes() const;          ///< beside the weights and what is kept; may be below 0
    double kvTokens() const;             ///< tokens that fit there
    double draftModelBytes() const;      ///< of the weights those of a model that guesses tokens
    /// Working space, buffers of the dispatch to experts and reserve, where the node says what its reserve
    /// is: they must fit as well. Source: moe_parallel, section 6.
    double keptBytes() const;

    /// Batches that go through a pool, in a time or in each second, and what one step's collectives weigh on
    /// each device's link.
    struct Work {
        double prefills = 0.0;
        double decodes = 0.0; ///< of all output tokens
        SentBytes prefillCollective;
        SentBytes decodeCollective;
    };
    /// Adds what collectives move to `links` (parallel to the scenario's; on each of the parallel links).
    void addCollectiveTraffic(const Work& work, std::span<double> links) const;
    /// Adds what offloading moves. `map` was reset() to the scenario and is left at this pool.
    void addOffloadTraffic(const Work& work, TierMap& map, std::span<double> links) const;
    OffloadTraffic offloadTraffic() const; ///< while something is offloaded
    Term explainStorageTraffic() const;    ///< how the decode's bytes over links to storage come about

    /// Both offload to one host: the prefill has put the KV cache where the decode looks for it.
    bool sharesTiers(const CompiledPool& other) const;

private:
    const Scenario* m_scenario;
    std::size_t m_index;
    Machine m_machine;
    std::unique_ptr<Offloading> m_offloading; ///< apart: it is large, and most pools have none

    void chooseReplicas(TierMap& map);
    double ownWeightBytes() const;
    double ownTokenBytes() const;
    double ownCacheBytes(double tokens) const;
    template <class Bytes>
    double ofDraft(Bytes bytes) const;
    double firstStageEmbedding() const;
    double draftWeightBytes() const;              ///< of what guesses tokens, where a decode speculates
    std::shared_ptr<const Model> layered() const; ///< null where the copy is of a uniform model
    void addSplitTraffic(const Work& work, std::span<double> links) const;
    void addStageTraffic(const Work& work, std::span<double> links) const;
};

} // namespace heteroscape::engine
