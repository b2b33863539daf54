// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/ascend910b_measured.h"

#include <algorithm>

namespace heteroscape::engine {

Ascend910bMeasured::Ascend910bMeasured(const OperatorGraph& decodeStep, const Machine& machine) {
    const auto& runtime = *machine.runtime;
    double weights = 0.0;
    double hit = 0.0;
    Affine kvBytes;
    bool kvHit = false;
    for (const auto& op : decodeStep.operators()) {
        if (op.segment == Segment::Head)
            continue;
        const double bytes = op.weights * machine.weightBytes;
        weights += bytes;
        hit += op.prefetched ? bytes : 0.0;
        if (op.kind == OperatorKind::Attention) {
            kvBytes = op.kv * machine.kvBytes;
            kvHit = op.prefetched;
        }
    }
    m_fixed = runtime.layerFixed.value;
    m_missed = runtime.layerMissed.value * (1.0 - hit / weights);
    m_weights = runtime.layerPerWeight.value * weights;
    const double bandwidth = kvHit ? machine.l2Bandwidth : machine.peakBandwidth;
    const auto leastKv = kvBytes * (1.0 / bandwidth);
    if (decodeStep.shard().kvHeads > 1.0) {
        const double row = kvHit ? runtime.kvRowHit.value : runtime.kvRowMissed.value;
        m_kv.perKey = std::max(2.0 * row, leastKv.perKey);
    } else if (!kvHit) {
        m_kv = leastKv;
    }
}

} // namespace heteroscape::engine
