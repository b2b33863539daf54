// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/step_rule.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

class MixedRule final : public StepRule {
public:
    double take(double left, const StepSoFar& step) const override { return std::min(left, step.room); }
};

} // namespace

const StepRule& mixedRule() {
    static const MixedRule rule;
    return rule;
}

} // namespace heteroscape::engine
