// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/simulation_document.h"

#include "app/documents/number.h"

#include "engine/base/error.h"
#include "engine/evaluation/system_terms.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

constexpr std::string_view kBatching = "serving.batching=";

/// The arrivals that --rate stands for.
const ArrivalKind& kindWithRate() {
    for (const auto* kind : arrivalKinds().all())
        if (!kind->rateKey().empty())
            return *kind;
    throwInvalid("--rate", "no kind of arrivals has a rate", "Leave it out");
}

Json spreadJson(const Distribution& of) {
    return {{"mean", number(of.mean())},
            {"p50", number(of.quantile(0.5))},
            {"p90", number(of.quantile(0.9))},
            {"p99", number(of.quantile(0.99))},
            {"max", number(of.largest())}};
}

/// Throws where a setting of requests or batching would be kept and not read.
void requireRead(const Serving& serving, const std::vector<std::string>& settings) {
    constexpr std::string_view kPrefix = "serving.";
    for (const auto& setting : settings) {
        const auto path = setting.substr(0, setting.find('='));
        if (path == "serving.trace" && !setting.ends_with("=none") && !serving.arrivals->readsTrace())
            throwInvalid(path, std::string(serving.arrivals->noun()) + " (serving.arrivals) reads no trace",
                         "Leave out the trace, or what sets other arrivals");
        if (!path.starts_with(kPrefix))
            continue;
        const auto key = std::string_view(path).substr(kPrefix.size());
        const auto knows = [&](const auto* kind) { return kind->indexOf(key) >= 0; };
        const auto& arrivals = arrivalKinds().all();
        const auto& batchings = batchingKinds().all();
        if (serving.uses(key) || (std::none_of(arrivals.begin(), arrivals.end(), knows) &&
                                  std::none_of(batchings.begin(), batchings.end(), knows)))
            continue;
        std::string read;
        for (const auto* kind : {static_cast<const ServingKind*>(serving.arrivals),
                                 static_cast<const ServingKind*>(serving.batching)})
            for (const auto& parameter : kind->parameters())
                read.append(read.empty() ? "" : ", ").append(parameter.spec.key);
        throwInvalid(path,
                     "neither " + std::string(serving.arrivals->noun()) + " nor " +
                         std::string(serving.batching->noun()) + " reads it",
                     "What they read: " + read);
    }
}

} // namespace

std::vector<std::string> simulatedSettings(const SimulatedLoad& load, std::vector<std::string> settings) {
    if (!load.trace.empty()) // first: how many requests it has may be set
        settings.insert(settings.begin(), "serving.trace=" + load.trace);
    std::string chosen; // whatever arrivals bring
    for (const auto& setting : settings)
        if (setting.starts_with(kBatching))
            chosen = setting;
    const auto add = [&](std::string_view path, const std::string& value) {
        if (!value.empty())
            settings.push_back("serving." + std::string(path) + "=" + value);
    };
    if (!load.rate.empty())
        add("arrivals", std::string(kindWithRate().id()));
    add(kindWithRate().rateKey(), load.rate);
    add("requests", load.requests);
    add("seed", load.seed);
    add("arrivals", load.arrivals);
    if (!chosen.empty())
        settings.push_back(std::move(chosen));
    return settings;
}

void letSimulate(Scenario& scenario, const std::vector<std::string>& settings) {
    if (!scenario.serving.isSimulated()) {
        const auto& first = *simulatedArrivals().front();
        if (settings.empty() || !settings.back().starts_with(kBatching))
            scenario.serving.batching = &batchingUnder(scenario, first);
        scenario.serving.arrivals = &first;
    }
    requireRead(scenario.serving, settings);
}

Json servingJson(const Scenario& scenario, const Evaluation& evaluation, const ServingEvaluation& serving) {
    const auto& result = serving.result;
    Json json = {{"design", scenario.name},
                 {"arrivals", scenario.serving.arrivals->id()},
                 {"batching", scenario.serving.batching->id()},
                 {"seed", double{scenario.serving["seed"].value}},
                 {"stage", serving.stage},
                 {"arrived", result.arrived},
                 {"done", result.done},
                 {"running", result.running},
                 {"queued", result.queued},
                 {"refused", result.refused},
                 {"seconds", number(result.seconds())},
                 {"end_s", number(result.end)},
                 {"output_tokens", result.outputTokens},
                 {"wait_s", spreadJson(result.wait)},
                 {"ttft_s", spreadJson(result.ttft)},
                 {"tpot_s", spreadJson(result.tpot)},
                 {"e2e_s", spreadJson(result.latency)},
                 {"good", result.good},
                 {"in_system_mean", number(result.systemSeconds / result.end)},
                 {"little_error", result.littleError()},
                 {"closed_form_tok_s", number(evaluation.metric(Metric::Throughput))}};
    for (const auto& spec : metricSpecs()) {
        if (!isSimulated(spec.metric))
            continue;
        const double value = evaluation.metric(spec.metric);
        json["metrics"][std::string(spec.key)] = number(toEdge(value, spec.scale));
        if (const auto note = metricNote(scenario, spec.metric); !note.empty() && !std::isnan(value))
            json["notes"][std::string(spec.key)] = note;
    }
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = serving.nodes[i];
        Json one = {{"prefill_busy", node.prefillBusy},
                    {"decode_busy", node.decodeBusy},
                    {"utilisation", node.busy()}};
        if (node.replicas > 0) {
            one["hand_over_busy"] = node.transferBusy;
            one["servers"] = node.replicas;
            one["kv_tokens"] = number(node.kvTokens);
        }
        json["nodes"][scenario.nodes[i].id.value] = std::move(one);
    }
    for (std::size_t i = 0; i < scenario.links.size(); ++i)
        json["links"][scenario.links[i].id.value] = {
            {"traffic_gbps", number(serving.links[i].bytesPerSecond / 1e9)},
            {"utilisation", number(serving.links[i].utilisation())}};
    const auto& depth = result.depth;
    json["queue_depth"]["span_s"] = depth.spanSeconds();
    for (std::size_t i = 0; i < depth.size(); ++i) {
        const auto mean = depth.mean(i);
        json["queue_depth"]["waiting"].push_back(mean.waiting);
        json["queue_depth"]["staged"].push_back(mean.staged);
        json["queue_depth"]["running"].push_back(mean.running);
    }
    if (const auto truth = truthOf(scenario); !truthRemark(truth).empty())
        json["truth"] = truthName(truth);
    return json;
}

} // namespace heteroscape::cli
