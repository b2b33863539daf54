// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/timing_model.h"

namespace heteroscape::engine {

/// Timing model `ascend910b_prefill`: the prefill beside which the decode layers of ascend910b_measured were
/// calibrated: l2_panel with everything prefetched that fits L2 (Algorithm 1, whether the technique is on or
/// not), free communication and no LM head. Source: PRESERVE section 5, read so that its Table 1 comes out.
const TimingModel& ascend910bPrefillModel();

/// Timing model `ascend910b_measured`: a decode layer as measured end to end on Ascend 910B servers under
/// torchair, collectives and launches included:
///
///   layer = F0 + M0 (1 - W_hit / W) + w W + V
///   V     = 2 keys r                 several KV heads a device: strided rows of 128 B, r by hit or miss,
///           but never below KV bytes / BW (memory or L2)
///           KV bytes / BW_hbm or 0   one KV head: contiguous; nothing when hit
///
/// W: matrix weights of the layer on one device, W_hit the prefetched part; F0, M0, w, r are its
/// layer and row quantities. The step is `layers` such layers; the LM head is within the measurement.
/// Calibrated on Table 1 of PRESERVE (its Llama3-8B and Llama3-70B rows). Shared out to operators: the fixed
/// time in equal parts, weights by their bytes, V to attention.
class Ascend910bMeasured final : public PhaseTiming {
public:
    Ascend910bMeasured(const OperatorGraph& decodeStep, const Machine& machine);

    StepCost cost(double firstKeys, double lastKeys) const override;
    void operatorTimes(double keys, std::span<OperatorTime> out) const override;
    std::vector<Term> operatorTerms(double keys) const override;
    Term explain(double keys) const override;

    double layerConstant() const { return m_fixed + m_missed + m_weights; } ///< s, all but V
    double layerFixed() const { return m_fixed; }
    double layerWeights() const { return m_missed + m_weights; } ///< s, M0 and w terms
    const Affine& layerKv() const { return m_kv; }               ///< V, s
    Affine layerSeconds() const { return m_kv + Affine{layerConstant(), 0.0}; }

private:
    double m_fixed;
    double m_missed;
    double m_weights;
    Affine m_kv;
    double m_bytes = 0.0; ///< W
    double m_hit = 0.0;   ///< W_hit
    Affine m_kvBytes;
    bool m_kvHit = false;

    Term parameter(std::size_t index) const;
    Term explainFixed() const;
    Term explainWeights() const; ///< M0 and w terms
    Term explainKv(double keys) const;
};

const TimingModel& ascend910bMeasuredModel();

} // namespace heteroscape::engine
