// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/device_class.h"
#include "engine/timing/timing_model.h"

namespace heteroscape::engine {

/// Timing model `class_rule`: a whole step of a device that nobody measured, by the rule of silicon_more.md,
/// section A3, with the factor of the device's maker:
///   decode, or prompts beside it   sqrt((FLOP / F_e)^2 + (bytes / B_e)^2) + L tau + n seq + collectives
///   prompts alone                  FLOP / F_e + L tau max(1, tokens / 8192) + collectives,
/// the second never shorter than its bytes take (which the source leaves out: short prompts read all weights
/// too). FLOP and bytes are those of the operators; bytes are weights and KV cache, and collectives carry
/// 16 bits an element, as the rule was fitted. A collective takes alpha_e, and its transfer as drawn over a
/// share beta / k of the link. The whole step is held against one peak: that of the format in which most of
/// its matrices are multiplied.
///
/// The band is that of the whole step; a maker of which only single kernels were measured, some of them
/// slower than the mean of all makers (Ascend's attention over prompts, its 8-bit products, a TPU without a
/// fused attention), has a slow end that is as far out as the step would be with these.
class ClassRuleTiming final : public PhaseTiming {
public:
    ClassRuleTiming(const OperatorGraph& graph, const Machine& machine, Phase phase);

    StepCost cost(double firstKeys, double lastKeys) const override;
    void operatorTimes(double keys, std::span<OperatorTime> out) const override;
    Term explainWithin(Contexts contexts, double keys) const override;
    void operatorErrors(double keys, std::span<ExpectedError> out) const override;
    double collectiveOnce(std::size_t op) const override;
    Term explainCollective(std::size_t op) const override;
    OperatorPeak peakOf(std::size_t op) const override;

private:
    const MakerClasses& m_classes;
    std::string_view m_class; ///< of the device's maker
    StepFormat m_format;
    ClassRates m_rates;
    double m_factor;
    bool m_prompts; ///< nothing decodes
    double m_layers = 0.0;
    double m_host = 0.0;        ///< s, before the factor
    double m_collectives = 0.0; ///< s, before the factor
    // Seconds at the rates reached, of products and of attention apart.
    Affine m_flops, m_bytes, m_attentionFlops, m_attentionBytes;

    double once(const Operator& op) const; ///< of a collective, s before the factor
    Tangent joined(Tangent flops, Tangent bytes) const;
    Tangent at(double keys) const; ///< of the step, s
    Bound boundAt(double keys) const;
    double slower(double keys) const; ///< the step with the maker's own kernels over that of the rule
    void timesOf(const StepCost& step, double keys, std::span<OperatorTime> out) const;
    ExpectedError errorAt(double keys) const;
};

const TimingModel& classRuleModel();

} // namespace heteroscape::engine
