// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/device_memory.h"

#include "engine/operators/layer_memory.h"
#include "engine/schedule/compiled_pool.h"

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

} // namespace heteroscape::engine
