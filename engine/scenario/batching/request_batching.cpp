// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of requests: token by token, or whole.
#include "engine/scenario/batching_kind.h"
#include "engine/scenario/serving.h"

#include <algorithm>
#include <array>
#include <limits>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kChunk = "chunk_tokens";

/// Each request joins and leaves at a token boundary.
class Continuous final : public BatchingKind {
public:
    Continuous()
        : BatchingKind({"continuous", "Continuous", "token by token", "continuous batching",
                        "Each request joins and leaves a running batch at a token boundary."}) {}

    std::span<const KindParameter> parameters() const override { return m_parameters; }
    std::string_view unsetText(std::string_view) const override { return "whole prompt"; }
    BatchingPolicy policy(const Serving& serving) const override {
        return {false, static_cast<std::uint32_t>(serving[kChunk].valueOr(0.0))};
    }
    std::string_view whyNotOffloaded() const override {
        return "what it offloads is laid out for a whole batch";
    }

private:
    std::array<KindParameter, 1> m_parameters{
        {{{kChunk, "Prefill chunk", "tok", 1, 1, 1 << 22, true, false,
           "Tokens of a prompt that one step takes beside the decodes of a continuous batch; not set: whole "
           "prompts."}}}};
};

} // namespace

const BatchingKind& continuousBatching() {
    static const Continuous kind;
    return kind;
}

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
