// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/serving_kind.h"
#include "engine/scenario/step_rule.h"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace heteroscape::engine {

/// What the simulation asks of batching.
struct BatchingPolicy {
    /// Up to a batch of requests that wait are taken together, padded to the longest prompt, and stay
    /// together until the longest output is done. Else each joins and leaves at a token boundary.
    bool grouped = true;
    std::uint32_t chunk = 0; ///< tokens of a prompt in one step beside the decodes; 0: whole prompts
};

/// A way in which a pool works on several requests together.
class BatchingKind : public ServingKind {
public:
    using ServingKind::ServingKind;

    /// How it fills the steps of a server (see ServerSimulator); null: it cannot serve users in a closed
    /// loop.
    virtual const StepRule* stepRule() const { return nullptr; }
    /// Whether all requests are served step by step, whatever their arrivals; else those of closed loops.
    virtual bool isServer() const { return false; }

    virtual BatchingPolicy policy(const Serving& serving) const = 0;
    /// Why it cannot serve a runtime that offloads; empty: it can.
    virtual std::string_view whyNotOffloaded() const { return {}; }
};

/// What all servers are told, under the keys that stand in server_batching.cpp.
class ServerBatching : public BatchingKind {
public:
    /// `own`: parameters of this kind alone.
    ServerBatching(const Words& words, const StepRule& rule, std::initializer_list<KindParameter> own = {});

    std::span<const KindParameter> parameters() const override { return m_parameters; }
    std::string_view unsetText(std::string_view key) const override;
    const StepRule* stepRule() const override { return &m_rule; }
    bool isServer() const override { return true; }
    BatchingPolicy policy(const Serving&) const override { return {false, 0}; }
    std::string_view whyNotOffloaded() const override {
        return "what it offloads is laid out for a whole batch";
    }

private:
    const StepRule& m_rule;
    std::vector<KindParameter> m_parameters;
};

/// All kinds of batching; a design starts with the first.
Registry<BatchingKind>& batchingKinds();
/// One by its id; Error (InvalidInput) at "serving.batching" when there is none.
const BatchingKind* batchingNamed(std::string_view id);
/// The kind that serves a runtime that offloads where `chosen` is wanted.
const BatchingKind& batchingOffloaded(const BatchingKind& chosen);

} // namespace heteroscape::engine
