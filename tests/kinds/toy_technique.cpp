// SPDX-License-Identifier: GPL-3.0-or-later
// A technique that nothing but this file knows of: everything that is made from the list of techniques has
// it.
#include "engine/scenario/technique_targets.h"
#include "engine/techniques/graph_pass.h"

#include <array>

using namespace heteroscape::engine;

namespace {

const std::array<KindParameter, 1> kParameters{{
    {{"kept", "Share of weights read", "", 1, 0.1, 1, false, true,
      "Share of the weights of linear operators that a step reads again."},
     0.5},
}};
const std::array<KindOption, 1> kOptions{{
    {"head", "Of the head too", "The LM head reads fewer weights as well.", false},
}};

class ToyWeightReuse final : public Technique, public GraphPass {
public:
    ToyWeightReuse()
        : Technique("toy_weight_reuse", "Toy weight reuse",
                    "Weights that are still on the chip are not read again.") {}

    std::span<const KindParameter> parameters() const override { return kParameters; }
    std::span<const KindOption> options() const override { return kOptions; }
    std::string refusalAt(const TechniqueTargets&, const Node& node) const override {
        return node.runtime ? std::string() : node.shownName() + " runs nothing: drop it on an accelerator";
    }
    using Technique::refusalAt;
    bool concerns(const Runtime&) const override { return true; }
    bool changesStepOf(const Scenario&, const Node& node) const override { return node.runtime.has_value(); }

    const GraphPass* pass() const override { return this; }
    std::string_view name() const override { return id(); }
    bool actsOn(const PassContext& context) const override { return context.phase == Phase::Decode; }
    void apply(OperatorGraph& graph, const PassContext& context) const override {
        for (auto& op : graph.operators())
            op.weights *= declared(op, context).weights;
    }
    WorkFactors declared(const Operator& op, const PassContext& context) const override {
        const auto& settings = context.scenario.techniques[*this];
        WorkFactors factors;
        if (op.kind == OperatorKind::Linear && (op.segment != Segment::Head || settings.isOn(0)))
            factors.weights = settings[0];
        return factors;
    }
};

const ToyWeightReuse toy;
const Registered<Technique> registered(techniqueKinds(), toy);

} // namespace
