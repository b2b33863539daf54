// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/metric_path.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/rates.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/schedule/kv_transfer.h"
#include "engine/serving/closed_form.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <algorithm>
#include <array>
#include <optional>

namespace heteroscape::engine {

namespace {

struct NodeMetric {
    std::string_view key;
    std::string_view label;
    std::string_view unit;
    double scale;
    double (*value)(const Node&, const NodeEvaluation&);
};

using OfNode = const Node&;
using Known = const NodeEvaluation&;
using namespace units;
constexpr double percent = 0.01;

/// Not set where nothing is drawn or paid.
double ratePer(const PhaseEvaluation& phase, double of) {
    return of > 0.0 ? phase.requests / phase.seconds / of : kUnset;
}

constexpr std::array<NodeMetric, 38> kNodeMetrics{{
    {"prefill_ms", "Prefill", "ms", milli, [](OfNode, Known e) { return e.prefill.seconds; }},
    {"prefill_gflop", "Prefill compute", "GFLOP", giga, [](OfNode, Known e) { return e.prefill.flops; }},
    {"prefill_gib", "Prefill memory access", "GiB", GiB, [](OfNode, Known e) { return e.prefill.bytes; }},
    {"prefill_intensity", "Prefill operational intensity", "FLOP/B", 1,
     [](OfNode, Known e) { return e.prefill.intensity(); }},
    {"prefill_tflops", "Prefill achieved", "TFLOP/s", tera,
     [](OfNode, Known e) { return e.prefill.achievedFlops(); }},
    {"prefill_compute_pct", "Prefill compute utilisation", "%", percent,
     [](OfNode, Known e) { return e.prefill.computeUtilisation(); }},
    {"prefill_memory_pct", "Prefill bandwidth utilisation", "%", percent,
     [](OfNode, Known e) { return e.prefill.memoryUtilisation(); }},
    {"prefill_per_s_per_w", "Prefills per second per watt", "1/s/W", 1,
     [](OfNode, Known e) { return ratePer(e.prefill, e.prefill.watts); }},
    {"prefill_per_s_per_usd", "Prefills per second per dollar", "1/s/$", 1,
     [](OfNode n, Known e) { return ratePer(e.prefill, e.devices * n.device.price.value); }},
    {"decode_ms", "Time per token", "ms", milli, [](OfNode, Known e) { return e.decode.seconds; }},
    {"decode_total_s", "Decode of all output tokens", "s", 1,
     [](OfNode, Known e) { return e.decode.totalSeconds; }},
    {"decode_gflop", "Compute per token", "GFLOP", giga, [](OfNode, Known e) { return e.decode.flops; }},
    {"decode_gib", "Memory access per token", "GiB", GiB, [](OfNode, Known e) { return e.decode.bytes; }},
    {"decode_moved_gib", "Memory access per token with meta-data", "GiB", GiB,
     [](OfNode, Known e) { return e.decode.movedBytes; }},
    {"decode_intensity", "Decode operational intensity", "FLOP/B", 1,
     [](OfNode, Known e) { return e.decode.intensity(); }},
    {"decode_tflops", "Decode achieved", "TFLOP/s", tera,
     [](OfNode, Known e) { return e.decode.achievedFlops(); }},
    {"decode_compute_pct", "Decode compute utilisation", "%", percent,
     [](OfNode, Known e) { return e.decode.computeUtilisation(); }},
    {"decode_memory_pct", "Decode bandwidth utilisation", "%", percent,
     [](OfNode, Known e) { return e.decode.memoryUtilisation(); }},
    {"decode_tok_s_per_w", "Decode energy efficiency", "tok/s/W", 1,
     [](OfNode, Known e) { return ratePer(e.decode, e.decode.watts); }},
    {"decode_tok_s_per_usd", "Decode cost efficiency", "tok/s/$", 1,
     [](OfNode n, Known e) { return ratePer(e.decode, e.devices * n.device.price.value); }},
    {"prefill_busy_pct", "Busy with prefill", "%", percent, [](OfNode, Known e) { return e.prefillBusy; }},
    {"decode_busy_pct", "Busy with decode", "%", percent, [](OfNode, Known e) { return e.decodeBusy; }},
    {"weights_gb", "Weights in memory", "GB", GB, [](OfNode, Known e) { return e.weightBytes; }},
    {"kv_gb", "KV cache in memory", "GB", GB, [](OfNode, Known e) { return e.kvBytes; }},
    {"memory_gb", "Memory used", "GB", GB, [](OfNode, Known e) { return e.neededBytes(); }},
    {"memory_used_pct", "Memory used", "%", percent,
     [](OfNode, Known e) { return e.neededBytes() / e.memoryCapacity; }},
    {"tensor_parallel", "Devices that share the model", "", 1, [](OfNode, Known e) { return e.devices; }},
    {"die_mm2", "Die area", "mm\u00b2", mm2, [](OfNode n, Known) { return dieArea(n.device); }},
    {"cores", "Cores", "", 1, [](OfNode n, Known) { return coreCount(n.device); }},
    {"attention_us", "Attention segment", "\u00b5s", micro,
     [](OfNode, Known e) { return e.layer.attentionSeconds; }},
    {"ffn_us", "FFN segment", "\u00b5s", micro, [](OfNode, Known e) { return e.layer.ffnSeconds; }},
    {"layer_us", "Layer, last token", "\u00b5s", micro, [](OfNode, Known e) { return e.layer.fullSeconds; }},
    {"allreduce_us", "Allreduce", "\u00b5s", micro, [](OfNode, Known e) { return e.layer.allReduceSeconds; }},
    {"attention_read_us", "Attention read", "\u00b5s", micro,
     [](OfNode, Known e) { return e.layer.attentionReadSeconds; }},
    {"ffn_read_us", "FFN read", "\u00b5s", micro, [](OfNode, Known e) { return e.layer.ffnReadSeconds; }},
    {"attention_mb", "Attention weights and KV cache of a layer", "MB", MB,
     [](OfNode, Known e) { return e.layer.attentionFootprint; }},
    {"ffn_mb", "FFN weights of a layer", "MB", MB, [](OfNode, Known e) { return e.layer.ffnFootprint; }},
    {"prefetched_mb", "Prefetched of a layer", "MB", MB, [](OfNode, Known e) { return e.layer.prefetched; }},
}};

/// KV caches of the prompts from a node that only prefills to the first one that only decodes, layer after
/// layer and hop after hop, nothing hidden by the prefill.
double serialTransfer(const Scenario& scenario, std::size_t from) {
    if (effectiveRole(scenario, scenario.nodes[from]) != Role::Prefill)
        return kUnset;
    KvPaths paths;
    paths.reset(scenario);
    paths.searchFrom(from);
    for (std::size_t to = 0; to < scenario.nodes.size(); ++to) {
        const auto& node = scenario.nodes[to];
        if (!node.runtime || effectiveRole(scenario, node) != Role::Decode)
            continue;
        std::vector<Hop> hops;
        for (const auto link : paths.linksTo(to))
            hops.push_back(
                {scenario.links[link].type.bandwidth.value, scenario.links[link].type.latency.value});
        if (hops.empty())
            continue;
        return promptTransfer(scenario, scenario.nodes[from], node).serialSeconds(hops);
    }
    return kUnset;
}

double loadUtilisation(const Scenario& scenario, std::size_t index) {
    const auto& runtime = scenario.nodes[index].runtime;
    if (!runtime || runtime->decode.kind->takesKernelConstants()) // its loads are within what was measured
        return kUnset;
    const CompiledPool pool(scenario, index);
    return pool.phase(Phase::Decode).step().timing().loadUtilisation();
}

struct SystemMetric {
    std::string_view key;
    std::string_view label;
    std::string_view unit;
    double scale;
    double (*value)(const Scenario&, std::size_t node);
};
constexpr std::array<SystemMetric, 2> kSystemMetrics{{
    {"kv_transfer_ms", "KV transfer, nothing hidden", "ms", milli, serialTransfer},
    {"load_utilisation_pct", "Bandwidth utilisation of loads", "%", percent, loadUtilisation},
}};

/// "nodes.fpga.decode.q_proj_ms"; nothing when the path has another form.
std::optional<MetricRef> operatorTime(const Scenario& scenario, const std::string& path) {
    const auto phaseAt = path.find('.', 6) + 1;
    const auto nameAt = path.find('.', phaseAt) + 1;
    if (!path.starts_with("nodes.") || phaseAt == 0 || nameAt == 0 || !path.ends_with("_ms"))
        return {};
    const auto phaseName = path.substr(phaseAt, nameAt - 1 - phaseAt);
    const auto* node = scenario.findNode(NodeId{path.substr(6, phaseAt - 7)});
    if (!node || (phaseName != "prefill" && phaseName != "decode"))
        return {};
    const auto step = breakdown(scenario, node->id, phaseName == "decode" ? Phase::Decode : Phase::Prefill);
    const auto key = path.substr(nameAt, path.size() - 3 - nameAt);
    std::vector<std::string> known;
    for (const auto& row : step.operators) {
        if (row.key == key)
            return MetricRef{path, node->shownName() + ": " + row.label, "ms", milli,
                             toEdge(row.seconds, milli)};
        known.push_back(row.key + "_ms");
    }
    throw Error(ErrorCode::NotFound, path.substr(0, 200), "no such operator", "Allowed: " + joined(known));
}

MetricRef refOf(const MetricSpec& spec, const Evaluation& evaluation) {
    return {std::string(spec.key), std::string(spec.label), std::string(spec.unit), spec.scale,
            toEdge(evaluation.metric(spec.metric), spec.scale)};
}

MetricRef refOf(const Node& node, const NodeMetric& metric, const NodeEvaluation& evaluation) {
    return {nodeMetricPath(node, metric.key), node.shownName() + ": " + std::string(metric.label),
            std::string(metric.unit), metric.scale, toEdge(metric.value(node, evaluation), metric.scale)};
}

MetricRef refOf(const Scenario& scenario, std::size_t index, const SystemMetric& metric) {
    const auto& node = scenario.nodes[index];
    return {nodeMetricPath(node, metric.key), node.shownName() + ": " + std::string(metric.label),
            std::string(metric.unit), metric.scale, toEdge(metric.value(scenario, index), metric.scale)};
}

/// "nodes.fpga.decode_ms", without computing any other metric; nothing when it is none of those.
std::optional<MetricRef> nodeMetric(const Scenario& scenario, const Evaluation& evaluation,
                                    std::string_view path) {
    const auto keyAt = path.find('.', 6) + 1;
    if (!path.starts_with("nodes.") || keyAt == 0)
        return {};
    const auto id = path.substr(6, keyAt - 7), key = path.substr(keyAt);
    for (std::size_t i = 0; i < scenario.nodes.size() && i < evaluation.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        if (node.id.value != id || !isAccelerator(node.device.kind))
            continue;
        for (const auto& metric : kNodeMetrics)
            if (metric.key == key)
                return refOf(node, metric, evaluation.nodes[i]);
        for (const auto& metric : kSystemMetrics)
            if (metric.key == key)
                return refOf(scenario, i, metric);
    }
    return {};
}

} // namespace

std::string nodeMetricPath(const Node& node, std::string_view key) {
    return "nodes." + node.id.value + "." + std::string(key);
}

std::vector<MetricRef> listMetrics(const Scenario& scenario, const Evaluation& evaluation) {
    std::vector<MetricRef> refs;
    for (const auto& spec : metricSpecs())
        refs.push_back(refOf(spec, evaluation));
    for (std::size_t i = 0; i < scenario.nodes.size() && i < evaluation.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        if (!isAccelerator(node.device.kind))
            continue;
        for (const auto& metric : kNodeMetrics)
            refs.push_back(refOf(node, metric, evaluation.nodes[i]));
        for (const auto& metric : kSystemMetrics)
            refs.push_back(refOf(scenario, i, metric));
    }
    return refs;
}

int betterOf(std::string_view path) {
    if (const auto* spec = findMetric(path))
        return spec->better;
    if (isRatePath(path))
        return rateBetter(path);
    if (path.find("_per_") != std::string_view::npos || path.find("_tok_s") != std::string_view::npos)
        return 1;
    const bool time = path.ends_with("_ms") || path.ends_with("_us") || path.ends_with("_s");
    return path.starts_with("nodes.") && time ? -1 : 0;
}

std::string_view metricUnit(std::string_view path) {
    if (const auto* spec = findMetric(path))
        return spec->unit;
    if (!path.starts_with("nodes."))
        return {};
    const auto key = path.substr(path.rfind('.') + 1);
    const auto phase = path.substr(0, path.size() - key.size());
    if (phase.ends_with(".prefill.") || phase.ends_with(".decode."))
        return key.ends_with("_ms") ? "ms" : std::string_view(); // of an operator
    if (std::count(phase.begin(), phase.end(), '.') != 2)
        return {}; // a parameter
    for (const auto& metric : kNodeMetrics)
        if (metric.key == key)
            return metric.unit;
    for (const auto& metric : kSystemMetrics)
        if (metric.key == key)
            return metric.unit;
    return {};
}

MetricRef findMetric(const Scenario& scenario, const Evaluation& evaluation, const std::string& told) {
    const auto path = currentPath(told);
    if (const auto* spec = findMetric(path))
        return refOf(*spec, evaluation);
    if (auto metric = nodeMetric(scenario, evaluation, path))
        return *metric;
    if (auto rate = findRate(scenario, evaluation, path))
        return *rate;
    if (auto time = operatorTime(scenario, path))
        return *time;
    std::vector<std::string> paths;
    for (const auto& ref : listMetrics(scenario, evaluation))
        paths.push_back(ref.path);
    throw Error(ErrorCode::NotFound, path.substr(0, 200), "no such metric", "Allowed: " + joined(paths));
}

} // namespace heteroscape::engine
