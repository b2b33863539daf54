// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/evaluation_document.h"

#include "app/documents/number.h"

#include "engine/evaluation/decisive.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/system_terms.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/units.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

/// The node, tier, what it is for, bytes needed and there, of a design that does not fit.
Json shortfallJson(const Scenario& scenario, const Evaluation& evaluation) {
    const auto& shortfall = *evaluation.nodes[evaluation.shortNode].shortfall;
    return {{"node", scenario.nodes[evaluation.shortNode].id.value},
            {"tier", tierName(shortfall.tier)},
            {"what", shortfall.what},
            {"needed_bytes", shortfall.needed},
            {"available_bytes", shortfall.available}};
}

/// What lies where, the shares of the KV cache, and what the decode of one batch waits for.
Json offloadJson(const OffloadEvaluation& offload) {
    Json tiers = Json::object();
    for (std::size_t i = 0; i < kTierCount; ++i) {
        const auto which = static_cast<Tier>(i);
        const auto& tier = offload.tier(which);
        tiers[std::string(tierName(which))] = {{"weights_gb", tier.weights / units::GB},
                                               {"kv_gb", tier.kv / units::GB},
                                               {"x_gb", tier.x / units::GB},
                                               {"buffers_gb", tier.buffers / units::GB},
                                               {"used_gb", tier.used() / units::GB},
                                               {"capacity_gb", number(tier.capacity / units::GB)}};
    }
    Json decode = Json::object();
    for (std::size_t i = 0; i < kWorkCount; ++i)
        if (offload.decode[i] > 0.0)
            decode[std::string(workName(static_cast<Work>(i)))] = offload.decode[i];
    return {{"near_storage", offload.near},     {"working_copies", offload.activeReplicas},
            {"kv_host_share", offload.kv.host}, {"kv_storage_share", offload.kv.storage},
            {"x_cache_share", offload.kv.x},    {"tiers", std::move(tiers)},
            {"decode_s", std::move(decode)}};
}

void addExpectedError(Json& json, const ExpectedError& error) {
    if (!error)
        return;
    json["expected_error_pct"] = number(error.percent);
    json["evidence"] = evidenceName(error.evidence());
}

/// Of every metric that has one, by its path.
void addExpectedErrors(Json& json, const Scenario& scenario, const Evaluation& evaluation) {
    if (!hasExpectedErrors(scenario))
        return;
    const ExpectedErrors errors(scenario, evaluation);
    for (const auto& ref : listMetrics(scenario, evaluation))
        if (const auto error = errors.of(ref.path); error && ref.value == ref.value) {
            json["expected_error_pct"][ref.path] = number(error.percent);
            if (std::isfinite(error.most))
                json["expected_error_80_pct"][ref.path] = number(error.most);
            if (error.byClass && error.above > 0.0)
                json["band_80"][ref.path] = {number(ref.value * std::exp(-error.below)),
                                             number(ref.value * std::exp(error.above))};
            json["evidence"][ref.path] = evidenceName(error.evidence());
        }
}

/// What stands there already is told to be, not repeated.
Json explanationJson(const Term& term, std::set<const void*>& told) {
    Json json = {{"name", term.name()}, {"value", number(term.shown())}, {"unit", term.unit()}};
    if (!term.source().empty())
        json["source"] = term.source();
    if (!term.remark().empty())
        json["remark"] = term.remark();
    addExpectedError(json, term.expectedError());
    if (term.terms().empty())
        return json;
    json["formula"] = term.formula();
    if (!told.insert(term.identity()).second) {
        json["as_above"] = true;
        return json;
    }
    for (const auto& child : term.terms())
        json["terms"].push_back(explanationJson(child, told));
    return json;
}

Json explanationJson(const Term& term) {
    std::set<const void*> told;
    auto json = explanationJson(term, told);
    addExpectedError(json, expectedError(term));
    return json;
}

Json operatorsJson(const Scenario& scenario) {
    Json list = Json::array();
    for (const auto& step : breakdowns(scenario)) {
        Json operators = Json::array();
        for (const auto& op : step.operators) {
            Json one = {{"operator", op.key},
                        {"segment", segmentName(op.segment)},
                        {"repeat", op.repeat},
                        {"flop", op.flops},
                        {"bytes", op.bytes},
                        {"seconds", op.seconds},
                        {"bound", boundName(op.bound)},
                        {"prefetched", op.prefetched},
                        {"l2_hit", op.prefetched}};
            if (op.collectiveBytes > 0.0)
                one["allreduce_bytes"] = op.collectiveBytes;
            if (op.prefetched) {
                one["prefetch_bytes"] = op.prefetchBytes;
                one["l2_bytes"] = op.l2Bytes;
                one["l2_left_bytes"] = op.l2Left;
            }
            operators.push_back(std::move(one));
        }
        list.push_back({{"node", step.node.value},
                        {"phase", phaseName(step.phase)},
                        {"seconds", step.seconds},
                        {"operators", std::move(operators)}});
    }
    return list;
}

} // namespace

std::vector<StepBreakdown> breakdowns(const Scenario& scenario) {
    std::vector<StepBreakdown> steps;
    for (auto& roofline : rooflines(scenario))
        steps.push_back(std::move(roofline.detail));
    return steps;
}

std::string noteOf(const Scenario& scenario, const MetricRef& ref) {
    const auto* spec = findMetric(ref.path);
    return spec && ref.value == ref.value ? metricNote(scenario, spec->metric) : std::string();
}

Json evaluationJson(const Scenario& scenario, const Evaluation& evaluation, bool operators,
                    const std::vector<std::string>& explained) {
    Json json = {{"design", scenario.name},
                 {"feasible", evaluation.feasible},
                 {"bound", boundKey(scenario, evaluation)},
                 {"bound_label", boundLabel(scenario, evaluation)}};
    if (const auto truth = truthOf(scenario); !truthRemark(truth).empty())
        json["truth"] = truthName(truth);
    if (!evaluation.reason.empty()) // of a full batch, where fewer requests at a time are served
        json["reason"] = evaluation.reason;
    if (const auto letIn = letInText(scenario, evaluation); !letIn.empty()) {
        json["at_once"] = evaluation.atOnce;
        json["note"] = letIn;
    }
    if (evaluation.shortNode < scenario.nodes.size())
        json["shortfall"] = shortfallJson(scenario, evaluation);
    for (const auto& ref : listMetrics(scenario, evaluation)) {
        if (!ref.path.starts_with("nodes.")) {
            json[ref.path] = number(ref.value);
            if (const auto note = noteOf(scenario, ref); !note.empty())
                json["notes"][ref.path] = note;
            continue;
        }
        const auto dot = ref.path.rfind('.');
        json["nodes"][ref.path.substr(6, dot - 6)][ref.path.substr(dot + 1)] = number(ref.value);
    }
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        auto& one = json["nodes"][node.id.value];
        one["device"] = node.device.id;
        one["count"] = double{node.count.value};
        one["role"] = roleName(evaluation.nodes[i].role);
        one["fits"] = evaluation.nodes[i].fits;
        one["bottleneck"] = evaluation.nodes[i].bottleneck;
        if (evaluation.nodes[i].offload.active)
            one["offload"] = offloadJson(evaluation.nodes[i].offload);
    }
    for (std::size_t i = 0; i < scenario.links.size(); ++i)
        json["links"][scenario.links[i].id.value] = {
            {"traffic_gbps", number(evaluation.links[i].bytesPerSecond / 1e9)},
            {"utilisation", number(evaluation.links[i].utilisation())}};
    for (const auto& gain : techniqueGains(scenario))
        json["gains"][gain.id] = gain.comparable ? Json{{"throughput", number(gain.throughput)},
                                                        {"latency", number(gain.latency)},
                                                        {"time_per_token", number(gain.timePerToken)}}
                                                 : Json{{"reason", gain.reason}};
    addExpectedErrors(json, scenario, evaluation);
    if (operators)
        json["operators"] = operatorsJson(scenario);
    for (const auto& metric : explained)
        json["explain"][metric] = explanationJson(explain(scenario, metric));
    return json;
}

} // namespace heteroscape::cli
