// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/ascend910b_measured.h"

#include "engine/timing/two_stream.h"
#include "engine/units/units.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

enum Parameter : std::size_t {
    kLayerFixed,     ///< s, whatever the layer's size
    kLayerMissed,    ///< s more when none of the weights are hits in L2
    kLayerPerWeight, ///< s/B of weights on one device
    kRowMissed,      ///< s to read one row (128 B) of a strided KV cache from memory
    kRowHit          ///< s to read it from L2
};

} // namespace

Ascend910bMeasured::Ascend910bMeasured(const OperatorGraph& decodeStep, const Machine& machine)
    : PhaseTiming(decodeStep, machine, Phase::Decode) {
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
    m_fixed = settings()[kLayerFixed];
    m_missed = settings()[kLayerMissed] * (1.0 - hit / weights);
    m_weights = settings()[kLayerPerWeight] * weights;
    const double bandwidth = kvHit ? machine.l2Bandwidth : machine.peakBandwidth;
    const auto leastKv = kvBytes * (1.0 / bandwidth);
    if (decodeStep.shard().kvHeads > 1.0) {
        const double row = kvHit ? settings()[kRowHit] : settings()[kRowMissed];
        m_kv.perKey = std::max(2.0 * row, leastKv.perKey);
    } else if (!kvHit) {
        m_kv = leastKv;
    }
}

StepCost Ascend910bMeasured::cost(double firstKeys, double) const {
    const auto seconds = layerSeconds();
    StepCost cost;
    cost.add(layerFixed() > 0.5 * seconds.at(firstKeys) ? Bound::FixedLayer : Bound::Memory,
             seconds * graph().model().layers.value);
    return withTransfers(cost);
}

void Ascend910bMeasured::operatorTimes(double keys, std::span<OperatorTime> out) const {
    const auto operators = graph().operators();
    double weights = 0.0;
    double count = 0.0;
    for (const auto& op : operators)
        if (op.segment != Segment::Head) {
            weights += op.weights;
            ++count;
        }
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        out[i] = {};
        if (op.segment == Segment::Head)
            continue;
        const double read = layerWeights() * op.weights / weights +
                            (op.kind == OperatorKind::Attention ? layerKv().at(keys) : 0.0);
        const double fixed = layerFixed() / count;
        out[i] = {op.repeat * (fixed + read), read > fixed ? Bound::Memory : Bound::FixedLayer};
    }
    fitToStep(keys, out);
}

namespace {

class Ascend910bMeasuredModel final : public L2Model {
public:
    Ascend910bMeasuredModel()
        : L2Model(
              "ascend910b_measured", "Measured on Ascend 910B",
              "A decode layer as measured end to end on Ascend 910B, collectives and launches included.") {}

    bool times(Phase phase) const override { return phase == Phase::Decode; }
    std::span<const KindParameter> parameters() const override {
        static const std::array<KindParameter, 5> table{{
            {{"layer_fixed_us", "Fixed time of a layer", "\u00b5s", units::micro, 0, 1e9, false, true,
              "Decode time of one layer that does not depend on its size."}},
            {{"layer_missed_us", "Missed weights of a layer", "\u00b5s", units::micro, 0, 1e9, false, true,
              "Added when none of the layer's weights are hits in L2, and in proportion."}},
            {{"layer_us_per_mb", "Time of a layer's weights", "\u00b5s/MB", units::micro / units::MB, 0, 1e9,
              false, true, "Decode time of one layer for each MB of weights on one device."}},
            {{"kv_row_missed_ns", "KV row, missed", "ns", units::nano, 0, 1e9, false, true,
              "Time to read one row of a strided KV cache from memory."}},
            {{"kv_row_hit_ns", "KV row, hit", "ns", units::nano, 0, 1e9, false, true,
              "Time to read one row of a strided KV cache from L2."}},
        }};
        return table;
    }
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine, Phase) const override {
        room.emplace<Ascend910bMeasured>(graph, machine);
    }
};

} // namespace

const TimingModel& ascend910bMeasuredModel() {
    static const Ascend910bMeasuredModel model;
    return model;
}

} // namespace heteroscape::engine
