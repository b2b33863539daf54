// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/simulation.h"

#include "engine/serving/batch_rules.h"
#include "engine/serving/server_loop.h"

#include "engine/serving/service_times.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace heteroscape::engine {

void Recorder::add(const ServingLane& lane, const ServingSegment& segment) {
    if (!(segment.end > segment.start))
        return;
    const auto met = m_lanes.emplace(lane, static_cast<std::uint32_t>(m_lanes.size())).first->second;
    m_segments.push_back(segment);
    m_segments.back().lane = met;
}

void Recorder::moveInto(ServingResult& result) {
    std::vector<std::uint32_t> place(m_lanes.size()); // of lanes in the order met
    for (const auto& [lane, met] : m_lanes) {
        place[met] = static_cast<std::uint32_t>(result.lanes.size());
        result.lanes.push_back(lane);
    }
    for (auto& segment : m_segments)
        segment.lane = place[segment.lane];
    std::sort(m_segments.begin(), m_segments.end(), [](const ServingSegment& a, const ServingSegment& b) {
        return std::tuple(a.lane, a.start, a.end, a.request) < std::tuple(b.lane, b.start, b.end, b.request);
    });
    std::sort(m_served.begin(), m_served.end(),
              [](const ServedRequest& a, const ServedRequest& b) { return a.request.id < b.request.id; });
    result.segments = std::move(m_segments);
    result.requests = std::move(m_served);
}

bool EventLoop::runTo(double until, const SimulationOptions& options) {
    constexpr std::uint64_t kEventsBetweenLooks = 4096;
    for (std::uint64_t events = 0;; ++events) {
        if (events % kEventsBetweenLooks == 0) {
            if (options.stop.stop_requested())
                return false;
            if (options.progress)
                options.progress(m_done, m_size);
        }
        begin();
        const double next = nextEvent();
        if (next == kEndless)
            return true;
        const double now = next > until ? std::max(m_now, until) : next;
        m_systemSeconds += m_inSystem * (now - m_now);
        m_now = now;
        if (next > until)
            return true;
        end();
    }
}

void ServingResult::countDone(const Request& request, double ttftSeconds, double tpotSeconds,
                              double latencySeconds, const SimulationOptions& options) {
    ++done;
    outputTokens += request.output;
    sojournSeconds += latencySeconds;
    if (ttftSeconds <= options.ttftLimit && tpotSeconds <= options.tpotLimit &&
        latencySeconds <= options.latencyLimit)
        ++good;
}

double ServingResult::littleError() const {
    return systemSeconds > 0.0 ? std::fabs(systemSeconds - sojournSeconds) / systemSeconds : 0.0;
}

ServingResult simulateServing(const ServingSystem& system, RequestStream requests,
                              const SimulationOptions& options) {
    return system.bySteps() ? serveBySteps(system, requests, options)
                            : BatchRules(system, requests, options).run();
}

RunRate::RunRate(std::uint64_t requests, bool oneByOne)
    : m_oneByOne(oneByOne && requests >= 8), m_firstQuarter(static_cast<double>(requests / 4 + 1)),
      m_thirdQuarter(static_cast<double>(requests * 3 / 4 + 1)) {}

void RunRate::finish(double now, double tokens) {
    m_made = {now, m_made.tokens + tokens, m_made.requests + 1.0};
    if (m_made.requests == m_firstQuarter)
        m_first = m_made;
    if (m_made.requests == m_thirdQuarter)
        m_third = m_made;
}

void RunRate::into(ServingResult& result, double begin, double end, std::optional<double> left) const {
    const Made from{begin, 0.0, 0.0};
    const Made to = left ? Made{end, m_made.tokens + *left, m_made.requests} : m_made;
    const auto rate = [&](const Made& since, const Made& until) {
        result.ratedSeconds = until.time - since.time;
        result.ratedTokens = until.tokens - since.tokens;
        result.ratedRequests = until.requests - since.requests;
        result.tokenRate = result.ratedTokens / result.ratedSeconds;
        result.requestRate = result.ratedRequests / result.ratedSeconds;
    };
    if (!(to.time > from.time))
        return;
    rate(from, to);
    if (!m_oneByOne || !(m_third.time > m_first.time))
        return;
    const double whole = result.tokenRate;
    rate(m_first, m_third);
    if (std::fabs(result.tokenRate - whole) > kSteady * whole)
        rate(from, to);
}

std::uint32_t defaultStage(const ServingSystem& system) {
    std::uint32_t slots = 0;
    std::uint32_t together = 0;
    for (const auto& pool : system.pools) {
        if (pool.role == Role::Decode)
            slots += pool.replicas * pool.batch;
        if (pool.role == Role::Prefill)
            together += pool.replicas * (pool.grouped ? pool.batch : 1);
    }
    return std::max(together, system.assist && !system.preempt ? 2 * slots : slots);
}

std::string_view servingPhaseKey(ServingPhase phase) {
    constexpr std::array<std::string_view, kServingPhaseCount> keys{"prefill", "kv_hand_over", "decode"};
    return keys[static_cast<std::size_t>(phase)];
}

std::string_view servingPhaseLabel(ServingPhase phase) {
    constexpr std::array<std::string_view, kServingPhaseCount> labels{"Prefill", "KV transfer", "Decode"};
    return labels[static_cast<std::size_t>(phase)];
}

std::string_view waitReasonKey(WaitReason reason) {
    constexpr std::array<std::string_view, kWaitReasonCount> keys{
        "none", "queue", "servers_busy", "stage_full", "memory", "decode_busy", "token", "preempted"};
    return keys[static_cast<std::size_t>(reason)];
}

std::string_view waitReasonText(WaitReason reason) {
    constexpr std::array<std::string_view, kWaitReasonCount> texts{
        "it did not wait",
        "others came first",
        "every device that may prefill was busy or full",
        "enough requests were prefilled and waiting for a decode device",
        "its KV cache did not fit into memory",
        "no decode device had room",
        "the running batch had to finish its token",
        "a prefill went first"};
    return texts[static_cast<std::size_t>(reason)];
}

RequestStream::RequestStream(const Serving& serving, const Workload& workload)
    : m_source(serving.arrivals->requests(serving, workload)) {
    m_shape.prompt = static_cast<std::uint32_t>(workload.promptTokens.value);
    m_shape.output = static_cast<std::uint32_t>(workload.outputTokens.value);
}

std::optional<Request> RequestStream::next() {
    if (m_shape.id == m_source->size())
        return std::nullopt;
    auto request = m_shape;
    ++m_shape.id;
    m_source->next(request);
    return request;
}

} // namespace heteroscape::engine
