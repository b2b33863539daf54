// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/device_memory.h"

#include "engine/operators/layer_memory.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

DeviceMemory deviceMemory(const Scenario& scenario, const Node& node, const NodeEvaluation& evaluation) {
    DeviceMemory memory;
    const auto& model = scenario.model;
    const auto layout = layoutOf(node);
    const double element = node.runtime ? node.runtime->weightBits.value / 8.0 : 2.0;
    for (std::size_t i = 0; i < kModelPartCount; ++i) {
        const auto part = static_cast<ModelPart>(i);
        const double bytes = (model.isUniform() ? model.elements(part) : rankElements(model, layout, part)) *
                             (model.weights ? model.weights->of(part).bytes : element);
        auto& kept = part == ModelPart::Attention                              ? memory.attention
                     : part == ModelPart::Experts || part == ModelPart::Shared ? memory.experts
                                                                               : memory.others;
        kept += bytes;
    }
    const double scale = memory.weights() > 0.0 ? evaluation.weightBytes / memory.weights() : 0.0;
    for (auto* part : {&memory.attention, &memory.experts, &memory.others})
        *part *= scale;
    memory.kv = evaluation.kvBytes;
    memory.capacity = evaluation.memoryCapacity;
    memory.requests = std::max(1.0, std::ceil(scenario.workload.batch.valueOr(1.0) / layout.dp));
    if (model.isUniform())
        return memory;
    const bool decodes = evaluation.role != Role::Prefill;
    const auto& workload = scenario.workload;
    const auto more = layerMemory(model, layout, workload.batch.valueOr(1.0),
                                  workload.promptTokens.value + workload.outputTokens.value, element,
                                  node.runtime ? node.runtime->kvBits.value / 8.0 : 2.0, decodes);
    memory.working = more.working + more.buffers;
    memory.reserve = more.reserve;
    return memory;
}

} // namespace heteroscape::engine
