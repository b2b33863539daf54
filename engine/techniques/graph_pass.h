// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"
#include "engine/scenario/scenario.h"

#include <vector>

namespace heteroscape::engine {

/// The step that a pass works on.
struct PassContext {
    const Scenario& scenario;
    const Node& node; ///< of the scenario, with a runtime
    Phase phase;
};

/// What a pass does to the work of one operator, as factors: 1 leaves it as it is, 0 takes it away.
struct WorkFactors {
    double flops = 1.0;
    double weights = 1.0; ///< matrix elements read
    double activations = 1.0;
    double kv = 1.0; ///< elements read, written and set aside
};

/// Marks on an operator that timing models read.
enum class OperatorMark { LoadsPerFetch, Prefetched, Offloaded, Repeated };
inline constexpr std::size_t kOperatorMarkCount = 4;

/// A named change of the graph of one step. It may change the work and set the marks that it declares, and
/// nothing else: every operator stays, in its place. Tokens may meet the experts of a mixture otherwise:
/// their work then goes with the rows and experts of the product. checkPass() holds it to that.
class GraphPass {
public:
    virtual std::string_view name() const = 0; ///< for errors
    /// Whether it has anything to do here; a technique's pass is asked only while that is on.
    virtual bool actsOn(const PassContext& context) const = 0;
    virtual void apply(OperatorGraph& graph, const PassContext& context) const = 0;
    virtual bool maySet(OperatorMark) const { return false; }
    /// True when actsOn() and apply() look at nothing of the scenario but its model, workload, techniques and
    /// their node: steps are then kept between designs that share these (see StepCache).
    virtual bool readsOneNode() const { return false; }
    /// False when neither they nor declared() look at the lengths of prompts and outputs: graphs are then
    /// kept between designs that differ in these.
    virtual bool readsLengths() const { return true; }
    /// `before`: an operator as the pass finds it.
    virtual WorkFactors declared(const Operator& /*before*/, const PassContext&) const { return {}; }

protected:
    ~GraphPass() = default;
};

/// Compares a graph before and after a pass with what the pass declares. Throws Error (InvalidInput) naming
/// the pass and the first operator that was lost, put elsewhere or changed otherwise.
void checkPass(const GraphPass& pass, const PassContext& context, const OperatorGraph& before,
               const OperatorGraph& after);

/// Takes decode's attention off the device: everything that touches the KV cache is marked as offloaded and
/// costs nothing there. Where it runs instead, and what crosses the links, is said by LayerFlows. It belongs
/// to runtimes that offload and has no switch.
void offloadAttention(OperatorGraph& graph);

const GraphPass& offloadAttentionPass();

/// The passes that act on a step, in their order: what the node's runtime offloads, then those of the
/// techniques that are on, as techniqueKinds() has them.
std::vector<const GraphPass*> passesOn(const PassContext& context);

/// Runs them over the graph of that step. Each is checked after it ran where assertions are on. Allocates
/// nothing.
void applyTechniques(OperatorGraph& graph, const Scenario& scenario, const Node& node, Phase phase);

/// One pass, checked in every build.
void applyChecked(const GraphPass& pass, OperatorGraph& graph, const PassContext& context);

} // namespace heteroscape::engine
