// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace heteroscape::engine
