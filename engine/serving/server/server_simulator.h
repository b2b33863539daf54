// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server/request_feed.h"

#include <deque>

namespace heteroscape::engine {

/// One server serving one traffic. Decode steps up to the next finish, arrival, look or the end of the KV
/// cache are one event of k steps:
///   k T(n, S / n + g (k - 1) / 2),   S the sum of the n contexts, g tokens a step
/// which is their sum where T is affine in the context. To an arrival: the fewest steps that reach it.
///
/// Where the copy of the model is a pipeline of P stages, up to P steps with prompts are under way: the next
/// one starts a longest stage after the one before, or when the P-th before it has ended, and they end in
/// their order, a longest stage apart at least,
///   start(i) = max(start(i - 1) + stage(i - 1), end(i - P)),   end(i) = max(start(i) + T(i), end(i - 1) +
///   stage(i))
/// with the first tokens of its prompts. What decodes is dealt evenly over them: each has n / P sequences,
/// and P of them are a token of all. Decode steps are rounds of the whole pipeline (see StepModel).
///
/// With eviction KV caches grow by blocks as tokens come. Before a step, while the tokens it adds do not fit,
/// the request that was taken last is evicted; a step that evicts takes no new requests. Those that were
/// swapped come back, in order, before others are taken; those to be computed again are first in the queue.
/// Source: the policies of vLLM (Kwon et al., SOSP 2023, section 4.5).
class ServerSimulator {
public:
    ServerSimulator(const ServerTraffic& traffic, const ServerSettings& settings, const StepModel& model);
    ServedRun run(const std::stop_token& stop);

private:
    struct Work {
        double target = 0.0; ///< tokens that its prefill makes: the prompt, or with what was answered before
        double done = 0.0;   ///< of them
        double steps = 0.0;  ///< left when it joins the decodes
        double base = 0.0;   ///< its context less g x the steps counted when it joined
        double held = 0.0;   ///< KV tokens while it is not decoding
        std::uint32_t given = 0; ///< output tokens
    };
    struct Ending { ///< a prompt in the step under way that ends it
        double time;
        std::uint32_t index;
    };
    struct Finish {
        std::uint64_t step;
        std::uint32_t index;
        bool operator>(const Finish& other) const {
            return step != other.step ? step > other.step : index > other.index;
        }
    };

    const ServerTraffic& m_traffic;
    const ServerSettings& m_settings;
    const StepModel& m_model;
    const StepRule& m_rule;
    const double m_budget; ///< as the next two: of all ranks
    const double m_sequences;
    const double m_capacity;
    const bool m_evicts;
    const double m_perStep;
    const double m_stages;

    ServedRun m_run;
    RequestFeed m_feed;
    WaitingQueue m_queue;
    std::vector<Work> m_work; ///< parallel to the requests
    double m_now = 0.0;
    double m_inSystem = 0.0; ///< requests that were seen and are not answered
    std::uint64_t m_answered = 0;

    std::vector<Finish> m_finishes;      ///< a heap of what decodes
    std::uint64_t m_steps = 0;           ///< decode steps so far
    double m_running = 0.0;              ///< n
    double m_contexts = 0.0;             ///< S
    double m_kv = 0.0;                   ///< set aside; with eviction: of what is not decoding
    std::vector<std::uint32_t> m_joined; ///< with eviction: what decodes, in the order in which it was taken
    std::deque<std::uint32_t> m_again;   ///< evicted, to be computed again
    std::deque<std::uint32_t> m_swapped;

    static constexpr auto kNone = static_cast<std::uint32_t>(-1);
    static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
    std::uint32_t m_partial = kNone;
    std::vector<PromptPiece> m_pieces; ///< of the step to come
    std::vector<std::uint32_t> m_pieceOf;
    std::deque<Ending> m_ending; ///< in order of time; without a pipeline empty but within promptStep()
    std::deque<double> m_ends;   ///< of the steps with prompts under way
    std::vector<std::uint32_t> m_joining; ///< prompts that ended, to decode from the next step on
    double m_turn = 0.0;                  ///< steps with prompts since all that decode had a token
    double m_sinceLook = 0.0;
    double m_held = 0.0; ///< steps for which prompts were held back
    bool m_holds = false;
    bool m_hadPrompts = false; ///< the last step
    double m_moving = 0.0;     ///< s that swapping adds to the next step

    const ServerRequest& request(std::uint32_t index) const { return m_traffic.requests[index]; }
    double blocks(double tokens) const;
    double contextOf(std::uint32_t index) const;
    double grown(double steps) const; ///< KV tokens in the last of so many more decode steps
    double stepsThatFit(double most) const;
    double setAside(std::uint32_t index) const;
    double stepsToAnswer(std::uint32_t output) const;

    /// Sequences that decode in a step with prompts.
    double beside() const { return std::ceil(m_running / m_stages); }
    double nextEnd() const { return m_ending.empty() ? kUnlimited : m_ending.front().time; }
    double ending() const { return static_cast<double>(m_ending.size()); }

    void advance(double seconds);
    void waitFor(double time);
    void endStep(double steps);
    void look();
    void see(const RequestFeed::Sent& sent);
    bool evict();
    void evictOne();
    void comeBack();
    double holdSteps() const;
    void takePrompts();
    bool takeHead(StepSoFar& step, std::uint32_t index);
    void addPiece(StepSoFar& step, std::uint32_t index, double tokens);
    bool anyWaiting() const { return !m_again.empty() || !m_queue.empty(); }
    void promptStep();
    void decodeRun();
    double stepsTo(double seconds, double most) const;
    double secondsOf(double steps) const;
    void countSteps(double steps);
    void endFirst();
    void endPrefill(std::uint32_t index, double time);
    void join(std::uint32_t index, double context, double steps);
    void finish(std::uint32_t index, double time);
};

} // namespace heteroscape::engine
