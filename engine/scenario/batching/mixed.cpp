// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/batching_kind.h"

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

const BatchingKind& mixedBatching() {
    static const ServerBatching kind({"mixed", "Mixed", "prompts beside decodes", "mixed batching",
                                      "Each step takes the decodes and as much of the waiting prompts as its "
                                      "token budget leaves; a prompt "
                                      "is cut where it must be. As vLLM serves."},
                                     mixedRule());
    return kind;
}

} // namespace heteroscape::engine
