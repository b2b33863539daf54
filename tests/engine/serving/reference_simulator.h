// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/simulation.h"

#include <deque>
#include <vector>

namespace heteroscape::engine::test {

/// What a request lived through.
struct ReferenceRequest {
    bool refused = false;
    bool done = false;
    double prefillStart = 0.0; ///< s
    double firstToken = 0.0;
    double decodeStart = 0.0;
    double finish = 0.0;
};

/// The rules of ServingSystem once more, as plainly as they can be said: every decode step is an event of its
/// own, and slots and memory are counted anew whenever they are asked for. Slow; for small systems.
class ReferenceSimulator {
public:
    ReferenceSimulator(const ServingSystem& system, const std::vector<TracedRequest>& requests);
    std::vector<ReferenceRequest> run();

private:
    static constexpr auto kNone = static_cast<std::size_t>(-1);
    enum class Where { Prefill, Staged, Moving, Decoder, Gone };
    enum class Doing { Nothing, Prefill, Chunk, Step };

    struct Unit { ///< requests that stay together
        std::vector<std::size_t> ids;
        double prompt = 0.0; ///< padded
        double output = 0.0;
        double steps = 0.0; ///< decoded
        Where where = Where::Prefill;
        std::size_t from = kNone;   ///< replica that prefilled it
        std::size_t at = kNone;     ///< replica that decodes it, or to which it moves
        std::size_t target = kNone; ///< that takes its KV cache while it is made
        bool joined = false;        ///< decodes, where it is at a replica
        bool inArea = false;        ///< kept in the staging area once it is made
        bool settled = false;       ///< staged, and known to have no replica yet
        double arrives = 0.0;       ///< s, of a move
        double count() const { return static_cast<double>(ids.size()); }
        double all() const { return count() * (prompt + output); }
    };
    struct Replica {
        std::size_t pool = 0;
        Doing doing = Doing::Nothing;
        double end = 0.0;
        double went = -1.0;    ///< when its stretch of steps went on last
        std::size_t order = 0; ///< of the beginning of the stretch
        std::size_t prefilling = kNone;
        double chunkDone = 0.0;
        double leftEmpty = -1.0; ///< its last prefill ended then, and nothing has decoded since it began
        bool stop = false;       ///< asked to, at the end of its step
        bool asks = false;       ///< wants to be told what to do next
    };

    const ServingSystem& m_system;
    const std::vector<TracedRequest>& m_requests;
    std::vector<ReferenceRequest> m_out;
    std::vector<Replica> m_replicas;
    std::vector<Unit> m_units;
    std::deque<std::size_t> m_waiting; // requests
    std::deque<std::size_t> m_staged;  // units
    std::deque<std::size_t> m_idleDecoders;
    std::deque<std::size_t> m_idlePrefillers;
    std::vector<std::size_t> m_asking; // replicas, in the order in which they came to ask
    std::size_t m_next = 0;
    std::size_t m_order = 0;
    double m_now = 0.0;

    const ServingPool& pool(std::size_t replica) const { return m_system.pools[m_replicas[replica].pool]; }
    bool grouped(std::size_t replica) const { return pool(replica).grouped && pool(replica).batch > 1; }
    // Counted anew
    std::vector<std::size_t> decoding(std::size_t replica) const;
    double slots(std::size_t replica) const;
    double promised(std::size_t replica, bool tokens) const;
    double memory(std::size_t replica) const;
    bool areaHolds(const Unit& wanted) const;
    double stagedRequests() const;
    double largest(Role role) const;

    bool fitsSomewhere(const TracedRequest& request) const;
    bool step();
    void ask(std::size_t replica);
    void prefilled(std::size_t replica);
    bool stepped(std::size_t replica);
    void dispatch();
    void place();
    bool hasRoom(std::size_t replica, double count, double tokens, bool beside) const;
    std::size_t decoderFor(double count, double tokens, bool beside) const;
    Unit nextUnit(std::size_t replica) const;
    bool admissible(std::size_t replica) const;
    void decide(std::size_t replica);
    void prefill(std::size_t replica);
    bool takeStaged(std::size_t replica);
    void begin(std::size_t replica, Doing doing, double seconds);
    double behind(std::size_t replica, double alone, double stage, double came) const;
    void go(std::size_t replica);
    void stop(std::size_t replica);
    DecodeBatch batch(std::size_t replica) const;
    bool askStops();
    double moveSeconds(const Unit& unit, std::size_t to, bool whileMade) const;
};

} // namespace heteroscape::engine::test
