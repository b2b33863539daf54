// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/request_lanes.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr double kEarly = 0.05; ///< of the run: a first arrival up to there is shown from time 0

} // namespace

RequestLanes::RequestLanes(std::shared_ptr<const SimulationRun> run)
    : m_run(std::move(run)), m_bins(result().segments, result().lanes.size()) {
    double end = result().firstArrival;
    for (const auto& one : result().segments)
        end = std::max(end, one.end);
    const double start = result().firstArrival < kEarly * end ? 0.0 : result().firstArrival;
    m_whole = {start, end > start ? end : start + 1.0};
    const auto& scenario = m_run->scenario;
    const auto& lanes = result().lanes;
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        const auto name = engine::servingLaneName(scenario, m_run->serving, i);
        const auto node = m_run->serving.poolNodes[lanes[i].pool];
        const auto filled = m_bins.filled(i, m_whole.from, m_whole.to);
        const auto of = [&](engine::ServingPhase phase) { return filled[static_cast<std::size_t>(phase)]; };
        m_lanes.push_back(
            {QString::fromStdString(name.title), QString::fromStdString(name.place),
             scenario.nodes[node].device.kind, i == 0 || lanes[i - 1].pool != lanes[i].pool,
             (of(engine::ServingPhase::Prefill) + of(engine::ServingPhase::Decode)) / m_whole.length()});
    }
}

bool RequestLanes::isComplete() const {
    return result().arrived + result().refused <= SimulationRunner::kRecorded;
}

std::uint64_t RequestLanes::recorded() const {
    return std::min(result().arrived + result().refused, SimulationRunner::kRecorded);
}

std::optional<std::size_t> RequestLanes::at(std::size_t lane, double seconds, double within) const {
    const auto [first, last] = m_bins.of(lane);
    const auto next = m_bins.firstEndingAfter(lane, seconds);
    std::optional<std::size_t> found;
    double best = within;
    if (next < last && segment(next).start <= seconds)
        return next;
    if (next < last && segment(next).start - seconds <= best) {
        found = next;
        best = segment(next).start - seconds;
    }
    if (next > first && seconds - segment(next - 1).end < best)
        found = next - 1;
    return found;
}

std::uint32_t RequestLanes::lastRequest(const engine::ServingSegment& segment) const {
    const auto simple = segment.request + segment.requests - 1;
    if (segment.requests == 1 || result().refused == 0)
        return simple;
    // A batch takes those that wait in their order; refused ones between them are in no batch.
    const auto& all = result().requests;
    const auto first = std::lower_bound(
        all.begin(), all.end(), segment.request,
        [](const engine::ServedRequest& one, std::uint32_t id) { return one.request.id < id; });
    const auto index = first - all.begin() + static_cast<std::ptrdiff_t>(segment.requests) - 1;
    return index < static_cast<std::ptrdiff_t>(all.size()) ? all[static_cast<std::size_t>(index)].request.id
                                                           : simple;
}

std::vector<std::size_t> RequestLanes::segmentsOf(std::uint32_t request) const {
    std::vector<std::size_t> found;
    const auto& all = result().segments;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].request == request ||
            (all[i].requests > 1 && all[i].request < request && request <= lastRequest(all[i])))
            found.push_back(i);
    std::stable_sort(found.begin(), found.end(),
                     [&](std::size_t a, std::size_t b) { return all[a].start < all[b].start; });
    return found;
}

const engine::ServedRequest* RequestLanes::served(std::uint32_t request) const {
    const auto& all = result().requests;
    const auto found = std::lower_bound(
        all.begin(), all.end(), request,
        [](const engine::ServedRequest& one, std::uint32_t id) { return one.request.id < id; });
    return found != all.end() && found->request.id == request ? &*found : nullptr;
}

std::optional<double> RequestLanes::arrivalOf(std::uint32_t request) const {
    if (const auto* found = served(request))
        return found->request.arrival;
    const auto segments = segmentsOf(request); // not finished: what it waited before its prefill tells
    if (segments.empty() || segment(segments.front()).request != request ||
        segment(segments.front()).phase != engine::ServingPhase::Prefill)
        return {};
    return segment(segments.front()).start - segment(segments.front()).waited;
}

} // namespace heteroscape::widgets
