// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/serving/random_system.h"

#include <algorithm>
#include <random>
#include <sstream>

namespace heteroscape::engine::test {

namespace {

constexpr double kTick = 0x1p-20; // s

class Maker {
public:
    explicit Maker(std::uint64_t seed) : m_random(seed) {}

    RandomSystem make() {
        RandomSystem out;
        m_out = &out;
        m_longest = pick(2, 12);
        m_batch = chance(0.4) ? 1 : pick(2, 5);
        m_grouped = chance(0.5);
        m_chunk = chance(0.3) ? pick(1, 6) : 0;
        const auto form = pick(0, 4);
        std::vector<Role> roles;
        if (form == 0)
            roles.assign(pick(1, 2), Role::Both);
        else
            roles = {Role::Prefill, Role::Decode};
        if (form == 2)
            roles.push_back(Role::Decode);
        if (form == 3)
            roles.push_back(Role::Prefill);
        if (form == 4)
            roles.push_back(Role::Both);
        auto& system = out.system;
        if (chance(0.6))
            for (std::size_t i = pick(1, 2); i > 0; --i)
                system.staging.push_back(chance(0.3) ? kEndless : pick(m_longest, 4 * m_longest));
        for (const auto role : roles)
            addPool(role);
        for (const auto& from : system.pools)
            for (std::size_t to = 0; to < system.pools.size(); ++to)
                system.routes.push_back(route(from));
        system.assist = chance(0.6);
        system.preempt = chance(0.6);
        system.stage = pick(0, 4);
        addRequests();
        for (auto& times : out.times)
            if (chance(0.3)) {
                times.pipeline = pick(2, 4);
                times.longest = pick(1, 4) * 0.25;
            }
        return out;
    }

private:
    std::mt19937_64 m_random;
    RandomSystem* m_out = nullptr;
    std::uint32_t m_longest = 1;
    std::uint32_t m_batch = 1;
    std::uint32_t m_chunk = 0;
    bool m_grouped = kInGroups;

    std::uint32_t pick(std::uint32_t least, std::uint32_t most) { // the same on every machine
        return least + static_cast<std::uint32_t>(m_random() % (std::uint64_t{most} - least + 1));
    }
    bool chance(double share) { return static_cast<double>(m_random() >> 11) * 0x1p-53 < share; }
    double ticks(std::uint32_t most) { return pick(1, most) * kTick; }

    void addPool(Role role) {
        auto& times = m_out->times.emplace_back();
        times.perPrefill = chance(0.5) ? 0.0 : ticks(1 << 18);
        times.perPromptToken = ticks(1 << 18);
        times.perStep = ticks(1 << 18);
        times.perRequest = chance(0.5) ? 0.0 : ticks(1 << 16);
        times.perKey = chance(0.5) ? 0.0 : ticks(1 << 14);
        times.perChunk = ticks(1 << 16);
        const bool other = chance(0.1);
        auto pool = poolOf(role, pick(1, 3), times, m_batch, m_grouped != other);
        if (role == Role::Prefill && chance(0.2))
            pool.batch = 1;
        if (role != Role::Decode)
            pool.chunk = m_chunk;
        if (chance(0.4))
            pool.memory = pick(m_longest, 6 * m_longest);
        if (role == Role::Prefill && !m_out->system.staging.empty() && chance(0.8))
            pool.staging = pick(0, static_cast<std::uint32_t>(m_out->system.staging.size()) - 1);
        m_out->system.pools.push_back(pool);
    }

    KvRoute route(const ServingPool& from) {
        KvRoute route;
        route.layers = 1 << pick(0, 2);
        route.bytesPerToken = route.layers * pick(1, 3);
        const bool far = from.staging != ServingPool::kOwnMemory;
        for (std::size_t i = far ? 2 : 1; i > 0; --i)
            route.hops.push_back({0x1p3 * (1 << pick(0, 4)), chance(0.5) ? 0.0 : ticks(1 << 14)});
        if (!far && chance(0.1))
            route.hops.clear(); // both see the same memory
        route.stagedHops = far ? 1 : 0;
        return route;
    }

    void addRequests() {
        const auto count = pick(3, 40);
        const bool alike = chance(0.3);
        const auto gap = chance(0.3) ? 0 : pick(1, 1 << 23); // ticks, at most
        double now = chance(0.5) ? 0.0 : ticks(1 << 22);
        for (std::uint32_t i = 0; i < count; ++i) {
            if (gap > 0 && chance(0.8))
                now += ticks(gap);
            auto request = alike && i > 0 ? m_out->requests.front() : TracedRequest{};
            if (!alike || i == 0) {
                request.prompt = pick(1, m_longest);
                request.output = pick(1, m_longest);
            }
            request.arrival = now;
            m_out->requests.push_back(request);
        }
    }
};

} // namespace

std::string RandomSystem::text() const {
    std::ostringstream out;
    out << (system.assist ? system.preempt ? "preempt" : "wait" : "never") << ", stage " << system.stage;
    for (const auto area : system.staging)
        out << ", area " << area;
    for (const auto& pool : system.pools)
        out << "; " << roleName(pool.role) << " x" << pool.replicas << " batch " << pool.batch
            << (pool.grouped ? " static" : " continuous") << " chunk " << pool.chunk << " memory "
            << pool.memory << " staging " << static_cast<long>(pool.staging);
    for (const auto& request : requests)
        out << (&request == &requests.front() ? "; " : " ") << request.arrival << ":" << request.prompt << "+"
            << request.output;
    return out.str();
}

RandomSystem randomSystem(std::uint64_t seed) {
    return Maker(seed).make();
}

} // namespace heteroscape::engine::test
