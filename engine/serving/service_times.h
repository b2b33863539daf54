// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

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
    /// Of the longest request, for what is laid out for a whole batch (offloading); 0: the longest of all.
    double prompt = 0.0;
    double output = 0.0;
};

/// A piece of a prompt in one step.
struct PromptPiece {
    double done = 0.0;   ///< tokens of it that earlier steps took
    double tokens = 0.0; ///< that this step takes
    bool ends = false;   ///< the prompt ends with it: its first answer token comes out of the step
};

/// Seconds of a step with pieces of prompts.
struct PieceSeconds {
    double whole = 0.0; ///< from its start to its tokens
    double stage = 0.0; ///< until the next may follow: the longest stage of a pipeline
};

/// How long one replica works, with all its data-parallel ranks, alone on its devices. All times s,
/// above 0 or 0. One thread.
class ServiceTimes {
public:
    virtual ~ServiceTimes() = default;

    /// The prefill of `requests` prompts of `prompt` tokens together; `output` tokens will follow each.
    virtual double prefill(double requests, double prompt, double output) = 0;

    /// Until the next prefill may follow it: M microbatches through the longest stage of a pipeline.
    virtual double prefillStage(double requests, double prompt, double output) {
        return prefill(requests, prompt, output);
    }

    /// `steps` decode steps; step i attends to context + i keys.
    virtual double decode(const DecodeBatch& batch, double steps) = 0;

    /// One step that takes pieces of prompts (one at least) beside a decode step of the batch, which may have
    /// no requests. The pieces are dealt out over the ranks (see dealOut()).
    virtual PieceSeconds pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) = 0;

    /// The same for one piece: `tokens` more of a prompt of which `done` are there.
    PieceSeconds chunk(double tokens, double done, const DecodeBatch& batch) {
        const PromptPiece piece{done, tokens, true};
        return pieces({&piece, 1}, batch);
    }

    /// Stages of a pipeline, which as many steps with pieces go through at one time. A decode step is a round
    /// of them all.
    virtual double stages() const { return 1.0; }

    /// A decode step in which each of `sequences` attends to `context` keys, its own among them. Several
    /// workers may share them: between whole numbers of sequences the time is linear.
    double decodeStep(double sequences, double context) {
        const auto stepOf = [&](double n) { return decode({n, context - 1.0, 0.0, 0.0}, 1.0); };
        const double at = std::max(1.0, sequences), whole = std::floor(at);
        const double low = stepOf(whole);
        return at == whole ? low : low + (at - whole) * (stepOf(whole + 1.0) - low);
    }
};

/// The rank of each piece: in order, each to the rank with the fewest prompt tokens so far, of several the
/// first. `tokens` (one entry a rank) is filled with the prompt tokens of each.
inline void dealOut(std::span<const PromptPiece> pieces, std::span<double> tokens,
                    std::vector<std::size_t>& rankOf) {
    std::fill(tokens.begin(), tokens.end(), 0.0);
    rankOf.clear();
    for (const auto& piece : pieces) {
        const auto rank = std::min_element(tokens.begin(), tokens.end());
        *rank += piece.tokens;
        rankOf.push_back(static_cast<std::size_t>(rank - tokens.begin()));
    }
}

/// The times of another, longer by a factor: of steps that share a link with others and together want more
/// than it carries, or whose device has a power cap or a slower clock.
class StretchedTimes final : public ServiceTimes {
public:
    /// `times` outlives this; factors >= 1, of steps with prompts and without.
    StretchedTimes(ServiceTimes& times, double prefill, double decode)
        : m_times(times), m_prefill(prefill), m_decode(decode) {}

    double prefill(double requests, double prompt, double output) override {
        return m_prefill * m_times.prefill(requests, prompt, output);
    }
    double prefillStage(double requests, double prompt, double output) override {
        return m_prefill * m_times.prefillStage(requests, prompt, output);
    }
    double decode(const DecodeBatch& batch, double steps) override {
        return m_decode * m_times.decode(batch, steps);
    }
    PieceSeconds pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) override {
        const auto seconds = m_times.pieces(prompts, batch);
        return {m_prefill * seconds.whole, m_prefill * seconds.stage};
    }
    double stages() const override { return m_times.stages(); }

private:
    ServiceTimes& m_times;
    double m_prefill, m_decode;
};

} // namespace heteroscape::engine
