// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/server/transfer_network.h"

#include <algorithm>
#include <limits>

namespace heteroscape::engine {

TransferNetwork::TransferNetwork(std::vector<double> capacities)
    : m_capacities(std::move(capacities)), m_carried(m_capacities.size(), 0.0),
      m_busy(m_capacities.size(), 0.0) {}

std::size_t TransferNetwork::addGroup(std::vector<ResourceUse> uses) {
    m_groups.emplace_back().uses = std::move(uses);
    return m_groups.size() - 1;
}

double TransferNetwork::Group::doneAt() const {
    return transfers.empty() ? std::numeric_limits<double>::infinity()
                             : (transfers.front().end - moved) / rate;
}

void TransferNetwork::add(std::size_t group, std::uint32_t index, double seconds, double now) {
    advance(now);
    auto& to = m_groups[group];
    to.transfers.push_back({to.moved + seconds, index});
    std::push_heap(to.transfers.begin(), to.transfers.end(), std::greater<>());
    share();
}

double TransferNetwork::nextDone() const {
    double next = std::numeric_limits<double>::infinity();
    for (const auto& group : m_groups)
        next = std::min(next, group.doneAt());
    return m_now + next;
}

void TransferNetwork::takeDone(double now, double until, std::vector<std::uint32_t>& done) {
    done.clear();
    advance(now);
    for (auto& group : m_groups)
        while (m_now + group.doneAt() <= until) {
            done.push_back(group.transfers.front().index);
            std::pop_heap(group.transfers.begin(), group.transfers.end(), std::greater<>());
            group.transfers.pop_back();
        }
    std::sort(done.begin(), done.end());
    if (!done.empty())
        share();
}

double TransferNetwork::largestShare() const {
    double largest = 0.0;
    for (std::size_t l = 0; l < m_capacities.size(); ++l)
        if (m_busy[l] > 0.0)
            largest = std::max(largest, m_carried[l] / (m_busy[l] * m_capacities[l]));
    return largest;
}

void TransferNetwork::advance(double now) {
    const double seconds = now - m_now;
    if (!(seconds > 0.0))
        return;
    std::vector<double> bytes(m_capacities.size(), 0.0);
    for (auto& group : m_groups) {
        const double each = group.rate * seconds;
        if (group.transfers.empty())
            continue;
        group.moved += each;
        for (const auto& use : group.uses)
            bytes[use.resource] += use.amount * each * static_cast<double>(group.transfers.size());
    }
    for (std::size_t l = 0; l < bytes.size(); ++l)
        if (bytes[l] > 0.0) {
            m_carried[l] += bytes[l];
            m_busy[l] += seconds;
        }
    m_now = now;
}

/// Each group has one more resource of its own: its transfers at the rate at which each moves alone.
void TransferNetwork::share() {
    std::vector<Activity> activities;
    auto left = m_capacities;
    for (const auto& group : m_groups) {
        const auto transfers = static_cast<double>(group.transfers.size());
        Activity activity;
        activity.weight = transfers;
        activity.uses = group.uses;
        activity.uses.push_back({left.size(), 1.0});
        left.push_back(transfers);
        activities.push_back(std::move(activity));
    }
    shareFairly(activities, left);
    for (std::size_t g = 0; g < m_groups.size(); ++g)
        m_groups[g].rate = activities[g].weight > 0.0 ? activities[g].rate / activities[g].weight : 0.0;
}

} // namespace heteroscape::engine
