// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/batching_kind.h"

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

const BatchingKind& firstBatching() {
    static const ServerBatching kind({"first", "Prompts first", "decodes stand still",
                                      "prompts-first batching",
                                      "While prompts wait, steps take prompts alone, up to the token budget; "
                                      "decodes stand still. As SGLang "
                                      "serves."},
                                     firstRule(),
                                     {{{"look_steps", "Looks", "", 1, 1, 1e6, true, false,
                                        "Decode steps between two looks at the queue; not set: each."}}});
    return kind;
}

} // namespace heteroscape::engine
