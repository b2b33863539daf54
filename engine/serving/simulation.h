// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/batching_kind.h"
#include "engine/serving/distribution.h"
#include "engine/serving/service_times.h"
#include "engine/timing/collective.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <stop_token>
#include <vector>

namespace heteroscape::engine {

inline constexpr double kEndless = std::numeric_limits<double>::infinity();

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
    double kvTokens = kEndless; ///< KV cache of a rank, tokens
    Eviction eviction = Eviction::Reserved;
    double block = 1.0;     ///< tokens of KV cache that are taken together, where sequences can be evicted
    double swapToken = 0.0; ///< s to move one token's KV cache to the host or back
    QueueOrder order = QueueOrder::FirstCome;
    double request = 0.0;      ///< s that a request takes on its way, added to its first token
    double token = 0.0;        ///< s for each prompt token besides
    double frontRequest = 0.0; ///< s that the front end takes for a user's first request, one by one
    double frontToken = 0.0;   ///< s for each of its prompt tokens

    /// In whole blocks.
    double blocks(double tokens) const { return block <= 1.0 ? tokens : std::ceil(tokens / block) * block; }
    /// KV tokens that must be free for a request to be let in.
    double asked(double prompt, double output) const {
        const double tokens = prompt + reserve * output;
        return eviction == Eviction::Reserved ? tokens : blocks(tokens);
    }
    /// Requests alike that all ranks work on at once; those behind them are let in when one is answered.
    double atOnce(double prompt, double output) const {
        return std::min(sequences * ranks, std::floor(kvTokens * ranks / asked(prompt, output)));
    }
};

/// The replicas on one node: replicas that are alike.
struct ServingPool {
    Role role = Role::Both; ///< effective; no Fabric
    std::uint32_t replicas = 1;
    ServiceTimes* times = nullptr; ///< outlives the simulation
    std::uint32_t batch = 1;       ///< requests that a replica works on together, at most
    bool grouped = true;           ///< see BatchingPolicy
    std::uint32_t chunk = 0;       ///< tokens of a prompt in one step; 0: whole prompts
    bool countsGroups = false;     ///< keeps count of what it works on together, by its shape
    double memory = kEndless;      ///< tokens of KV cache that a replica holds
    /// Where a prefilled request waits for a decode replica: a staging area, or the replica's own memory.
    std::size_t staging = kOwnMemory;

    ServerSettings server; ///< with a rule: it serves step by step
    double weight = 1.0;   ///< what is served step by step is dealt out in proportion to it

    static constexpr auto kOwnMemory = static_cast<std::size_t>(-1);
};

/// How a KV cache gets from a prefill to a decode pool, layer by layer (see KvTransfer).
struct KvRoute {
    std::vector<Hop> hops; ///< empty: both see the same memory
    struct Crossing {
        std::size_t link = 0;      ///< of ServingSystem::links
        double startSeconds = 0.0; ///< that the link is taken by the start of its DMAs
    };
    std::vector<Crossing> crossings; ///< of each hop; empty: the links are never contended
    double bytesOnLinks = 0.0;       ///< of one token, in all layers, over all links side by side
    std::size_t stagedHops = 0;      ///< hops that a staged request has behind it: to the staging area
    double layers = 0.0;
    double bytesPerToken = 0.0; ///< in all layers, on each of the links side by side
    double senderToken = 0.0;   ///< s that the server which sends takes for a token, at least; of steps
    double senderLatency = 0.0; ///< s that it takes besides
};

/// What is simulated. Where a pool has a server's rule, all serve step by step (see serveBySteps()); else by
/// the rules that follow. Source: GLITCHES sections III and V (queues, KV transfer, policies), for any pools.
///
/// Requests wait in one queue, first come, first served. A replica that may prefill takes the head when it is
/// free and the head's KV cache fits; after it the request stays (Both) or is staged (Prefill) for a decode
/// replica. Staged requests go to decode replicas in their order, to the one that is idle longest, else to
/// the one with the fewest requests that has room. After all events of one instant, until nothing more can
/// begin:
///   1. decode replicas with room take staged heads;
///   2. a free prefill replica prefills when that is admissible: a decode replica has room, or fewer than
///      `stage` requests are staged. Otherwise, with assist, it decodes: what it had stopped, the staged
///      head, or, with nothing staged, the waiting head, which it prefills outside the stage;
///   3. with preempt, a replica that decodes stops at the end of its token while a prefill is admissible: one
///      replica for each request that waits, those with the fewest requests first.
/// A prefill is never interrupted. A replica that is not grouped that serves whole requests does the same
/// with its own room in place of the stage. In a grouped pool up to `batch` waiting requests make one unit
/// from prefill to the longest output, as many as memory holds where they are prefilled, staged and decoded.
///
/// Pipelines: a prefill (or a chunk beside no decode) that follows another at once went in behind it, as soon
/// as its requests were there: it ends max(stage, T - (now - arrival)) after it, where it takes T alone and
/// holds its longest stage for `stage`.
///
/// KV transfer: a decode replica that has room when the prefill starts, beside what has been promised to it,
/// takes the KV cache while it is made, and decodes after the tail that is left; otherwise what lies behind
/// the staging area is moved when one takes it. A slot is taken during the move. Memory for prompt and output
/// is set aside when a request comes to the replica that decodes it; the staging area's from the start of the
/// prefill to the end of the move. A request whose promise goes to one staged before it, and for which the
/// area has no room, stays where it was prefilled. What no decode replica holds is left to replicas of whole
/// requests.
///
/// Links: a KV transfer takes as long as it would alone, or until its links have moved all that came before
/// it and then its own bytes, whichever is longer. A link moves the KV caches in the order in which they are
/// transferred, at its bandwidth, from the start of a prefill that one is made in or else from its KV
/// transfer:
///   free = max(free, start) + bytes / bandwidth + DMA starts,   done = max(done alone, free of each link)
/// so that no link moves more than it can, and one that keeps up delays nothing.
struct ServingSystem {
    std::vector<ServingPool> pools;
    std::vector<KvRoute> routes; ///< pools x pools, [prefill * pools.size() + decode]
    std::vector<double> staging; ///< tokens that each staging area holds
    std::vector<double> links;   ///< B/s that each has for KV caches, all parallel ones together
    bool assist = false;         ///< prefill pools decode too
    bool preempt = true;         ///< and stop for a prefill
    std::uint32_t stage = 0;     ///< requests that may be staged
    // Of what is served step by step:
    UserPlan users;
    double prefixHits = 0.0;  ///< share of the tokens that prompts have in common whose KV cache is found
    double urgentShare = 0.0; ///< of requests that go first

    /// Whether requests are served step by step.
    bool bySteps() const {
        return std::any_of(pools.begin(), pools.end(),
                           [](const ServingPool& pool) { return pool.server.rule; });
    }
    const KvRoute& route(std::size_t from, std::size_t to) const { return routes[from * pools.size() + to]; }
};

/// The stage depth when none is given: the slots of decode replicas, twice that for assist without preempt;
/// but no less than what the prefill replicas finish together, which would keep each other waiting although
/// decode keeps up.
std::uint32_t defaultStage(const ServingSystem& system);

enum class ServingPhase : std::uint8_t { Prefill, KvTransfer, Decode };
inline constexpr std::size_t kServingPhaseCount = 3;
std::string_view servingPhaseKey(ServingPhase phase);   ///< "prefill", "kv_hand_over", "decode"
std::string_view servingPhaseLabel(ServingPhase phase); ///< "Prefill", "KV transfer", "Decode"

/// What a request waited for before a segment.
enum class WaitReason : std::uint8_t {
    None,         ///< it did not
    Queue,        ///< others came first
    ReplicasBusy, ///< head of the queue: every replica that may prefill was busy or full
    StageFull,    ///< head of the queue: enough requests were staged
    Memory,       ///< its KV cache did not fit
    DecodeBusy,   ///< staged: no decode replica had room
    Token,        ///< the running batch was within a token
    Preempted     ///< a prefill went first
};
inline constexpr std::size_t kWaitReasonCount = 8;
std::string_view waitReasonKey(WaitReason reason);  ///< "queue", "servers_busy", ...
std::string_view waitReasonText(WaitReason reason); ///< "others came first", ...

/// A row of the timeline: a replica, and what it works on side by side.
struct ServingLane {
    std::uint32_t pool = 0;
    std::uint32_t replica = 0; ///< within its pool
    std::uint32_t slot = 0;    ///< of replicas with a batch: 0 prefills, 1.. the requests that decode

    auto operator<=>(const ServingLane&) const = default;
};

/// A stretch of a request's life on one lane. A decode that is stopped gives several; in a batch one, from
/// joining to leaving, with the prefills that it stood still for.
struct ServingSegment {
    double start = 0.0; ///< s
    double end = 0.0;
    double waited = 0.0;       ///< s, since the segment before or the arrival
    std::uint32_t request = 0; ///< id; of a static batch the first
    std::uint32_t requests = 1;
    std::uint32_t lane = 0; ///< index in ServingResult::lanes
    ServingPhase phase = ServingPhase::Prefill;
    WaitReason reason = WaitReason::None;
};

/// One finished request, as whoever sent it has it. Times s.
struct ServedRequest {
    Request request;
    double prefillStart = 0.0;
    double firstToken = 0.0; ///< end of the prefill
    double decodeStart = 0.0;
    double finish = 0.0;
    double overhead = 0.0;       ///< what ServerSettings::request and token add to firstToken and finish
    bool firstInPrefill = false; ///< the prefill gives the first token, as those of servers do

    double ttft() const { return firstToken - request.arrival; }
    double latency() const { return finish - request.arrival; }
    /// NaN where no token is left after the prefill.
    double tpot() const { return (finish - firstToken) / (request.output - (firstInPrefill ? 1.0 : 0.0)); }
};

/// What is worked on together: requests, and the longest prompt and output among them.
struct GroupShape {
    std::uint32_t requests = 0;
    std::uint32_t prompt = 0;
    std::uint32_t output = 0;
    auto operator<=>(const GroupShape&) const = default;
};
struct GroupWork {
    double prefills = 0.0;
    double decodes = 0.0;
};

/// What one pool did.
struct PoolWork {
    double prefillSeconds = 0.0; ///< summed up over its replicas; steps with a chunk of a prompt count here
    double decodeSeconds = 0.0;
    double transferSeconds = 0.0; ///< slots taken by a KV cache on its way
    double promptTokens = 0.0;    ///< prefilled
    double outputTokens = 0.0;    ///< decoded
    double prefills = 0.0;        ///< static batches, or requests
    double decodes = 0.0;
    double largestKv = 0.0;                 ///< tokens set aside at one time, most; of servers
    std::map<GroupShape, GroupWork> groups; ///< whole ones; of pools that count them
};

struct SimulationOptions;

struct ServingResult {
    std::uint64_t arrived = 0;
    std::uint64_t done = 0;
    std::uint64_t running = 0; ///< at the end: in a prefill, a KV transfer, a decode, or stopped
    std::uint64_t queued = 0;  ///< at the end: waiting or staged
    std::uint64_t refused = 0; ///< KV cache larger than any replica's memory or way; not counted as arrived
    double firstArrival = 0.0; ///< s
    double end = 0.0;          ///< s, where the simulation ended
    bool cancelled = false;

    Distribution wait;      ///< s, arrival to start of prefill
    Distribution ttft;      ///< s, arrival to end of prefill
    Distribution tpot;      ///< s per output token after the prefill, with all interruptions
    Distribution latency;   ///< s, arrival to last token
    std::uint64_t good = 0; ///< done within all limits
    bool limited = false;   ///< there are limits
    /// Of users in a closed loop: the requests sent at the start, and all others.
    Distribution firstWave; ///< s, TTFT
    Distribution later;
    double evictions = 0.0;
    bool growsKv = false;      ///< by servers that evict
    double outputTokens = 0.0; ///< of finished requests

    double tokenRate = 0.0;   ///< output tokens/s, see RunRate
    double requestRate = 0.0; ///< requests/s
    double ratedTokens = 0.0; ///< what these two are counted from
    double ratedRequests = 0.0;
    double ratedSeconds = 0.0;

    double systemSeconds = 0.0;  ///< request seconds: the number in the system, integrated over time
    double sojournSeconds = 0.0; ///< request seconds: the times in the system, summed up over requests

    std::vector<PoolWork> pools;     ///< parallel to ServingSystem::pools
    std::vector<double> routeTokens; ///< prompt tokens that have arrived, parallel to ServingSystem::routes
    DepthSeries depth;

    std::vector<ServingLane> lanes;       ///< sorted
    std::vector<ServingSegment> segments; ///< by lane, then start; within a lane they do not overlap
    std::vector<ServedRequest> requests;  ///< by id

    double seconds() const { return end > firstArrival ? end - firstArrival : 0.0; }
    /// Counts a request that is done, within the limits or not.
    void countDone(const Request& request, double ttftSeconds, double tpotSeconds, double latencySeconds,
                   const SimulationOptions& options);
    /// Little's law: |L - lambda W| / L, where L T is systemSeconds and lambda W T sojournSeconds.
    double littleError() const;
};

/// The rates of a run: what was made by the time in which it was made, from the first arrival to the last
/// token, or to where the run was stopped.
///
/// Where each replica works on one request at a time, requests end as evenly as tokens are made. There the
/// middle of the run, between the completions number n/4 and 3n/4 (from 0), leaves start and finish out, and
/// stands for the run where it is steady: its rate is the whole run's but for kSteady of it. Source: GLITCHES
/// section 4. Replicas that work on several end them together: what lies between two completions was not made
/// between them.
class RunRate {
public:
    static constexpr double kSteady = 0.02;

    /// Of `requests`; `oneByOne`: each replica works on one at a time.
    RunRate(std::uint64_t requests, bool oneByOne);
    /// In the order of time.
    void finish(double now, double tokens);
    /// Sets the rates of a run that began at `begin`. `left`: tokens that were made for requests that were
    /// under way at the end; none: it ended with the last token.
    void into(ServingResult& result, double begin, double end, std::optional<double> left) const;

private:
    struct Made {
        double time = 0.0;
        double tokens = 0.0;
        double requests = 0.0;
    };
    bool m_oneByOne;
    double m_firstQuarter;
    double m_thirdQuarter;
    Made m_made; ///< so far
    Made m_first, m_third;
};

struct SimulationOptions {
    double ttftLimit = kEndless; ///< s
    double tpotLimit = kEndless;
    double latencyLimit = kEndless; ///< s, end to end
    double until = kEndless;        ///< s; stops there, with what is running and queued
    std::uint64_t recorded = 0;     ///< requests (the first so many) whose segments are kept
    /// Waits, latencies and numbers over time, too; steps of servers leave them out where only TTFT and TPOT
    /// are asked for.
    bool whole = true;
    std::stop_token stop{}; ///< looked at every few thousand events
    std::function<void(std::uint64_t done, std::uint64_t size)> progress{}; ///< at the same times
};

/// Simulates the requests through the system. One thread; the same input gives the same result to the last
/// bit. Memory grows with what is in the system at one time and what is recorded, not with the stream.
ServingResult simulateServing(const ServingSystem& system, RequestStream requests,
                              const SimulationOptions& options = {});

/// Keeps the segments of the first requests of a simulation.
class Recorder {
public:
    explicit Recorder(std::uint64_t requests) : m_requests(requests) {}

    bool keeps(std::uint32_t request) const { return request < m_requests; }
    void add(const ServingLane& lane, const ServingSegment& segment); ///< of no length: left out
    void add(const ServedRequest& request) { m_served.push_back(request); }

    /// Moves everything into the result, in its order.
    void moveInto(ServingResult& result);

private:
    std::uint64_t m_requests;
    std::map<ServingLane, std::uint32_t> m_lanes; // to the order in which they were met
    std::vector<ServingSegment> m_segments;
    std::vector<ServedRequest> m_served;
};

} // namespace heteroscape::engine
