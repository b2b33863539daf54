// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/event_loop.h"

#include <deque>
#include <utility>

namespace heteroscape::engine {

/// The rules of ServingSystem: batches of requests that wait in one queue.
class BatchRules final : public EventLoop {
public:
    BatchRules(const ServingSystem& system, RequestStream& requests, const SimulationOptions& options);
    ServingResult run();

private:
    static constexpr auto kNone = static_cast<std::uint32_t>(-1);

    /// Requests that are prefilled together: the head of the queue, and those that a static batch takes
    /// besides.
    struct Group {
        std::uint32_t count = 0;
        std::uint32_t prompt = 0; ///< the longest
        std::uint32_t output = 0;
        double promptTokens() const { return static_cast<double>(count) * prompt; }
        double allTokens() const {
            return static_cast<double>(count) * (static_cast<double>(prompt) + output);
        }
    };

    /// A group that stays together.
    struct Job : Group {
        std::vector<Request> members;
        std::uint32_t left = 0; ///< members that are not done
        double prefillStart = 0.0;
        double firstToken = 0.0;
        double decodeStart = 0.0;
        double ready = 0.0;           ///< when its last segment ended
        std::uint32_t from = kNone;   ///< replica that prefilled it
        std::uint32_t target = kNone; ///< decode replica that takes its KV cache while it is made
        double piece = 0.0;           ///< when its KV transfer, or the running stretch of its decode, began
        std::uint32_t slot = 0;
        bool inArea = false; ///< kept in the staging area once it is made
        WaitReason reason = WaitReason::None;

        GroupShape shape() const { return {count, prompt, output}; }
    };

    enum class State : std::uint8_t { Free, Prefill, Decode, Chunk };

    struct Replica {
        std::uint32_t pool = 0;
        State state = State::Free;
        double used = 0.0;          ///< tokens of KV cache
        std::uint32_t requests = 0; ///< that decode here, or whose KV cache is coming
        std::uint32_t targeted = 0; ///< that will come when their prefill ends
        double targetedTokens = 0.0;
        std::uint32_t active = 0; ///< that decode; of a static batch all until the last is done
        double context = 0.0;     ///< tokens, summed up over the active
        std::uint64_t steps = 0;  ///< decode steps done
        EndQueue<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> finishes; ///< by steps: job, member
        std::vector<std::uint32_t> joining; ///< jobs that decode from the next step on
        std::uint32_t lead = kNone;         ///< job whose shape a static batch has
        std::uint32_t prefilling = kNone;
        std::uint32_t chunkDone = 0;  ///< tokens
        double prefilledUntil = -1.0; ///< when its last prefill, or chunk beside no decode, ended
        double began = 0.0;           ///< what runs
        double runSteps = 0.0;
        std::uint32_t generation = 0; ///< of what runs; older events are void
        bool stopAsked = false;
        bool stopped = false;    ///< the batch stands still for a prefill
        std::vector<char> slots; ///< taken, of replicas with several lanes; kept up while recording
        bool queued = false;     ///< in m_boundary
    };

    enum class EventKind : std::uint8_t { PrefillDone, RunDone, ChunkDone, Arrived };
    struct Event {
        std::uint64_t order;
        std::uint32_t replica;
        std::uint32_t job; ///< Arrived: whose KV cache; else the generation
        EventKind kind;
        bool operator>(const Event& other) const { return order > other.order; }
    };

    const ServingSystem& m_system;
    RequestStream& m_stream;
    const SimulationOptions& m_options;
    ServingResult m_result;
    Recorder m_recorder;
    std::uint64_t m_order = 0;
    EndQueue<double, Event> m_events;
    std::vector<Replica> m_replicas;
    std::vector<std::uint32_t> m_firstReplica; // of each pool
    std::vector<std::uint32_t> m_prefillers;   // replicas that may prefill
    std::vector<std::uint32_t> m_decoders;     // replicas of decode pools
    double m_largestDecode = 0.0;              // tokens that a decode replica holds, at most
    bool m_batchedDecode = false;              // some decode replica takes more than one
    std::vector<Job> m_jobs;
    std::vector<std::uint32_t> m_freeJobs;
    std::optional<Request> m_next;
    std::deque<Request> m_waiting;
    WaitReason m_headReason = WaitReason::None; // why a free replica did not take the head
    double m_headSince = 0.0;                   // when the head became the head
    std::deque<std::uint32_t> m_staged;
    std::uint32_t m_stagedRequests = 0;
    std::vector<double> m_areaUsed;
    std::vector<double> m_linkFree;             // when each link has moved what it was given
    std::deque<std::uint32_t> m_idleDecoders;   // first come, first served
    std::deque<std::uint32_t> m_idlePrefillers; // the same
    std::vector<std::uint32_t> m_boundary;      // replicas whose work ended in this instant
    std::vector<std::uint32_t> m_ended;         // the same while they are asked what next
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_stoppable; // requests, replica
    Depth m_depth;
    double m_arrivals = 0.0;     // times of arrival of all in the system, summed up
    double m_arrivalsLost = 0.0; // what rounding took off that sum (Neumaier): it grows large and goes back
    RunRate m_rate;

    const ServingPool& poolOf(const Replica& replica) const { return m_system.pools[replica.pool]; }
    std::uint32_t indexOf(const Replica& replica) const {
        return static_cast<std::uint32_t>(&replica - m_replicas.data());
    }

    // batch_rules.cpp: what happens
    void begin() override { dispatch(); }
    double nextEvent() override;
    void end() override;
    void admitArrivals();
    bool fitsSomewhere(const Request& request) const;
    void handle(const Event& event);
    void post(double time, EventKind kind, std::uint32_t replica, std::uint32_t job);
    void endPrefill(Replica& replica);
    void endRun(Replica& replica);
    void endChunk(Replica& replica);
    void countSteps(Replica& replica, double steps);
    void finish(Replica& replica, std::uint32_t job, std::uint32_t member);
    void toBoundary(Replica& replica);
    void addToArrivals(double time);
    void close();
    double tokensUnderWay();
    std::uint32_t newJob();

    // batch_dispatch.cpp: what is decided
    void dispatch();
    void placeStaged();
    void askIdle();
    void releaseTargets();
    void releaseTarget(const Job& job);
    std::uint32_t decoderFor(double requests, double tokens, bool beside) const;
    bool hasRoom(const Replica& replica, double requests, double tokens, bool beside) const;
    void transfer(std::uint32_t job, Replica& to, bool pipelined);
    double takeLinks(const KvRoute& route, const Job& job, bool pipelined);
    bool startPrefill(Replica& replica);
    Group nextGroup(const Replica& replica) const {
        const auto& head = m_waiting.front();
        return isGrouped(poolOf(replica)) ? nextBatch(replica) : Group{1, head.prompt, head.output};
    }
    Group nextBatch(const Replica& replica) const;
    bool areaHolds(const ServingPool& pool, double tokens) const;
    bool admissible(const Replica& replica, WaitReason* reason) const;
    void beginPrefill(Replica& replica);
    /// Seconds of what a replica prefills now, beside no decode, of requests that have been there `since`.
    double prefillSeconds(const Replica& replica, const PieceSeconds& times, double since) const;
    bool decodeInstead(Replica& replica);
    bool takeStaged(Replica& replica);
    void decide(Replica& replica);
    void join(Replica& replica);
    void startWork(Replica& replica);
    void startRun(Replica& replica);
    void startChunk(Replica& replica);
    DecodeBatch batchOf(const Replica& replica) const;
    void askToStop();
    bool mayStop(const Replica& replica) const;
    double stepsBegun(const Replica& replica) const;
    void stopAtToken(Replica& replica);
    bool isDecoder(const Replica& replica) const { return poolOf(replica).role == Role::Decode; }
    bool isGrouped(const ServingPool& pool) const { return pool.grouped && pool.batch > 1; }
    bool hasOneLane(const Replica& replica) const {
        const auto& pool = poolOf(replica);
        return (pool.batch == 1 && pool.chunk == 0) || isGrouped(pool);
    }

    // batch_rules.cpp: what is written down
    void record(const Replica& replica, Job& job, ServingPhase phase, double start);
    void takeSlot(Replica& replica, Job& job);
    void leaveSlot(Replica& replica, const Job& job);
};

} // namespace heteroscape::engine
