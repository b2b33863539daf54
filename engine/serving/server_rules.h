// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/server_loop.h"

namespace heteroscape::engine {

/// One server serving one traffic. Decode steps up to the next finish, arrival, look or the end of the KV
/// cache are one event of k steps:
///   k T(n, S / n + (k - 1) / 2),   S the sum of the n contexts
/// which is their sum where T is affine in the context. To an arrival: the fewest steps that reach it.
///
/// Where the replica is a pipeline of P stages, up to P steps with prompts are under way (see
/// StepPipeline), and end with the first tokens of their prompts. What decodes is dealt evenly over them:
/// each has n / P sequences, and P of them are a token of all. Decode steps are rounds of the whole pipeline.
///
/// With eviction KV caches grow by blocks as tokens come. Before a step, while the tokens it adds do not fit,
/// the request that was taken last is evicted; a step that evicts takes no new requests. Those that were
/// swapped come back, in order, before others are taken; those to be computed again are first in the queue.
/// Source: the policies of vLLM (Kwon et al., SOSP 2023, section 4.5).
class ServerRules final : public ServerLoop {
public:
    ServerRules(const ServerTraffic& traffic, const ServerSettings& settings, ServiceTimes& times);
    ServedRun run(const SimulationOptions& options);

private:
    struct Work {
        double target = 0.0; ///< tokens that its prefill makes: the prompt, or with what was answered before
        double done = 0.0;   ///< of them
        double steps = 0.0;  ///< left when it joins the decodes
        double base = 0.0;   ///< its context less the steps counted when it joined
        double held = 0.0;   ///< KV tokens while it is not decoding
        std::uint32_t given = 0; ///< output tokens
    };
    struct Ending { ///< a prompt in the step under way that ends it
        double time;
        std::uint32_t index;
    };
    const ServerSettings& m_settings;
    ServiceTimes& m_times;
    const StepRule& m_rule;
    const double m_budget; ///< as the next two: of all ranks
    const double m_sequences;
    const double m_capacity;
    const bool m_evicts;
    const double m_stages;

    PoolWork& m_did;
    std::vector<Work> m_work; ///< parallel to the requests
    double m_next = 0.0;      ///< s, when what runs is over
    double m_stepsRun = 0.0;  ///< tokens of all that decodes that come with it

    EndQueue<std::int64_t, std::uint32_t> m_finishes; ///< of what decodes, by steps
    std::int64_t m_steps = 0;                         ///< decode steps so far
    double m_running = 0.0;                           ///< n
    double m_contexts = 0.0;                          ///< S
    double m_kv = 0.0;                                ///< set aside; with eviction: of what is not decoding
    std::vector<std::uint32_t> m_joined; ///< with eviction: what decodes, in the order in which it was taken
    std::deque<std::uint32_t> m_swapped;

    static constexpr auto kNone = static_cast<std::uint32_t>(-1);
    std::uint32_t m_partial = kNone;
    std::vector<PromptPiece> m_pieces; ///< of the step to come
    std::vector<std::uint32_t> m_pieceOf;
    std::deque<Ending> m_ending; ///< in order of time; without a pipeline empty but within promptStep()
    StepPipeline m_pipeline;
    std::vector<std::uint32_t> m_joining; ///< prompts that ended, to decode from the next step on
    double m_turn = 0.0;                  ///< steps with prompts since all that decode had a token
    double m_sinceLook = 0.0;
    double m_held = 0.0; ///< steps for which prompts were held back
    bool m_holds = false;
    bool m_hadPrompts = false; ///< the last step
    double m_moving = 0.0;     ///< s that swapping adds to the next step

    double blocks(double tokens) const { return m_settings.blocks(tokens); }
    double contextOf(std::uint32_t index) const;
    double grown(double steps) const; ///< KV tokens in the last of so many more decode steps
    double stepsThatFit(double most) const;
    double setAside(std::uint32_t index) const;

    /// Sequences that decode in a step with prompts.
    double beside() const { return std::ceil(m_running / m_stages); }
    double nextEnd() const { return m_ending.empty() ? kEndless : m_ending.front().time; }
    double ending() const { return static_cast<double>(m_ending.size()); }

    void begin() override;
    double nextEvent() override { return m_next; }
    void end() override;
    bool holds(const RequestSize& size) const override;
    void runFor(double seconds, double steps) {
        m_next = m_now + seconds;
        m_stepsRun = steps;
    }
    void waitFor(double time) { m_next = time; }
    void look();
    bool evict();
    void evictOne();
    void comeBack();
    double holdSteps() const;
    void takePrompts();
    bool takeHead(StepSoFar& step, std::uint32_t index);
    void addPiece(StepSoFar& step, std::uint32_t index, double tokens);
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

/// Serves a traffic by continuous batching, event by event. Source: silicon serving, sections 2 and 3.
inline ServedRun serveTraffic(const ServerTraffic& traffic, const ServerSettings& settings,
                              ServiceTimes& times, const SimulationOptions& options = {}) {
    return ServerRules(traffic, settings, times).run(options);
}

} // namespace heteroscape::engine
