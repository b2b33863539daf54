// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/timing/collective.h"

#include <cstddef>
#include <cstdint>
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
    double devices = 1.0; ///< that share one copy of the model
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

    bool reaches(std::size_t index) const {
        return of == Of::Everything || (of == Of::OneNode && node == index);
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

/// Keeps the steps of nodes for designs that share what those read. The answer is the same to the last bit.
/// One a thread.
class StepCache {
public:
    /// `entries`: kept at once; a key takes the place of another when they meet.
    explicit StepCache(std::size_t entries = 512) : m_entries(entries) {}

    /// Of the design that is evaluated next, a number for each node, which two designs share only where all
    /// parameters that reach its steps have the same values (PointSetter::stepKeys()). A node without one, or
    /// with the largest number, is not kept. The span is read until the next call.
    void setKeys(std::span<const std::uint64_t> keys) { m_keys = keys; }

    const NodeSteps* find(std::size_t node, const StepInputs& inputs) const;
    void keep(std::size_t node, const StepInputs& inputs, const NodeSteps& steps);

private:
    struct Entry {
        std::size_t node = static_cast<std::size_t>(-1);
        std::uint64_t key = 0;
        StepInputs inputs;
        NodeSteps steps;
    };
    std::vector<Entry> m_entries;
    std::span<const std::uint64_t> m_keys;

    std::size_t placeOf(std::size_t node) const {
        return ((m_keys[node] * 0x9E3779B97F4A7C15ULL + node * 0x9E3779B1ULL) >> 17) % m_entries.size();
    }
};

} // namespace heteroscape::engine
