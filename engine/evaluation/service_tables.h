// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/compiled_pool.h"
#include "engine/serving/simulation.h"

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace heteroscape::engine {

/// The steps of a node that are summed up from what is known (see stepTimesOf()), whatever its requests.
class AlikeSteps {
public:
    AlikeSteps(const Scenario& scenario, std::size_t node)
        : m_scenario(scenario), m_node(node), m_machine(machineOf(m_scenario, m_scenario.nodes[node])) {}
    AlikeSteps(const AlikeSteps&) = delete;
    AlikeSteps& operator=(const AlikeSteps&) = delete;

    StepTimes* of(Phase phase); ///< null: a graph for each

private:
    Scenario m_scenario;
    std::size_t m_node;
    Machine m_machine;
    std::array<std::optional<std::unique_ptr<StepTimes>>, kPhaseCount> m_times;
};

/// Times of one replica on a node, by the same graphs, techniques and timing models as the
/// evaluation. Kept in tables, so that each batch size and prompt is timed once. A decode step of several
/// requests is timed at their mean context: its operators are affine in each context. Where the runtime
/// offloads, memory is laid out for each batch of its own (see Offloading).
///
/// A step that takes pieces of prompts, beside decodes or not, is one step of all its tokens: linears,
/// experts and collectives meet all rows at once, and each sequence attends to its own context (see
/// StepShape::sequences). It is timed as a prefill, and never shorter than the decode alone. Of data-parallel
/// ranks it is the one to which most prompt tokens are dealt (see dealOut()); the experts meet the rows of
/// all. Source: the idea is Sarathi-Serve's (Agrawal et al., OSDI 2024: chunked prefills in stall-free
/// batches); the time is this model's own and not calibrated. Where something is offloaded, the prompts of
/// such a step are prefilled as a batch of the longest of them, and decodes beside them take their own time.
class ServiceTables final : public ServiceTimes {
public:
    /// The scenario is valid. `activeReplicas` work on the node; `steps`: of a design whose steps are the
    /// same, null where none are known.
    ServiceTables(const Scenario& scenario, std::size_t node, const RequestLengths& lengths,
                  double activeReplicas, std::shared_ptr<AlikeSteps> steps = nullptr);

    double prefill(double requests, double prompt, double output) override;
    double prefillStage(double requests, double prompt, double output) override;
    double decode(const DecodeBatch& batch, double steps) override;
    PieceSeconds pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) override;
    double stages() const override;

    /// Adds what such batches move over the links below the node (see CompiledPool), where something is
    /// offloaded.
    void addOffloadTraffic(double requests, double prompt, double output, const CompiledPool::Work& work,
                           std::span<double> links);

    /// Whether what is offloaded fits for such a batch; true where nothing is offloaded.
    bool fits(double requests, double prompt, double output);

private:
    struct Shape {
        std::uint32_t requests;
        std::uint32_t prompt;
        std::uint32_t output;
        bool operator==(const Shape&) const = default;
    };
    struct ShapeHash {
        std::size_t operator()(const Shape& shape) const;
    };
    struct Known { ///< the last answers, by a hash of the question
        double requests = 0.0;
        double context = -1.0;
        double steps = 0.0;
        double seconds = 0.0;
    };

    Scenario m_scenario; // its workload is the one asked about
    std::size_t m_node;
    Machine m_machine;
    RequestLengths m_lengths;
    double m_replicas;
    bool m_offloads;
    TierMap m_tiers;
    std::unordered_map<Shape, double, ShapeHash> m_prefills;
    std::unordered_map<Shape, double, ShapeHash> m_prefillStages;
    std::vector<std::unique_ptr<StepCost>> m_decodes; // by requests
    std::unordered_map<Shape, StepCost, ShapeHash> m_offloadedDecodes;
    std::vector<Known> m_known;
    struct Alike { ///< what all steps have in common
        StepShape prompts;
        StepShape decodes;
        StepTimes* times;             ///< of steps with pieces; null: a graph for each
        StepTimes* decodeTimes;       ///< of the others; null: a graph for each
        double stages;                ///< see stages()
        std::optional<StepHost> host; ///< of the server, of steps with pieces
    };
    std::optional<Alike> m_alike;
    std::shared_ptr<AlikeSteps> m_steps;
    // Of the step with pieces that is asked about, kept for their storage:
    std::vector<StepSequences> m_sequences;
    std::vector<double> m_dealt;
    std::vector<std::size_t> m_rankOf;

    const Node& node() const { return m_scenario.nodes[m_node]; }
    void setWorkload(double requests, double prompt, double output);
    void setDecodeWorkload(double requests); ///< the longest contexts
    CompiledPool pool();                     ///< for the workload that is set
    StepCost stepCost(Phase phase, double firstContext, double lastContext);
    const StepCost& decodeCost(const DecodeBatch& batch);
    PieceSeconds step(std::span<const PromptPiece> prompts, double decodes, double context);
    const Alike& alike();
    PieceSeconds timed(StepShape& shape); ///< of m_sequences
};

/// The tables of a node, kept by the thread for the next designs that differ in nothing that its steps read:
/// in users, requests, how they come in, costs, copies and other nodes; and its steps for those that differ
/// in lengths as well. The answers are the same to the last bit.
std::shared_ptr<ServiceTables> keptTables(const Scenario& scenario, std::size_t node,
                                          const RequestLengths& lengths, double activeReplicas);

/// Requests of the workload that a replica works on at once by the scheduler of its server, and
/// whether its KV cache holds no more. Endless where none schedules: on a node without a server or measured
/// kernels, where something is offloaded.
struct ServedAtOnce {
    double requests = std::numeric_limits<double>::infinity();
    bool cacheIsFull = false;
};
ServedAtOnce servedAtOnce(const Scenario& scenario, const CompiledPool& pool, Role role);

/// Where requests are served step by step, by the design's batching or because its users wait for answers:
/// gives the pools of a system their servers' settings, and routes what the sender takes. Why it cannot;
/// empty: it did, or nothing is served so. `poolNodes`: the node of each pool. Pools that offload serve whole
/// batches whatever is chosen.
std::string setServers(const Scenario& scenario, std::span<const std::size_t> poolNodes,
                       ServingSystem& system);

} // namespace heteroscape::engine
