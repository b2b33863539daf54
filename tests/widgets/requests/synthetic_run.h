// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"
#include "widgets/document/simulation_runner.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace heteroscape::widgets::test {

/// A simulation by hand of so many requests on 1 A100 and 7 U280: each is prefilled, transferred and decoded
/// once, on the card that is free first; three segments each.
inline std::shared_ptr<const SimulationRun> syntheticRun(const engine::Catalog& catalog,
                                                         std::uint32_t requests) {
    constexpr std::uint32_t kCards = 7;
    auto run = std::make_shared<SimulationRun>();
    run->scenario = engine::loadPreset(catalog, "glitches/a100-7u280", "preset");
    auto& serving = run->serving;
    serving.nodes.resize(run->scenario.nodes.size());
    for (const auto kind : {engine::DeviceKind::Gpu, engine::DeviceKind::Fpga})
        for (std::size_t i = 0; i < run->scenario.nodes.size(); ++i)
            if (run->scenario.nodes[i].device.kind == kind) {
                serving.poolNodes.push_back(i);
                serving.nodes[i].replicas = kind == engine::DeviceKind::Gpu ? 1 : kCards;
            }
    auto& result = serving.result;
    result.lanes.push_back({0, 0, 0});
    for (std::uint32_t card = 0; card < kCards; ++card)
        result.lanes.push_back({1, card, 0});
    std::array<double, kCards> free{};
    double now = 0.0;
    for (std::uint32_t i = 0; i < requests; ++i) {
        using engine::ServingPhase;
        const double prefilled = now + 0.0004 + 1e-6 * (i % 97);
        result.segments.push_back({now, prefilled, now, i, 1, 0, ServingPhase::Prefill,
                                   now > 0.0 ? engine::WaitReason::ReplicasBusy : engine::WaitReason::None});
        const auto card =
            static_cast<std::uint32_t>(std::min_element(free.begin(), free.end()) - free.begin());
        const double start = std::max(prefilled, free[card]);
        const double moved = start + 1e-5 * (1 + i % 5);
        const double end = moved + 0.002 + 1e-5 * (i % 211);
        result.segments.push_back(
            {start, moved, start - prefilled, i, 1, card + 1, ServingPhase::KvTransfer,
             start > prefilled ? engine::WaitReason::DecodeBusy : engine::WaitReason::None});
        result.segments.push_back(
            {moved, end, 0.0, i, 1, card + 1, ServingPhase::Decode, engine::WaitReason::None});
        result.requests.push_back({{0.0, i, 1536, 512}, now, prefilled, moved, end});
        free[card] = end + 1e-5 * (i % 3);
        now = prefilled + 1e-5 * (i % 13);
        result.end = std::max(result.end, end);
    }
    result.arrived = result.done = requests;
    std::stable_sort(result.segments.begin(), result.segments.end(), [](const auto& a, const auto& b) {
        return std::pair(a.lane, a.start) < std::pair(b.lane, b.start);
    });
    return run;
}

} // namespace heteroscape::widgets::test
