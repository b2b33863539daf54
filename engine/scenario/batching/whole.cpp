// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/batching_kind.h"

namespace heteroscape::engine {

namespace {

class WholeRule final : public StepRule {
public:
    /// What does not fit whole is taken alone where it never would, or nothing runs beside it.
    double take(double left, const StepSoFar& step) const override {
        const bool alone = step.pieces == 0.0 && (step.running == 0.0 || left > step.budget - step.sequences);
        return left <= step.room || alone ? left : 0.0;
    }
    bool holdsBack() const override { return true; }
};

} // namespace

const StepRule& wholeRule() {
    static const WholeRule rule;
    return rule;
}

const BatchingKind& wholeBatching() {
    static const ServerBatching kind(
        {"whole", "Whole prompts", "prompts are not cut", "whole-prompt batching",
         "Each step takes the decodes and the waiting prompts that fit its token budget whole. As "
         "TensorRT-LLM "
         "serves."},
        wholeRule(),
        {{{"wait_share", "Held back until", "", 1, 0, 1, false, false,
           "Prompts are held back until a step is filled to this share of its token budget."}},
         {{"wait_steps", "Held back for", "", 1, 0, 1e6, true, false,
           "Steps for which prompts are held back, at most, for a fuller step."}},
         {{"balance_steps", "Balanced for", "", 1, 0, 1e6, true, false,
           "Steps for which prompts are held back, at most, until each data-parallel rank has one."}}});
    return kind;
}

} // namespace heteroscape::engine
