// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/batching_kind.h"
#include "engine/scenario/step_rule.h"

#include <limits>

namespace heteroscape::engine {

namespace {

class StaticRule final : public StepRule {
public:
    double room(double, double running) const override {
        return running > 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
    }
    double take(double left, const StepSoFar&) const override { return left; }
};

/// Whole batches.
class Static final : public BatchingKind {
public:
    Static()
        : BatchingKind({"static", "Static", "whole batches", "static batching",
                        "Requests that wait are taken together, up to a batch of them, and stay together "
                        "until the longest output is done."}) {}

    const StepRule* stepRule() const override { return &staticRule(); }
    BatchingPolicy policy(const Serving&) const override { return {true, 0}; }
};

} // namespace

const StepRule& staticRule() {
    static const StaticRule rule;
    return rule;
}

const BatchingKind& staticBatching() {
    static const Static kind;
    return kind;
}

} // namespace heteroscape::engine
