// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/node_terms.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/layer.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/system_terms.h"
#include "engine/schedule/draft_steps.h"
#include "engine/units/number_text.h"

#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

struct NodePlace {
    const Scenario& scenario;
    const Node& node;
    std::size_t index;
    const SystemTerms& terms;

    CompiledPhase phase(Phase phase) const { return terms.pool(index)->phase(phase); }
    LayerTerms layer() const { return explainLayer(phase(Phase::Decode), scenario.workload); }
};

/// What CompiledPhase::deviceShare() makes of it.
Term ofDevice(const Term& ofGraph, const CompiledPhase& phase, Measure measure) {
    const auto& shape = phase.graph().shape();
    const auto counted = [](const char* name, double value) {
        return Term::counted(name, value, measures::count, "layout of the node");
    };
    auto term = ofGraph;
    if (shape.layout.microbatches != 1.0)
        term =
            (term * counted("Microbatches", shape.layout.microbatches)).named("Of all microbatches", measure);
    if (shape.layout.pp != 1.0)
        term = (term / counted("Stages", shape.layout.pp)).named("Of one stage", measure);
    return shape.tokensAStep == 1.0 ? term
                                    : term / Term::counted("Tokens of a step", shape.tokensAStep,
                                                           measures::tokens, "guesses and their acceptance");
}

/// `one(phase)` of the step's graph, and of a draft model's guesses.
template <class One>
Term ofStep(const NodePlace& at, Phase phase, Measure measure, One one) {
    const auto compiled = at.phase(phase);
    const auto own = ofDevice(one(compiled), compiled, measure);
    const auto* draft = compiled.step().draft();
    if (!draft)
        return own;
    Term guess;
    draft->one().at(representativeKeys(at.scenario.workload, phase),
                    [&](const CompiledPhase& other) { guess = ofDevice(one(other), other, measure); });
    const auto guesses =
        (Term::counted("Guesses", draft->guesses(), measures::count, "techniques.speculation.guesses") *
         guess)
            .named("Guesses of a step", measure) /
        Term::counted("Tokens of a step", compiled.graph().shape().tokensAStep, measures::tokens,
                      "guesses and their acceptance");
    return own + guesses.named("Guesses of the draft model", measure);
}

Term flopsOf(const NodePlace& at, Phase phase) {
    const double keys = representativeKeys(at.scenario.workload, phase);
    return ofStep(at, phase, measures::flops, [keys](const CompiledPhase& compiled) {
        return Term::counted("Compute of all operators", compiled.graph().sums().flops.at(keys),
                             measures::flops, "operator table");
    });
}

Term bytesOf(const NodePlace& at, Phase phase) {
    const double keys = representativeKeys(at.scenario.workload, phase);
    return ofStep(at, phase, measures::megabytes, [keys](const CompiledPhase& compiled) {
        return compiled.machine().explainBytes(compiled.graph(), keys);
    });
}

struct ExplainedMetric {
    std::string_view key; ///< as in metric_path.cpp, which knows label and unit
    Term (*explain)(const NodePlace&);
    bool ofDevice = false; ///< whether it runs anything or not
};

using Here = const NodePlace&;
constexpr std::array<ExplainedMetric, 17> kExplained{{
    {"prefill_ms", [](Here at) { return at.terms.times(at.index).prefillSeconds; }},
    {"prefill_gflop", [](Here at) { return flopsOf(at, Phase::Prefill); }},
    {"prefill_gib", [](Here at) { return bytesOf(at, Phase::Prefill); }},
    {"decode_ms",
     [](Here at) {
         return at.terms.times(at.index).decodeSeconds /
                Numbers<Term>::quantity(workloadFields, at.scenario.workload, &Workload::outputTokens);
     }},
    {"decode_total_s", [](Here at) { return at.terms.times(at.index).decodeSeconds; }},
    {"decode_gflop", [](Here at) { return flopsOf(at, Phase::Decode); }},
    {"decode_gib", [](Here at) { return bytesOf(at, Phase::Decode); }},
    {"prefill_busy_pct", [](Here at) { return at.terms.busy(at.index).prefill; }},
    {"decode_busy_pct", [](Here at) { return at.terms.busy(at.index).decode; }},
    {"die_mm2", [](Here at) { return explainDieArea(at.node.device); }, true},
    {"cores", [](Here at) { return explainCores(at.node.device); }, true},
    {"layer_us", [](Here at) { return at.layer().fullSeconds; }},
    {"allreduce_us", [](Here at) { return at.layer().allReduceSeconds; }},
    {"attention_read_us", [](Here at) { return at.layer().attentionReadSeconds; }},
    {"ffn_read_us", [](Here at) { return at.layer().ffnReadSeconds; }},
    {"attention_mb", [](Here at) { return at.layer().attentionFootprint; }},
    {"ffn_mb", [](Here at) { return at.layer().ffnFootprint; }},
}};

} // namespace

std::optional<Term> explainNodeMetric(const Scenario& scenario, const std::string& path) {
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        if (!isAccelerator(node.device.kind))
            continue;
        for (const auto& metric : kExplained) {
            if (nodeMetricPath(node, metric.key) != path)
                continue;
            const auto evaluation = evaluate(scenario);
            const auto known = findMetric(scenario, evaluation, path);
            if (!evaluation.feasible)
                return Term::counted(known.label, kUnset, measures::count, evaluation.reason);
            const SystemTerms terms(scenario, evaluation);
            const bool there = terms.pool(i) || metric.ofDevice;
            const auto term = there ? metric.explain({scenario, node, i, terms}) : Term();
            const Measure measure{known.unit, known.scale};
            if (term)
                return term.named(known.label, measure);
            return Term::counted(known.label, std::isnan(known.value) ? kUnset : 0.0, measure,
                                 "none in this design");
        }
    }
    return std::nullopt;
}

std::vector<std::string> explainedNodeMetrics(const Scenario& scenario) {
    std::vector<std::string> paths;
    for (const auto& node : scenario.nodes)
        if (isAccelerator(node.device.kind))
            for (const auto& metric : kExplained)
                paths.push_back(nodeMetricPath(node, metric.key));
    return paths;
}

} // namespace heteroscape::engine
