// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/fair_share.h"
#include "engine/serving/server_loop.h"

namespace heteroscape::engine {

/// KV caches on their way over links that they share. Those that take the same links are a group and alike;
/// each moves at most as fast as it would alone, and groups share links fairly by the number of their
/// transfers (see shareFairly). Kept by what a transfer of each group has moved since the start.
class TransferNetwork {
public:
    /// `capacities`: B/s of each link.
    explicit TransferNetwork(std::vector<double> capacities = {});

    /// A group; `uses`: B/s of each link that one of its transfers takes while it moves as fast as alone.
    std::size_t addGroup(std::vector<ResourceUse> uses);

    /// A transfer that would take `seconds` alone. Calls come in the order of time.
    void add(std::size_t group, std::uint32_t index, double seconds, double now);
    /// When the next transfer is done, if none is added; endless: none is under way.
    double nextDone() const;
    /// Moves on to `now` and takes out those that are done by `until`, in the order of their indices.
    void takeDone(double now, double until, std::vector<std::uint32_t>& done);

    /// What the link that carried most carried while it carried anything, of its capacity.
    double largestShare() const;

private:
    struct Group {
        EndQueue<double, std::uint32_t> transfers; ///< by `moved`
        double moved = 0.0;                        ///< s of moving alone that each transfer was given
        double rate = 0.0;                         ///< of each, of moving alone
        double doneAt() const;                     ///< s from now
    };
    std::vector<double> m_capacities;
    std::vector<Group> m_groups;
    std::vector<Activity> m_activities; ///< of each group, with a resource of its own behind the links
    /// Links and those, as share() and advance() count; kept for its storage.
    std::vector<double> m_resources;
    std::vector<double> m_carried; ///< B, of each link
    std::vector<double> m_busy;    ///< s in which it carried anything
    double m_now = 0.0;

    void advance(double now);
    void share();
};

/// Where a request of a disaggregated run stands with its answer.
struct DecodeState {
    double context = 0.0; ///< when it last took a slot, or was evicted
    double steps = 0.0;   ///< left then
    bool begun = false;   ///< it has had a slot: its first token is given
};

/// Decode workers that are alike, as one fluid: between two events they make dt / T of a step,
///   T = T(n / workers, S / n + k / 2),   k steps to the next finish, or to a full KV cache
/// Source: silicon serving, section 6; eviction is that of ServerRules, carried over to the fluid.
/// With eviction KV caches grow as tokens come; the last block of each sequence counts as whole:
///   KV = S + n (block - 1) <= capacity
/// When it is full the request that took its slot last is evicted, until one more step fits. What is swapped
/// stops all its workers alike while it moves; it comes back before others take slots.
class DecodePool {
public:
    /// All outlive the pool; `states` is parallel to the requests.
    DecodePool(const ServingPool& pool, const ServerTraffic& traffic, std::vector<DecodeState>& states);

    bool swaps() const { return m_evicts && m_settings.eviction == Eviction::Swap; }
    /// Whether a request of this size can ever be answered here. Where room is set aside one that is too
    /// large is taken alone.
    bool holds(const RequestSize& size) const;
    /// What it would have to do with one more request, for its weight: the router gives the next to the
    /// least.
    double load() const { return (m_assigned + 1.0) / m_pool.weight; }
    void assign() { m_assigned += 1.0; }
    void leave() { m_assigned -= 1.0; } ///< it is sent back to a prefill worker
    void wait(std::uint32_t index);     ///< its KV cache is there

    /// The next request that takes a slot now; none: nothing waits, or there is no room.
    std::optional<std::uint32_t> take(double now);

    bool works() const { return m_running > 0.0; }
    /// When the next finishes, or the KV cache is full. Only where it works.
    double nextEvent(double now);
    /// On to `until`; `due`: that is what nextEvent() told.
    void advance(double now, double until, bool due);
    void takeDone(std::vector<std::uint32_t>& done);             ///< that are answered
    void evict(double now, std::vector<std::uint32_t>& evicted); ///< as there must be room

    const PoolWork& work() const { return m_work; } ///< seconds while any of its workers works

private:
    const ServingPool& m_pool;
    const ServerSettings& m_settings;
    const double m_workers;
    const ServerTraffic& m_traffic;
    std::vector<DecodeState>& m_states;
    const double m_slots;
    const double m_capacity;
    const bool m_evicts;

    std::deque<std::uint32_t> m_waiting;
    std::deque<std::uint32_t> m_back;           ///< evicted ones, that go first
    EndQueue<double, std::uint32_t> m_finishes; ///< by steps of the pool
    std::vector<std::uint32_t> m_joined;        ///< with eviction: what runs, in the order of slots
    double m_made = 0.0;                        ///< steps
    double m_running = 0.0;
    double m_contexts = 0.0;
    double m_kv = 0.0;        ///< set aside, where nothing is evicted
    double m_assigned = 0.0;  ///< on their way, waiting and running
    double m_movingTo = 0.0;  ///< s, until which swapping stops it
    double m_stepTime = 0.0;  ///< as the next two, from nextEvent()
    double m_stepsTo = 0.0;   ///< the event
    bool m_fullFirst = false; ///< the event is a full KV cache
    PoolWork m_work;

    double used() const; ///< KV tokens
    double room(std::uint32_t index) const;
    void move(double now, double tokens);
};

/// Serves a traffic by the pools of a system that prefill and those that decode: each replica is a worker,
/// that takes up to `server.sequences` requests a rank. Transfers share the system's links fairly. All
/// prompts wait in one queue, in the order of the first pool. A router says where a request decodes when its
/// prefill ends: in the pool that has least for its weight. Where a decode pool evicts, what is computed
/// again goes first to a prefill worker, and over the links once more, with all tokens that were given. The
/// traffic's front end and think time and `token` are not used. Source: silicon serving, section 6.
ServedRun serveSplit(const ServerTraffic& traffic, const ServingSystem& system,
                     const SimulationOptions& options = {});

} // namespace heteroscape::engine
