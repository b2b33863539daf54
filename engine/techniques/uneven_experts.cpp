// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/operators/experts.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/technique_targets.h"
#include "engine/techniques/built_in.h"
#include "engine/techniques/graph_pass.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

const std::array<KindParameter, 3> kParameters{{
    {{"skew", "Skew of popularity", "", 1, 0, 4, false, true,
      "Exponent of the power law, from 1 to 819, by which experts are popular: a batch meets fewer of them, "
      "whose weights alone are read. Loads that were measured were made with 1.01 and 1.2. 0: no skew."},
     0.0},
    {{"imbalance", "Imbalance of ranks", "", 1, 0, 4, false, true,
      "Coefficient of variation of the popularity, by which the busiest expert rank has more to do than the "
      "mean: the others wait for it. Assumed: 0 even, 0.3 balanced by redundant experts, 1 unbalanced."},
     1.0},
    {{"redundant", "Redundant experts", "", 1, 0, 4096, true, true,
      "Experts of each layer that are kept twice, on all ranks together, to even them out: each rank holds "
      "their weights. How even the ranks are with them is said by the imbalance."},
     0.0},
}};

bool routesOn(const Scenario& scenario, const Node& node) {
    return node.runtime && isAccelerator(node.device.kind) && scenario.model.isMixture() &&
           isLayered(scenario.model, node);
}

/// Of the experts' operator: A of the busiest rank by its imbalance, U by the law of popularity.
class UnevenExperts final : public Technique, public GraphPass {
public:
    UnevenExperts()
        : Technique("uneven_experts", "Uneven experts",
                    "Some experts of a mixture are chosen more often than others: fewer are met, and the "
                    "busiest rank has more to do, which every step waits for.") {}

    std::span<const KindParameter> parameters() const override { return kParameters; }

    std::string refusalAt(const TechniqueTargets& targets, const Node& node) const override {
        if (auto refusal = refusalWithoutRuntime(node); !refusal.empty())
            return refusal;
        return routesOn(targets.scenario(), node)
                   ? std::string()
                   : targets.scenario().model.name + " has no experts that " + node.shownName() +
                         " meets one by one: choose a mixture, or a runtime that reads those that are met";
    }
    using Technique::refusalAt;
    bool suits(const Scenario& scenario) const override {
        return std::any_of(scenario.nodes.begin(), scenario.nodes.end(),
                           [&](const Node& node) { return routesOn(scenario, node); });
    }
    bool changesStepOf(const Scenario& scenario, const Node& node) const override {
        return routesOn(scenario, node);
    }
    void check(const Scenario& scenario, TierMap&, std::vector<Diagnostic>& found) const override {
        const auto note = [&](std::string_view key, std::string message, const char* remedy) {
            found.push_back({Severity::Note, "techniques.uneven_experts." + std::string(key),
                             std::move(message), remedy, "idle_experts"});
        };
        if (!suits(scenario))
            return note("enabled",
                        "Uneven experts change nothing: " + scenario.model.name +
                            " has no experts that are met one by one",
                        "Choose a mixture, or a runtime that reads those that are met");
        const bool dealt = std::any_of(scenario.nodes.begin(), scenario.nodes.end(), [&](const Node& node) {
            return routesOn(scenario, node) && layoutOf(node).ep > 1.0;
        });
        const auto& settings = scenario.techniques[*this];
        for (const auto parameter : {kExpertImbalance, kRedundantExperts})
            if (!dealt && settings[parameter] > 0.0 && settings[parameter] != kParameters[parameter].initial)
                note(kParameters[parameter].spec.key,
                     std::string(kParameters[parameter].spec.label) +
                         " changes nothing: no node deals experts to several ranks",
                     "Set the expert ranks (ep) of a node");
    }
    std::string mark(const TechniqueSettings& settings) const override {
        return "Imbalance " + plainText(settings[kExpertImbalance]);
    }
    TechniqueAxis studyAxis(const Scenario& scenario, const Node&) const override {
        return scenario.techniques.isOn(*this) ? TechniqueAxis{"imbalance", "0,0.3,1"} : TechniqueAxis{};
    }

    const GraphPass* pass() const override { return this; }
    std::string_view name() const override { return id(); }
    bool actsOn(const PassContext& context) const override {
        return routesOn(context.scenario, context.node);
    }
    void apply(OperatorGraph& graph, const PassContext& context) const override {
        const auto& model = graph.model();
        const auto& shape = graph.shape();
        if (!model.isMixture() || model.isUniform())
            return; // a draft, or dense layers of a stage
        const double tokens = shape.sequences.empty()
                                  ? shape.batch / shape.layout.microbatches * shape.queryTokens
                                  : shape.groupRows;
        const double busiest = busiestRankFactor(context.scenario, model, tokens, shape.layout.ep);
        const double skew = context.scenario.techniques[*this][kExpertSkew];
        const double experts = model.experts.value, chosen = model.expertsPerToken.value;
        const double met = skew > 0.0 ? distinctExpertsSkewed(experts, chosen, tokens, skew) /
                                            distinctExperts(experts, chosen, tokens)
                                      : 1.0;
        for (auto& op : graph.operators()) {
            if (op.part != ModelPart::Experts)
                continue;
            op.flops = op.flops * busiest;
            op.activations = op.activations * busiest;
            op.weights *= met;
            op.gemm.rows *= busiest;
            op.gemm.experts *= met;
        }
    }
    bool readsOneNode() const override { return true; }
};

} // namespace

const Technique& unevenExperts() {
    static const UnevenExperts kind;
    return kind;
}

double busiestRankFactor(const Scenario& scenario, const Model& model, double tokens, double ranks) {
    if (!scenario.techniques.isOn(unevenExperts()) || !model.isMixture() || !(ranks > 1.0))
        return 1.0;
    const auto pairs = [&](double variation) {
        return busiestRankPairs(model.experts.value, model.expertsPerToken.value, tokens, ranks, variation);
    };
    return pairs(scenario.techniques[unevenExperts()][kExpertImbalance]) / pairs(0.0);
}

double redundantShare(const Scenario& scenario, const Model& model, const Layout& layout) {
    return scenario.techniques.isOn(unevenExperts()) && model.isMixture() && layout.ep > 1.0
               ? scenario.techniques[unevenExperts()][kRedundantExperts] / model.experts.value
               : 0.0;
}

} // namespace heteroscape::engine
