// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/layout_ranking.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/operators/layer_memory.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/schedule/compiled_pool.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

DeviceMemory deviceMemory(const Scenario& scenario, const Node& node, const NodeEvaluation& evaluation) {
    DeviceMemory memory;
    const auto& model = scenario.model;
    const auto layout = layoutOf(node);
    const auto* weights = servedWeights(model, node);
    const double element = node.runtime ? node.runtime->weightBits.value / 8.0 : 2.0;
    for (std::size_t i = 0; i < kModelPartCount; ++i) {
        const auto part = static_cast<ModelPart>(i);
        const double bytes = (model.isUniform() ? model.elements(part) : rankElements(model, layout, part)) *
                             (weights ? weights->of(part).bytes : element);
        auto& kept = part == ModelPart::Attention                              ? memory.attention
                     : part == ModelPart::Experts || part == ModelPart::Shared ? memory.experts
                                                                               : memory.others;
        kept += bytes;
    }
    const auto index = static_cast<std::size_t>(&node - scenario.nodes.data());
    const double draft = scenario.draft ? CompiledPool(scenario, index).draftModelBytes() : 0.0;
    const double scale = memory.weights() > 0.0 ? (evaluation.weightBytes - draft) / memory.weights() : 0.0;
    for (auto* part : {&memory.attention, &memory.experts, &memory.others})
        *part *= scale;
    memory.draft = draft;
    memory.kv = evaluation.kvBytes;
    memory.capacity = evaluation.memoryCapacity;
    memory.requests = std::max(1.0, std::ceil(scenario.workload.batch.valueOr(1.0) / layout.dp));
    memory.mustFit = node.reserve.isSet();
    if (model.isUniform() && !memory.mustFit)
        return memory;
    memory.working = workingBytes(model) + dispatchBytes(model, layout, evaluation.role != Role::Prefill);
    memory.reserve = node.reserve.valueOr(kUsualReserve);
    return memory;
}

namespace {

bool ranksBefore(const RankedLayout& a, const RankedLayout& b, int better) {
    if (std::isfinite(a.value) != std::isfinite(b.value))
        return std::isfinite(a.value);
    return better < 0 ? a.value < b.value : a.value > b.value;
}

/// Those to try, of few replicas first.
std::vector<Layout> layoutsToRank(const Model& model, const Node& node) {
    if (node.replicas.isSet() || splitsLayers(node))
        return layoutsOf(model, node);
    std::vector<Layout> layouts;
    auto shared = node;
    for (double replicas = 1.0; replicas <= node.count.valueOr(0.0); ++replicas) {
        if (std::fmod(node.count.value, replicas) != 0.0)
            continue;
        shared.replicas = {replicas, Provenance::Assumed, {}};
        const auto some = layoutsOf(model, shared);
        layouts.insert(layouts.end(), some.begin(), some.end());
    }
    return layouts;
}

RankedLayout evaluated(const Scenario& scenario, std::size_t node, Metric metric) {
    RankedLayout ranked;
    ranked.laid = copiedLayoutOf(scenario.nodes[node]);
    ranked.value = ranked.throughput = ranked.timePerToken = kUnset;
    if (hasErrors(validate(scenario)))
        return ranked;
    Evaluation evaluation;
    evaluateInto(scenario, evaluation, Detail::Metrics);
    const auto& result = evaluation.nodes[node];
    ranked.bytes = result.neededBytes();
    ranked.fits = evaluation.feasible;
    if (!ranked.fits)
        return ranked;
    ranked.value = evaluation.metric(metric);
    ranked.throughput = evaluation.metric(Metric::Throughput);
    ranked.timePerToken = evaluation.metric(Metric::TimePerToken);
    return ranked;
}

} // namespace

const RankedLayout* LayoutRanking::better(double share) const {
    if (best.empty() || best.front().laid == now.laid || !std::isfinite(best.front().value))
        return nullptr;
    if (!now.fits || !std::isfinite(now.value))
        return &best.front();
    const double gain = (best.front().value - now.value) / std::fabs(now.value);
    return (metricSpec(metric).better < 0 ? -gain : gain) > share ? &best.front() : nullptr;
}

LayoutRanking rankLayouts(const Scenario& scenario, const NodeId& node, Metric metric, std::size_t most,
                          const std::stop_token& stop) {
    LayoutRanking ranking;
    ranking.metric = metric;
    const auto* laid = scenario.findNode(node);
    if (!laid)
        return ranking;
    const auto index = static_cast<std::size_t>(laid - scenario.nodes.data());
    const int better = metricSpec(metric).better;
    ranking.now = evaluated(scenario, index, metric);
    auto other = scenario;
    for (const auto& layout : layoutsToRank(scenario.model, *laid)) {
        if (!saysOnlyOfSide(layout, ranking.now.laid.layout.side))
            continue;
        if (stop.stop_requested()) {
            ranking.complete = false;
            break;
        }
        ++ranking.valid;
        other.nodes[index] = *laid;
        try {
            applyEdit(other, layoutEdit(*laid, layout));
        } catch (const Error&) {
            continue;
        }
        auto ranked = evaluated(other, index, metric);
        if (!ranked.fits)
            continue;
        ++ranking.fit;
        const auto place = std::upper_bound(
            ranking.best.begin(), ranking.best.end(), ranked,
            [better](const RankedLayout& a, const RankedLayout& b) { return ranksBefore(a, b, better); });
        if (place == ranking.best.end() && ranking.best.size() >= most)
            continue;
        ranking.best.insert(place, std::move(ranked));
        if (ranking.best.size() > most)
            ranking.best.pop_back();
    }
    return ranking;
}

} // namespace heteroscape::engine
