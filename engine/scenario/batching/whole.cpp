// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/step_rule.h"

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

} // namespace heteroscape::engine
