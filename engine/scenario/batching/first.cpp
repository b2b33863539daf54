// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/step_rule.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

class FirstRule final : public StepRule {
public:
    double room(double budget, double) const override { return budget; }
    double take(double left, const StepSoFar& step) const override { return std::min(left, step.room); }
    bool decodesBeside() const override { return false; }
};

} // namespace

const StepRule& firstRule() {
    static const FirstRule rule;
    return rule;
}

} // namespace heteroscape::engine
