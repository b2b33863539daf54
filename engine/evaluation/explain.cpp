// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/explain.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/simulate.h"
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
    LayerTerms layer() const {
        return explainLayer(phase(Phase::Decode), scenario.workload, terms.known(index).decode.stretch);
    }
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
    draft->one().at(representativeContext(at.scenario.workload, phase),
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
    const double context = representativeContext(at.scenario.workload, phase);
    return ofStep(at, phase, measures::flops, [context](const CompiledPhase& compiled) {
        return Term::counted("Compute of all operators", compiled.graph().sums().flops.at(context),
                             measures::flops, "operator table");
    });
}

Term bytesOf(const NodePlace& at, Phase phase) {
    const double context = representativeContext(at.scenario.workload, phase);
    return ofStep(at, phase, measures::megabytes, [context](const CompiledPhase& compiled) {
        return compiled.machine().explainBytes(compiled.graph(), context);
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
            const auto term = there ? metric.explain({terms.scenario(), node, i, terms}) : Term();
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

namespace {

Term withoutValue(Metric which, const std::string& why) {
    const auto& spec = metricSpec(which);
    return Term::counted(std::string(spec.label), kUnset, {spec.unit, spec.scale}, why);
}

Term explainServing(const Scenario& scenario, const Evaluation& evaluation, Metric which,
                    const std::stop_token& stop) {
    if (!scenario.serving.isSimulated())
        return withoutValue(which, "Arrivals are " + std::string(scenario.serving.arrivals->id()) +
                                       ": nothing is simulated. Set arrivals to " + simulatedArrivalsText());
    SimulationOptions options;
    options.stop = stop;
    const auto serving = simulate(scenario, evaluation, options);
    return serving.ran() ? asMetric(explainServingMetric(scenario, serving, which), which)
                         : withoutValue(which, serving.reason);
}

Term explainMetric(const Scenario& scenario, Metric which, const std::stop_token& stop) {
    const auto evaluation = evaluate(scenario);
    const bool valid = !hasErrors(validate(scenario));
    if (isSimulated(which))
        return valid ? explainServing(scenario, evaluation, which, stop)
                     : withoutValue(which, evaluation.reason);
    const bool unset = std::isnan(evaluation.metric(which));
    if (which == Metric::Price || which == Metric::Area) {
        const auto term = which == Metric::Price ? explainPrice(scenario) : explainArea(scenario);
        if (valid && term.value() != 0.0)
            return asMetric(term, which);
        return withoutValue(which, valid ? "no part of the design has one" : evaluation.reason);
    }
    if (!evaluation.feasible)
        return withoutValue(which, evaluation.reason);
    const SystemTerms terms(scenario, evaluation);
    const auto& term = terms.metric(which);
    if (!term && unset)
        return withoutValue(which, isOfOffloading(which) ? "nothing is offloaded in this design"
                                                         : "a quantity that it needs is not set");
    return term ? term : asMetric(term, which);
}

} // namespace

Term explain(const Scenario& scenario, const std::string& metricKey, const std::stop_token& stop) {
    if (const auto* spec = findMetric(metricKey)) {
        const auto note = metricNote(scenario, spec->metric);
        const auto term = explainMetric(scenario, spec->metric, stop);
        if (note.empty() || term.value() != term.value())
            return term;
        return term.remarked(term.remark().empty() ? note : term.remark() + "; " + note);
    }
    if (auto term = explainNodeMetric(scenario, metricKey))
        return *term;
    std::vector<std::string> keys;
    for (const auto& spec : metricSpecs())
        keys.emplace_back(spec.key);
    for (auto& path : explainedNodeMetrics(scenario))
        keys.push_back(std::move(path));
    throw Error(ErrorCode::NotFound, metricKey.substr(0, 200), "no such metric", "Allowed: " + joined(keys));
}

} // namespace heteroscape::engine
