// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/requests.h"
#include "engine/serving/server/step_model.h"

namespace heteroscape::engine {

/// Requests that decode together.
struct DecodeBatch {
    double requests = 1.0;
    double context = 0.0; ///< mean number of tokens before the first of the steps asked about
    double prompt = 0.0;  ///< of the longest request, for what is laid out for a whole batch (offloading)
    double output = 0.0;
};

/// How long one copy of the model works, alone on its devices. All times s, above 0 or 0. One thread.
class ServiceTimes {
public:
    virtual ~ServiceTimes() = default;

    /// The prefill of `requests` prompts of `prompt` tokens together; `output` tokens will follow each.
    virtual double prefill(double requests, double prompt, double output) = 0;

    /// `steps` decode steps; step i attends to context + i keys.
    virtual double decode(const DecodeBatch& batch, double steps) = 0;

    /// One step that takes `tokens` more of a prompt, of which `done` are there, beside a decode step of the
    /// batch (which may have no requests).
    virtual double chunk(double tokens, double done, const DecodeBatch& batch) = 0;

    /// One step that takes pieces of several prompts beside a decode step of the batch. Without one of its
    /// own: the first beside the batch, the others one after another.
    virtual double pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) {
        double seconds = 0.0;
        for (std::size_t i = 0; i < prompts.size(); ++i)
            seconds +=
                chunk(prompts[i].tokens, prompts[i].done, i == 0 ? batch : DecodeBatch{0.0, 0.0, 0.0, 0.0});
        return seconds;
    }
};

} // namespace heteroscape::engine
