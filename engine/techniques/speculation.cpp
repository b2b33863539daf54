// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/speculation.h"

#include "engine/scenario/diagnostics.h"
#include "engine/scenario/split_pool.h"
#include "engine/scenario/tiers.h"
#include "engine/techniques/built_in.h"
#include "engine/techniques/graph_pass.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace heteroscape::engine {

namespace {

const std::array<KindParameter, 3> kParameters{{
    {{"guesses", "Guesses", "tokens", 1, 1, 16, true, true,
      "Tokens that are guessed ahead and verified in one step."},
     1.0},
    {{"acceptance", "Acceptance", "", 1, 0, 1, false, true,
      "Share of guesses that verification accepts, given that those before were. DeepSeek-V3 reports 0.85 to "
      "0.9 for the first."},
     0.8},
    {{"draft_layers", "Layers of a guess", "", 1, 0, 1000, false, true,
      "Layers of the model, beside its head, that one guess takes: 1 for an MTP or EAGLE layer. A draft "
      "model "
      "takes steps of its own instead."},
     1.0},
}};

bool speculatesOn(const Node& node) {
    return isAccelerator(node.device.kind) && node.runtime && !node.runtime->measuredFor && !offloads(node) &&
           node.runtime->decode.kind->timesLayersThatDiffer();
}

/// A step verifies 1 + g tokens of each request: its shape says so. This pass adds the guesses: each takes a
/// mean layer of the step and its head. Source: moe_parallel, section 8.
class Speculation final : public Technique, public GraphPass {
public:
    Speculation()
        : Technique("speculation", "Speculation",
                    "Tokens are guessed by a small layer (MTP, EAGLE) or a draft model and verified in one "
                    "step: more tokens a step, larger steps. A token takes (guesses + verification) / ((1 - "
                    "a^(g + 1)) / (1 - a)) (Leviathan et al., arXiv:2211.17192).") {}

    std::span<const KindParameter> parameters() const override { return kParameters; }

    std::string refusalAt(const TechniqueTargets&, const Node& node) const override {
        if (auto refusal = refusalWithoutRuntime(node); !refusal.empty())
            return refusal;
        return speculatesOn(node)
                   ? std::string()
                   : node.runtime->name + " on " + node.shownName() +
                         " offloads or has measured steps of one token: choose a runtime whose "
                         "steps are computed on the device";
    }
    using Technique::refusalAt;
    bool concerns(const Runtime& runtime) const override {
        return !runtime.measuredFor && runtime.decode.kind->timesLayersThatDiffer();
    }
    bool changesStepOf(const Scenario&, const Node& node) const override { return speculatesOn(node); }
    void check(const Scenario& scenario, TierMap&, std::vector<Diagnostic>& found) const override {
        bool any = false;
        for (const auto& node : scenario.nodes) {
            any = any || speculatesOn(node);
            if (hasDraft(scenario, node))
                checkDraft(scenario, node, found);
        }
        if (any)
            return;
        found.push_back({Severity::Note, "techniques.speculation.enabled",
                         "Speculation changes nothing: no runtime here times steps of several tokens",
                         "Use it with a runtime that neither offloads nor has measured steps"});
    }
    std::string mark(const TechniqueSettings& settings) const override {
        return "Guess " + plainText(settings[kGuesses]);
    }
    TechniqueAxis studyAxis(const Scenario& scenario, const Node&) const override {
        return scenario.techniques.isOn(*this) ? TechniqueAxis{"guesses", "1,2,3,4,6,8"} : TechniqueAxis{};
    }

    std::string_view choice() const override { return "draft_model"; }

    const GraphPass* pass() const override { return this; }
    std::string_view name() const override { return id(); }
    bool actsOn(const PassContext& context) const override {
        return context.phase == Phase::Decode && speculatesOn(context.node) && !context.scenario.draft &&
               !isLaterStage(context.scenario, context.node); // the first node guesses
    }
    void apply(OperatorGraph& graph, const PassContext& context) const override {
        const auto& settings = context.scenario.techniques[*this];
        const double guesses = settings[kGuesses];
        const double layers = layersOf(graph);
        const double more = layers > 0.0 ? 1.0 + guesses * settings[kDraftLayers] / layers : 1.0;
        for (auto& op : graph.operators())
            if (op.segment != Segment::Head)
                op.repeat *= more;
            else if (op.kind != OperatorKind::Embedding && op.kind != OperatorKind::Send)
                op.repeat *= 1.0 + guesses;
    }
    bool maySet(OperatorMark mark) const override { return mark == OperatorMark::Repeated; }

private:
    /// What keeps a node from serving the draft.
    static void checkDraft(const Scenario& scenario, const Node& node, std::vector<Diagnostic>& found) {
        const auto at = "nodes." + node.id.value;
        for (const auto& finding : validate(draftDesign(scenario, node)))
            if (finding.severity == Severity::Error &&
                (finding.subject == node.id.value || finding.subject.starts_with(at + ".") ||
                 finding.subject.starts_with("model"))) {
                found.push_back({Severity::Error, "draft_model",
                                 "The draft model " + scenario.draft->name + ": " + finding.message,
                                 "Choose another draft model, or none"});
                return;
            }
    }

    /// Layers of the graph: those of its blocks of attention, of a graph without any those of its networks.
    static double layersOf(const OperatorGraph& graph) {
        const auto operators = graph.operators();
        double attention = 0.0;
        double networks = 0.0;
        for (std::size_t i = 0; i < operators.size(); ++i) {
            const auto& op = operators[i];
            if (op.segment == Segment::Head || (i > 0 && !opensBlock(operators[i - 1], op)))
                continue;
            (op.segment == Segment::Attention ? attention : networks) += op.repeat;
        }
        return attention > 0.0 ? attention : networks;
    }
};

} // namespace

const Technique& speculation() {
    static const Speculation kind;
    return kind;
}

bool speculates(const Scenario& scenario, const Node& node) {
    return scenario.techniques.isOn(speculation()) && speculatesOn(node);
}

bool hasDraft(const Scenario& scenario, const Node& node) {
    return scenario.draft && speculates(scenario, node) && node.role != Role::Ffn &&
           !isLaterStage(scenario, node);
}

Scenario draftDesign(const Scenario& scenario, const Node& node) {
    auto design = scenario;
    design.model = *scenario.draft;
    design.draft.reset();
    design.techniques = {};
    design.serving = {};
    auto& at = *design.findNode(node.id);
    const double devices = tensorParallel(node);
    at.replicas = {node.count.value / devices, Provenance::User, {}};
    at.role = Role::Both;
    if (at.server) // a guess is a part of its step
        at.server = withoutHost(*at.server);
    at.pp = at.dp = at.cp = at.ep = at.microbatches = at.reserve = {};
    const auto heads = std::lround(std::max(1.0, design.model.queryHeads()));
    const auto ranks = static_cast<double>(std::gcd(std::lround(layoutOf(node).tp), heads));
    if (design.model.hasLayers() && devices > ranks)
        at.dp = {devices / ranks, Provenance::User, {}};
    return design;
}

Speculated speculationOf(const Scenario& scenario) {
    const auto& settings = scenario.techniques[speculation()];
    return {settings[kGuesses], speculatedTokens(settings[kGuesses], settings[kAcceptance])};
}

Term explainSpeculatedTokens(const Scenario& scenario) {
    const auto& settings = scenario.techniques[speculation()];
    return Term::counted("Expected tokens of a step", speculationOf(scenario).tokensAStep, measures::tokens,
                         "(1 - a^(g + 1)) / (1 - a) of g = " + plainText(settings[kGuesses]) +
                             " guesses, each accepted with a = " + plainText(settings[kAcceptance]));
}

} // namespace heteroscape::engine
