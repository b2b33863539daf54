// SPDX-License-Identifier: GPL-3.0-or-later
// Steps as GPU servers fill them.
#include "engine/scenario/batching_kind.h"
#include "engine/units/units.h"

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

namespace {

const KindParameter kShared[]{
    {{"budget_tokens", "Token budget", "tok", 1, 1, 1 << 24, true, true,
      "Tokens of one step, prompts and decodes together (prompts alone where decodes stand still); of each "
      "data-parallel rank."},
     8192.0},
    {{"max_sequences", "Sequences", "", 1, 1, 65536, true, true,
      "Requests that a server works on at one time, at most; of each data-parallel rank."},
     1024.0},
    {{"kv_reserve", "Output set aside", "", 1, 0, 1, false, true,
      "Share of an output whose KV cache must be free, beside the prompt's, before a request is taken."},
     1.0},
    {{"kv_block_tokens", "KV block", "tok", 1, 1, 65536, true, false,
      "Tokens of KV cache that are taken together as they come. Set: KV caches grow, and where they outgrow "
      "memory the request taken last is evicted; not set: room is set aside before a request is taken."}},
    {{"swap_gbps", "Swap bandwidth", "GB/s", 1e9, 1e-3, 1e6, false, false,
      "At which an evicted KV cache is moved to the host's memory and back; not set: it is dropped and "
      "computed again."}},
    {{"prefix_hit", "Prefix hits", "", 1, 0, 1, false, false,
      "Share of the tokens that prompts have in common with earlier ones whose KV cache is found; not set: "
      "there is no prefix cache."}},
    {{"shortest_first", "Shortest first", "", 1, 0, 1, true, false,
      "1: of the requests that wait the one with the shortest prompt is next; 0 or not set: the one that "
      "came first."}},
    {{"urgent_share", "Urgent requests", "", 1, 0, 1, false, false,
      "Share of the requests that go before all others that wait; not set: there are no classes."}},
};

} // namespace

ServerBatching::ServerBatching(const Words& words, const StepRule& rule,
                               std::initializer_list<KindParameter> own)
    : BatchingKind(words), m_rule(rule), m_parameters(std::begin(kShared), std::end(kShared)) {
    m_parameters.insert(m_parameters.end(), own.begin(), own.end());
}

std::string_view ServerBatching::unsetText(std::string_view key) const {
    return key == "kv_block_tokens" ? "set aside whole" : key == "swap_gbps" ? "computed again" : "none";
}

} // namespace heteroscape::engine
