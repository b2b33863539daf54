// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/batching_kind.h"
#include "engine/scenario/sessions.h"
#include "engine/serving/fair_share.h"
#include "engine/serving/server/step_model.h"

#include <cstdint>
#include <limits>
#include <span>
#include <stop_token>
#include <vector>

namespace heteroscape::engine {

/// Which of the waiting requests is next. Those that were evicted go first in any case.
enum class QueueOrder : std::uint8_t {
    FirstCome,
    ShortestFirst, ///< the fewest prompt tokens to be done, then first come
    Priority       ///< the lowest class, then first come
};
/// What happens when running sequences outgrow the KV cache.
enum class Eviction : std::uint8_t {
    Reserved,  ///< it cannot: prompt and `reserve` x output are set aside before a request is taken
    Recompute, ///< the one taken last gives up its cache and is prefilled again, with what it has answered
    Swap       ///< its cache is moved to the host's memory, and back before it goes on
};

/// Settings of one server: one copy of a model with `ranks` data-parallel ranks that step together. What a
/// script sets for a rank stands here; the server has `ranks` times as much.
struct ServerSettings {
    const StepRule* rule = nullptr; ///< not null when a server runs
    double budget = 8192.0;         ///< tokens of a step of a rank
    double sequences = 1024.0;      ///< a rank
    double reserve = 1.0;           ///< share of the output whose KV cache is set aside with the prompt's
    double look = 1.0;              ///< decode steps between looks at the queue; 1: every step
    double waitShare = 0.0; ///< prompts are held back until a step is filled to so much of its budget ...
    double waitSteps = 0.0; ///< ... for at most so many steps; 0: never
    double balance = 0.0;   ///< steps for which fewer prompts than ranks are held back; 0: never
    double ranks = 1.0;
    double kvTokens = std::numeric_limits<double>::infinity(); ///< KV cache of a rank, tokens
    Eviction eviction = Eviction::Reserved;
    double block = 1.0;     ///< tokens of KV cache that are taken together, where sequences can be evicted
    double swapToken = 0.0; ///< s to move one token's KV cache to the host or back
    QueueOrder order = QueueOrder::FirstCome;
    double request = 0.0;       ///< s that a request takes on its way, added to its first token
    double token = 0.0;         ///< s for each prompt token besides
    double tokensPerStep = 1.0; ///< of a decode step with drafts; 1: no drafts
};

/// A fixed number of users, each of whom sends a request when the one before is answered.
struct ClosedLoop {
    std::uint64_t users = 1;
    /// In order; the first `users` are sent at time 0. 10 x users in the public benchmark.
    std::vector<RequestSize> requests;
    double frontRequest = 0.0;   ///< s that the front end takes for a request of the first wave, one by one
    double frontToken = 0.0;     ///< s for each of its prompt tokens
    double think = kHalfRequest; ///< s from an answer to the next request in the queue

    /// think: half of ServerSettings::request.
    static constexpr double kHalfRequest = std::numeric_limits<double>::quiet_NaN();
};

/// A request as a server takes it.
struct ServerRequest {
    RequestSize size;
    double cached = 0.0;        ///< tokens of the prompt whose KV cache is there already; at least 1 is not
    std::uint32_t priority = 0; ///< class; 0 goes first
};

/// Requests of any kind of arrivals: of a closed loop, or with a time each. Requests stand in sessions of
/// `turns` that are sent one after another, each when the one before is answered and read.
struct ServerTraffic {
    std::vector<ServerRequest> requests; ///< session by session, turn by turn
    std::vector<double> starts;          ///< s, of each session, rising; empty: a closed loop
    std::uint64_t users = 0;             ///< of a closed loop: so many sessions go on at one time
    std::uint64_t turns = 1;
    double pause = 0.0; ///< s in which an answer is read before the next turn is sent
    double frontRequest = 0.0;
    double frontToken = 0.0;
    double think = ClosedLoop::kHalfRequest;
};

/// An answered request. Times s from the start of the run; those of tokens have the server's request and
/// token times in them.
struct ServedAnswer {
    double arrival = 0.0; ///< sent
    double firstToken = 0.0;
    double lastToken = 0.0;
    std::uint32_t prompt = 0;
    std::uint32_t output = 0;
    double taken = 0.0;    ///< the server began its prompt
    double overhead = 0.0; ///< request and token times in the two above

    double ttft() const { return firstToken - arrival; }
    double tpot() const { return (lastToken - firstToken) / (output - 1.0); } ///< NaN for one token
    double latency() const { return lastToken - arrival; }
};

/// Mean and quantiles (nearest rank) over requests, s; NaN without any.
struct LatencySummary {
    std::uint64_t count = 0;
    double mean = std::numeric_limits<double>::quiet_NaN();
    double p50 = std::numeric_limits<double>::quiet_NaN();
    double middle =
        std::numeric_limits<double>::quiet_NaN(); ///< median; of an even count the middle two's mean
    double p90 = std::numeric_limits<double>::quiet_NaN();
    double p99 = std::numeric_limits<double>::quiet_NaN();
};

/// What a server did with a run of requests.
struct ServedRun {
    std::vector<ServedAnswer> answers; ///< one for each request, in order
    std::uint64_t firstWave = 0;       ///< requests sent at time 0
    double end = 0.0;                  ///< s, the last answer, with request (once)
    double steps = 0.0;                ///< of the server (of all decode workers together)
    double largestKv = 0.0;            ///< tokens set aside at one time, most, all ranks
    double refused = 0.0;              ///< requests too large for the KV cache: no answer, no tokens
    double evictions = 0.0;
    double recomputed = 0.0;     ///< tokens that were prefilled again
    double swapped = 0.0;        ///< tokens moved to the host, and as many back
    double prefilled = 0.0;      ///< prompt tokens worked on, with those done again
    double decoded = 0.0;        ///< tokens that decode steps gave (with drafts: their steps)
    double prefillSeconds = 0.0; ///< s of steps with prompts; of all prefill workers together
    double decodeSeconds = 0.0;  ///< s of the others; of all decode workers, while any works
    double systemSeconds = 0.0;  ///< request seconds: the number in the system over time
    double largestLink = 0.0;    ///< most that a link of KV transfers carried, of what it can (1)
    bool cancelled = false;

    /// Over the requests [from, to) in order; of TPOT those of more than one output token.
    LatencySummary ttft(std::uint64_t from = 0, std::uint64_t to = kAll) const;
    LatencySummary tpot(std::uint64_t from = 0, std::uint64_t to = kAll) const;
    LatencySummary latency(std::uint64_t from = 0, std::uint64_t to = kAll) const;
    /// What the public benchmark's ten waves report where fewer were run: 0.1 x the mean of the first wave +
    /// 0.9 x that of the rest.
    double tenWaveTtft() const;
    double promptTokens() const;
    double outputTokens() const;

    static constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
};

/// Serves a closed loop by continuous batching, event by event: decode steps between two events are one
/// event, which is exact where the step time is affine in the context. Source: silicon serving, sections 2
/// and 3.
ServedRun serveClosedLoop(const ClosedLoop& loop, const ServerSettings& settings, const StepModel& model,
                          std::stop_token stop = {});

/// The same for any traffic.
ServedRun serveTraffic(const ServerTraffic& traffic, const ServerSettings& settings, const StepModel& model,
                       std::stop_token stop = {});

/// Workers that prefill and workers that decode.
struct Disaggregation {
    double prefillWorkers = 1.0;
    double decodeWorkers = 1.0;
    double decodeSlots = std::numeric_limits<double>::infinity(); ///< requests that a decode rank works on
    double transferLatency = 10e-3;                               ///< s
    double transferToken = 0.0; ///< s for each prompt token of a KV cache alone on its link
    /// Links that the transfers share fairly: those of one prefill worker. False: each has its own.
    bool sharedLinks = false;
};

/// Serves a closed loop by prefill workers, a KV transfer and decode workers; `prefill.budget` and `.ranks`
/// are those of a prefill worker, `decode.ranks`, `.kvTokens`, `.reserve` and `.tokensPerStep` those of a
/// decode worker; `prefill.request` is added to the first token. The loop's front end and think time and
/// `token` are not used. Source: silicon serving, section 6.
ServedRun serveDisaggregated(const ClosedLoop& loop, const ServerSettings& prefill,
                             const StepModel& prefillModel, const ServerSettings& decode,
                             const StepModel& decodeModel, const Disaggregation& split,
                             std::stop_token stop = {});

/// How a KV cache gets from prefill workers to decode workers.
struct KvWay {
    double latency = 0.0; ///< s
    double token = 0.0;   ///< s for each token, alone on the links
    /// B/s of each link that one transfer takes while it moves as fast as alone; none: links are not shared.
    std::vector<ResourceUse> uses;
};
/// Prefill workers that are alike.
struct PrefillGroup {
    ServerSettings settings; ///< budget, ranks, request and, of the first group, order count
    const StepModel* model = nullptr;
    std::size_t workers = 1;
    std::vector<KvWay> ways; ///< to each decode group
};
/// Decode workers that are alike.
struct DecodeGroup {
    ServerSettings settings; ///< ranks, kvTokens, reserve, tokensPerStep, eviction, block, swapToken count
    const StepModel* model = nullptr;
    double workers = 1.0;
    double decodeSlots = std::numeric_limits<double>::infinity(); ///< requests that a rank works on
    double weight = 1.0; ///< requests are dealt out to groups in proportion to it
};
/// What each prefill group did.
struct PrefillWork {
    double seconds = 0.0; ///< of all its workers
    double tokens = 0.0;
    double requests = 0.0;
    std::vector<double> sent; ///< tokens of KV cache, to each decode group
};
/// What each decode group did.
struct DecodeWork {
    double seconds = 0.0; ///< while any of its workers works
    double steps = 0.0;
    double tokens = 0.0;
    double requests = 0.0;  ///< answered
    double largestKv = 0.0; ///< tokens at one time, most
};
/// A stretch of a request's life.
struct SplitSpan {
    enum class What : std::uint8_t { Prefill, Transfer, Decode };
    double start = 0.0, end = 0.0; ///< s
    std::uint32_t index = 0;       ///< of the request
    std::uint32_t worker = 0;      ///< of prefill, numbered through; of decode the group
    What what = What::Prefill;
};
/// What the parts of a disaggregated run did.
struct SplitWork {
    std::uint64_t recorded = 0; ///< asked: of the first so many requests `spans` are kept
    std::vector<PrefillWork> prefill;
    std::vector<DecodeWork> decode;
    std::vector<SplitSpan> spans; ///< in the order of their ends
};

/// As serveDisaggregated(), for any traffic, with prefill and decode workers of several kinds, whose
/// transfers share the links `capacities` (B/s) fairly. All prompts wait in one queue. A router says where a
/// request decodes when its prefill ends: in the group that has least for its weight. Where a decode group
/// evicts, what is computed again goes first to a prefill worker, and over the links once more, with all
/// tokens that were given.
ServedRun serveSplit(const ServerTraffic& traffic, std::span<const PrefillGroup> prefill,
                     std::span<const DecodeGroup> decode, const std::vector<double>& capacities,
                     SplitWork& work, std::stop_token stop = {});

} // namespace heteroscape::engine
