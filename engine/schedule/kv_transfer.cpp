// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/kv_transfer.h"

#include <algorithm>

namespace heteroscape::engine {

double kvTokenBytes(const Scenario& scenario, const Node& to) {
    return scenario.model.layers.value * 2.0 * scenario.model.kvWidth() * to.runtime->kvBits.value / 8.0;
}

double promptKvLayerBytes(const Scenario& scenario, const Node& to) {
    return 2.0 * scenario.workload.batch.value * scenario.workload.promptTokens.value *
           scenario.model.kvWidth() * to.runtime->kvBits.value / 8.0;
}

double transferWidth(const Node& from, const Node& to) {
    return std::min(tensorParallel(from), tensorParallel(to));
}

KvHandOver promptHandOver(const Scenario& scenario, const Node& from, const Node& to) {
    return {scenario.model.layers.value, promptKvLayerBytes(scenario, to) / transferWidth(from, to)};
}

} // namespace heteroscape::engine
