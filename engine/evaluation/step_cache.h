// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/schedule/compiled_phase.h"
#include "engine/timing/collective.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// What the steps of one node came to: all that an evaluation takes from graphs of operators. It is the stage
/// that costs; what follows it (the steady state, traffic, power, price) is computed at every point.
struct NodeSteps {
    PhaseEvaluation prefill;
    PhaseEvaluation decode;
    LayerEvaluation layer;
    double weightBytes = 0.0; ///< on each device
    double kvBytes = 0.0;     ///< on each device, of a full batch
};

/// Inputs of that stage that several parameters make together (counts, rates of links, switches of serving):
/// they are compared by value. All others are declared by stepReach().
struct StepInputs {
    double devices = 1.0; ///< that share one replica
    Collective collective;
    Role role = Role::Both; ///< the effective role
    bool full = false;      ///< Detail::Full

    bool operator==(const StepInputs& other) const;
};

/// Of which nodes a parameter, by its own value, is an input of their steps.
struct StepReach {
    enum class Of { Nothing, OneNode, Everything };
    Of of = Of::Everything;
    std::size_t node = 0; ///< index, of OneNode
    /// Of graphs, by phase: the length of a prompt is no input of a decode's, that of an output of none.
    std::array<bool, kPhaseCount> graphs{true, true};

    bool reaches(std::size_t index) const {
        return of == Of::Everything || (of == Of::OneNode && node == index);
    }
    bool reachesGraph(std::size_t index, Phase phase) const {
        return reaches(index) && graphs[static_cast<std::size_t>(phase)];
    }
};

/// Declares what the steps of nodes read: counts, links, prices, powers, capacities, arrivals and costs are
/// no inputs of theirs but through StepInputs; other numbers of a node are inputs of that node's steps;
/// everything else (model, workload, techniques, any choice) of all steps.
StepReach stepReach(const Scenario& scenario, const std::string& path);

/// Whether the steps of a node read what is declared and nothing else: not where an offloading runtime works,
/// whose steps depend on all that the node reaches over its links, nor where layers are split or stages lie
/// on several nodes, nor where a technique that is on has a pass that looks beyond its node
/// (GraphPass::readsOneNode()).
bool readsOnlyDeclared(const Scenario& scenario, const Node& node);

/// Whether beyond that a change of lengths leaves the graphs of a node as they are (see StepReach::graphs)
/// but for what is set aside at the final length (OperatorGraph::setMaxTokens()): of a uniform model whose
/// decode takes one token a step, and with no technique that reads lengths (GraphPass::readsLengths()).
bool graphsReadNoLengths(const Scenario& scenario, const Node& node);

/// Whether a technique that is on has a pass that reads lengths (GraphPass::readsLengths()).
bool passesReadLengths(const Scenario& scenario);

/// Keeps the steps of nodes for designs that share what those read, and their graphs and timings for designs
/// that share what those read. The answer is the same to the last bit. One a thread.
class StepCache {
public:
    /// `entries`: kept at once; a key takes the place of another when they meet.
    explicit StepCache(std::size_t entries = 512) : m_entries(entries) {}

    /// Of the design that is evaluated next, a number for each node, which two designs share only where all
    /// parameters that reach its steps have the same values (PointSetter::stepKeys()). A node without one, or
    /// with the largest number, is not kept. The span is read until the next call.
    /// `graphs`: the same of the graphs of each node (PointSetter::graphKeys()), kPhaseCount for each; empty:
    /// none is kept.
    void setKeys(std::span<const std::uint64_t> keys, std::span<const std::uint64_t> graphs = {}) {
        m_keys = keys;
        m_graphKeys = graphs;
    }

    const NodeSteps* find(std::size_t node, const StepInputs& inputs) const;
    void keep(std::size_t node, const StepInputs& inputs, const NodeSteps& steps);
    /// The phase of a node whose steps read only what is declared, compiled or as it is known; null where
    /// none is kept. Until the next call.
    const CompiledPhase* phase(const Scenario& scenario, std::size_t node, Phase phase,
                               const Machine& machine, const StepInputs& inputs);

private:
    struct Entry {
        std::size_t node = static_cast<std::size_t>(-1);
        std::uint64_t key = 0;
        StepInputs inputs;
        NodeSteps steps;
    };
    /// Refers to the scenario that it was compiled for: asked for again by one that lies in the same place.
    struct KeptPhase {
        KeptPhase(const Scenario& of, const Node& at, Phase phase, const Machine& on, std::uint64_t its,
                  const StepInputs& from)
            : scenario(&of), node(&at), key(its), inputs(from), machine(on),
              compiled(of, at, phase, machine, nullptr) {}
        const Scenario* scenario;
        const Node* node;
        std::uint64_t key;
        StepInputs inputs;
        Machine machine;
        CompiledPhase compiled;
    };
    static constexpr std::size_t kPhases = 64; ///< kept at once, of one node and phase
    /// As m_graphKeys. A copy begins with none.
    struct KeptPhases {
        std::vector<std::array<std::unique_ptr<KeptPhase>, kPhases>> of;
        KeptPhases() = default;
        KeptPhases(const KeptPhases&) {}
        KeptPhases& operator=(const KeptPhases&) {
            of.clear();
            return *this;
        }
    };

    std::vector<Entry> m_entries;
    std::span<const std::uint64_t> m_keys;
    std::span<const std::uint64_t> m_graphKeys;
    KeptPhases m_phases;

    std::size_t placeOf(std::size_t node) const {
        return ((m_keys[node] * 0x9E3779B97F4A7C15ULL + node * 0x9E3779B1ULL) >> 17) % m_entries.size();
    }
};

} // namespace heteroscape::engine
