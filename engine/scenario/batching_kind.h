// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/arrival_kind.h"

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace heteroscape::engine {

/// What a step holds so far, while prompts are taken into it. Tokens and sequences of all ranks together.
struct StepSoFar {
    double budget = 0.0;    ///< tokens that a step takes
    double sequences = 0.0; ///< that the server works on, at most
    double running = 0.0;   ///< sequences that decode
    double room = 0.0;      ///< tokens left for prompts
    double pieces = 0.0;    ///< of prompts in the step so far
};

/// How a server puts waiting prompts into its steps: the part of a scheduler in which servers differ.
class StepRule {
public:
    StepRule() = default;
    StepRule(const StepRule&) = delete;
    StepRule& operator=(const StepRule&) = delete;
    virtual ~StepRule() = default;

    /// Tokens of prompts that a step has room for beside `running` sequences.
    virtual double room(double budget, double running) const { return budget - running; }
    /// Tokens of the next prompt, of which `left` are to be done, that the step takes: all, fewer (it is cut,
    /// and the rest comes with the next step), or 0 (it waits).
    virtual double take(double left, const StepSoFar& step) const = 0;
    /// Whether sequences decode in a step that takes prompts; else they stand still.
    virtual bool decodesBeside() const { return true; }
    /// Whether prompts are held back for ServerSettings::waitShare and balance.
    virtual bool holdsBack() const { return false; }
};

const StepRule& mixedRule();  ///< vLLM V1: prompts are cut to the room that is left, decodes run beside
const StepRule& wholeRule();  ///< TensorRT-LLM: whole prompts, decodes run beside
const StepRule& firstRule();  ///< SGLang: as mixed, but decodes stand still while there are prompts
const StepRule& staticRule(); ///< whole batches: nothing is taken before all before it are answered

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

    /// How it fills a server's steps (see ServerRules); null: it cannot serve users in a closed loop.
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
