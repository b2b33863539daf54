// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/fair_share.h"

#include <cstdint>
#include <functional>
#include <vector>

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
    struct Transfer {
        double end; ///< of Group::moved
        std::uint32_t index;
        bool operator>(const Transfer& other) const {
            return end != other.end ? end > other.end : index > other.index;
        }
    };
    struct Group {
        std::vector<ResourceUse> uses;
        std::vector<Transfer> transfers; ///< a heap
        double moved = 0.0;              ///< s of moving alone that each transfer was given
        double rate = 0.0;               ///< of each, of moving alone
        double doneAt() const;           ///< s from now
    };
    std::vector<double> m_capacities;
    std::vector<Group> m_groups;
    std::vector<double> m_carried; ///< B, of each link
    std::vector<double> m_busy;    ///< s in which it carried anything
    double m_now = 0.0;

    void advance(double now);
    void share();
};

} // namespace heteroscape::engine
