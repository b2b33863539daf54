// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/scenario/diagnostics.h"
#include "engine/scenario/technique_targets.h"
#include "engine/techniques/built_in.h"
#include "engine/techniques/graph_pass.h"
#include "engine/units/number_text.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<KindParameter, 1> kParameters{{
    {{"ratio", "Prefetch ratio M", "", 1, 1, 1024, true, true,
      "Compute instructions served by one load instruction."},
     4.0},
}};

class LoadMerging final : public Technique, public GraphPass {
public:
    LoadMerging()
        : Technique("load_merging", "Load merging",
                    "One load instruction fetches the operands of M compute instructions (GLITCHES, section "
                    "IV).") {}

    std::span<const KindParameter> parameters() const override { return kParameters; }

    std::string refusalAt(const TechniqueTargets&, const Node& node) const override {
        if (auto refusal = refusalWithoutRuntime(node); !refusal.empty())
            return refusal;
        return node.runtime->mergesLoads ? std::string()
                                         : node.runtime->name + " on " + node.shownName() +
                                               " cannot merge loads: choose a runtime of an FPGA that can";
    }
    using Technique::refusalAt;
    bool concerns(const Runtime& runtime) const override { return runtime.mergesLoads; }
    bool changesStepOf(const Scenario&, const Node& node) const override {
        return node.runtime && node.runtime->mergesLoads;
    }
    void check(const Scenario& scenario, TierMap&, std::vector<Diagnostic>& found) const override {
        if (!suits(scenario))
            found.push_back({Severity::Note, "techniques.load_merging.enabled",
                             "Load merging changes nothing: no runtime here can merge loads",
                             "Use it with an FPGA runtime that merges loads"});
    }
    std::string mark(const TechniqueSettings& settings) const override {
        return "Merge M=" + plainText(settings[kMergeRatio]);
    }
    TechniqueAxis studyAxis(const Scenario& scenario, const Node&) const override {
        return scenario.techniques.isOn(*this) ? TechniqueAxis{"ratio", "1,2,3,4,6,8,16,32"}
                                               : TechniqueAxis{};
    }

    const GraphPass* pass() const override { return this; }
    std::string_view name() const override { return id(); }
    bool actsOn(const PassContext& context) const override {
        return context.phase == Phase::Decode && context.node.runtime->mergesLoads;
    }
    void apply(OperatorGraph& graph, const PassContext& context) const override {
        mergeLoads(graph, context.scenario.techniques[*this][kMergeRatio]);
    }
    bool maySet(OperatorMark mark) const override { return mark == OperatorMark::LoadsPerFetch; }
    bool readsOneNode() const override { return true; }
    bool readsLengths() const override { return false; }
};

} // namespace

const Technique& loadMerging() {
    static const LoadMerging kind;
    return kind;
}

bool mergesLoads(const Scenario& scenario, const Node& node) {
    return scenario.techniques.isOn(loadMerging()) && loadMerging().changesStepOf(scenario, node);
}

void mergeLoads(OperatorGraph& graph, double ratio) {
    for (auto& op : graph.operators())
        if (op.kind == OperatorKind::Linear)
            op.loadsPerFetch = ratio;
}

} // namespace heteroscape::engine
