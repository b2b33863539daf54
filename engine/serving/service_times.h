// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "engine/serving/server/step_model.h"

#include <optional>

namespace heteroscape::engine {

/// The requests of a serving and a workload in the order of their arrival, made one by one by the kind of
/// arrivals.
class RequestStream {
public:
    RequestStream(const Serving& serving, const Workload& workload);

    std::optional<Request> next();
    std::uint64_t size() const { return m_source->size(); } ///< requests in all

private:
    std::unique_ptr<RequestSource> m_source;
    Request m_shape; ///< of the next, but for what its source says
};

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

/// The times of another, all longer by one factor: steps that share a link with others and together want more
/// than it carries.
class StretchedTimes final : public ServiceTimes {
public:
    /// `times` outlives this; factor >= 1.
    StretchedTimes(ServiceTimes& times, double factor) : m_times(times), m_factor(factor) {}

    double prefill(double requests, double prompt, double output) override {
        return m_factor * m_times.prefill(requests, prompt, output);
    }
    double decode(const DecodeBatch& batch, double steps) override {
        return m_factor * m_times.decode(batch, steps);
    }
    double chunk(double tokens, double done, const DecodeBatch& batch) override {
        return m_factor * m_times.chunk(tokens, done, batch);
    }
    double pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) override {
        return m_factor * m_times.pieces(prompts, batch);
    }

private:
    ServiceTimes& m_times;
    double m_factor;
};

} // namespace heteroscape::engine
