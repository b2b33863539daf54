// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/split_lanes.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace heteroscape::engine {

KvWay kvWayOf(const KvRoute& route) {
    KvWay way;
    for (const auto& hop : route.hops) {
        way.latency += hop.latency;
        way.token = std::max(way.token, route.bytesPerToken / hop.bandwidth);
    }
    for (const auto& crossing : route.crossings)
        way.uses.push_back({crossing.link, route.bytesOnLinks / way.token});
    return way;
}

std::uint32_t freeSlot(std::vector<double>& slots, double start, double end) {
    const auto free = std::find_if(slots.begin(), slots.end(), [&](double until) { return until <= start; });
    const auto slot = static_cast<std::uint32_t>(free - slots.begin());
    if (free == slots.end())
        slots.push_back(end);
    else
        *free = end;
    return slot;
}

void recordSplit(Recorder& recorder, const ServingSystem& system, std::span<const std::size_t> prefillPools,
                 std::span<const std::size_t> decodePools, const ServedRun& run,
                 std::vector<SplitSpan> spans) {
    std::vector<ServingLane> workers; // of prefill, numbered through
    for (const auto pool : prefillPools)
        for (std::uint32_t replica = 0; replica < system.pools[pool].replicas; ++replica)
            workers.push_back({static_cast<std::uint32_t>(pool), replica, 0});
    std::stable_sort(spans.begin(), spans.end(), [](const SplitSpan& a, const SplitSpan& b) {
        return std::tie(a.start, a.index, a.what) < std::tie(b.start, b.index, b.what);
    });
    std::map<std::pair<std::uint32_t, double>, double> handedOver; // end by request and start
    for (const auto& span : spans)
        if (span.what == SplitSpan::What::Transfer)
            handedOver[{span.index, span.start}] = span.end;
    std::vector<std::vector<double>> prefillSlots(workers.size()), decodeSlots(decodePools.size());
    std::map<std::uint32_t, ServingLane> prefillLane; // of each request
    std::map<std::uint32_t, double> before;           // end of its span before
    for (const auto& [start, end, index, worker, what] : spans) {
        const auto known = before.find(index);
        const double since = known == before.end() ? run.answers[index].arrival : known->second;
        const double waited = std::max(0.0, start - since);
        before[index] = end;
        ServingLane lane;
        auto phase = ServingPhase::Decode;
        auto reason = WaitReason::DecodeBusy;
        if (what == SplitSpan::What::Prefill) {
            phase = ServingPhase::Prefill;
            reason = WaitReason::Queue;
            const auto moved = handedOver.find({index, end});
            const double until = moved == handedOver.end() ? end : moved->second;
            lane = workers[worker];
            lane.slot = freeSlot(prefillSlots[worker], start, until) + 1;
            prefillLane[index] = lane;
        } else if (what == SplitSpan::What::Transfer) {
            phase = ServingPhase::HandOver;
            lane = prefillLane[index];
        } else {
            const auto pool = decodePools[worker];
            const auto replicas = std::max(1u, system.pools[pool].replicas);
            const auto slot = freeSlot(decodeSlots[worker], start, end);
            lane = {static_cast<std::uint32_t>(pool), slot % replicas, slot / replicas + 1};
        }
        recorder.add(lane,
                     {start, end, waited, index, 1, 0, phase, waited > 0.0 ? reason : WaitReason::None});
    }
}

} // namespace heteroscape::engine
