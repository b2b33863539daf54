// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/serving/serving_fixtures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace heteroscape::engine::test {

double FakeTimes::prefill(double requests, double prompt, double) {
    return perPrefill + perPromptToken * requests * prompt;
}

double FakeTimes::decode(const DecodeBatch& batch, double steps) {
    const double keys = std::nearbyint(batch.requests * batch.context); // a mean times their number: whole
    return steps * (perStep + perRequest * batch.requests) +
           perKey * (keys * steps + batch.requests * (0.5 * steps * (steps + 1.0)));
}

PieceSeconds FakeTimes::pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) {
    double seconds = perChunk + (batch.requests > 0.0 ? decode(batch, 1.0) : 0.0);
    for (const auto& piece : prompts)
        seconds += perPromptToken * piece.tokens + perKey * piece.done;
    return {seconds, longest * seconds};
}

ServingPool poolOf(Role role, std::uint32_t replicas, ServiceTimes& times, std::uint32_t batch,
                   bool grouped) {
    ServingPool pool;
    pool.role = role;
    pool.replicas = replicas;
    pool.times = &times;
    pool.batch = batch;
    pool.grouped = grouped;
    return pool;
}

ServingSystem systemOf(std::vector<ServingPool> pools, const KvRoute& route, std::uint32_t stage) {
    ServingSystem system;
    system.routes.assign(pools.size() * pools.size(), route);
    system.pools = std::move(pools);
    system.stage = stage;
    return system;
}

KvRoute routeOf(double first, double second) {
    KvRoute route;
    route.layers = 1.0;
    route.bytesPerToken = 1.0;
    if (first > 0.0) {
        route.hops.push_back({1.0 / first, 0.0});
        route.stagedHops = 1;
    }
    route.hops.push_back({1.0 / second, 0.0});
    return route;
}

Serving servingOf(std::vector<TracedRequest> requests) {
    auto trace = std::make_shared<RequestTrace>();
    trace->requests = std::move(requests);
    Serving serving;
    serving.setTrace({"x", std::move(trace), {}});
    return serving;
}

Workload workloadOf(double prompt, double output) {
    Workload workload;
    workload.promptTokens.value = prompt;
    workload.outputTokens.value = output;
    return workload;
}

ServingResult simulated(const ServingSystem& system, const std::vector<TracedRequest>& requests,
                        SimulationOptions options) {
    const auto serving = servingOf(requests);
    options.recorded = requests.size();
    return simulateServing(system, RequestStream(serving, workloadOf()), options);
}

std::string laneText(const ServingResult& result, const ServingLane& lane) {
    static constexpr const char* kShort[] = {"P", "KV", "D"};
    std::string out;
    for (const auto& segment : result.segments) {
        if (result.lanes[segment.lane] != lane)
            continue;
        char text[80];
        std::snprintf(text, sizeof text, "%s%s%u %g-%g", out.empty() ? "" : ", ",
                      kShort[static_cast<std::size_t>(segment.phase)], segment.request, segment.start,
                      segment.end);
        out += text;
    }
    return out;
}

std::vector<double> finishes(const ServingResult& result) {
    std::vector<double> out;
    for (const auto& served : result.requests)
        out.push_back(served.finish);
    return out;
}

} // namespace heteroscape::engine::test
