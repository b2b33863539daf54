// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/timeline_export.h"

#include "engine/base/json.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

StepTimeline figureOne(bool prefetch) {
    const auto scenario = preset("preserve/llama3-70b-8npu");
    return stepTimeline(prefetch ? scenario : withoutTechnique(scenario), NodeId{"npu"}, Phase::Decode);
}

} // namespace

TEST_CASE("a Chrome trace holds every segment, in lanes that never overlap, up to the end of the step") {
    const auto with = figureOne(true), without = figureOne(false);
    const auto json = parseJson(chromeTrace({{"with", with}, {"without", without}}), "trace");
    std::map<std::pair<int, int>, double> laneEnd; // process and thread: where its last event ends
    std::map<int, double> end;
    std::map<int, std::size_t> events;
    std::map<int, std::string> names;
    for (const auto& event : json.at("traceEvents")) {
        const int pid = event.at("pid");
        if (event.at("ph") == "M") {
            if (event.at("name") == "process_name")
                names[pid] = event.at("args").at("name");
            continue;
        }
        CHECK(event.at("ph") == "X");
        const double start = event.at("ts"), length = event.at("dur");
        CHECK(length > 0.0);
        auto& last = laneEnd[{pid, event.at("tid")}];
        CHECK(start >= last - 1e-6);
        last = start + length;
        end[pid] = std::max(end[pid], last);
        ++events[pid];
    }
    CHECK(names == std::map<int, std::string>{{1, "with"}, {2, "without"}});
    CHECK(laneEnd.size() == 6);
    CHECK(events[1] == with.segments.size());
    CHECK(events[2] == without.segments.size());
    CHECK(off(end[1], with.seconds * 1e6) < 1e-9);
    CHECK(off(end[2], without.seconds * 1e6) < 1e-9);
}

TEST_CASE("the events of a Chrome trace are those of PRESERVE, Fig 1, with what is known of them") {
    const auto json = parseJson(chromeTrace({{"without", figureOne(false)}, {"with", figureOne(true)}}), "");
    const auto find = [&json](int pid, const std::string& name) -> Json {
        for (const auto& event : json.at("traceEvents"))
            if (event.at("ph") == "X" && event.at("pid") == pid && event.at("name") == name)
                return event;
        return {};
    };
    // The first layer without prefetch ends at 128.53 us, its FFN gate runs from 73.47 to 91.82 us.
    const auto gate = find(1, "FFN gate");
    CHECK(gate.at("ts").get<double>() == doctest::Approx(73.47).epsilon(1e-4));
    CHECK(gate.at("dur").get<double>() == doctest::Approx(91.82 - 73.47).epsilon(1e-3));
    CHECK(gate.at("args").at("operator") == "gate_proj");
    CHECK(gate.at("args").at("layer") == 0);
    CHECK(gate.at("args").at("hit") == false);
    CHECK(find(2, "FFN gate").at("args").at("hit") == true);
    const auto read = find(2, "Prefetch: FFN gate");
    CHECK(read.at("cat") == "prefetch");
    CHECK(read.at("args").at("bytes").get<double>() == doctest::Approx(8192.0 * 28672.0 / 8.0));
    CHECK(find(1, "LM head").at("args").at("layer") == "head");
    CHECK(!find(1, "FFN allreduce").at("args").contains("hit"));
}

TEST_CASE("the same timeline gives the same trace; none gives an empty one") {
    CHECK(chromeTrace({{"a", figureOne(true)}}) == chromeTrace({{"a", figureOne(true)}}));
    CHECK(parseJson(chromeTrace({}), "trace").at("traceEvents").empty());
}

TEST_CASE("the trace of an offloaded step names its lanes and says how fast what flows there, and why") {
    const auto step = stepTimeline(preset("inf2/opt-30b-a100-16csd"), NodeId{"gpu"}, Phase::Decode);
    const auto json = parseJson(chromeTrace({{"step", step}}), "trace");
    std::map<int, std::string> lanes;
    std::map<std::string, Json> first; // event of a name
    for (const auto& event : json.at("traceEvents"))
        if (event.at("ph") == "M" && event.at("name") == "thread_name")
            lanes[event.at("tid")] = event.at("args").at("name");
        else if (event.at("ph") == "X")
            first.emplace(event.at("name"), event);
    const auto lane = [&](Lane which) { return lanes[static_cast<int>(which)]; };
    CHECK(lane(Lane::Compute) == "GPU (A100 40GB, INF2)");
    CHECK(lane(Lane::Pcie) == "PCIe (PCIe 4.0 x16, pinned)");
    CHECK(lane(Lane::Csd) == "CSD kernels (16 \u00d7 SmartSSD)");
    CHECK(lane(Lane::StorageWrite) == "Writes (16 \u00d7 SmartSSD)");
    CHECK(lanes.size() == 5);
    const auto& attention = first.at("Attention in CSDs");
    CHECK(attention.at("tid") == static_cast<int>(Lane::Csd));
    CHECK(attention.at("cat") == "csd_attention");
    CHECK(attention.at("args").at("bound") == "csd_kernel");
    const double gbps = attention.at("args").at("gb_per_s");
    CHECK(off(attention.at("args").at("bytes").get<double>() / 1e3 / attention.at("dur").get<double>(),
              gbps) < 1e-9);
    CHECK(first.at("Weights").at("args").at("gb_per_s").get<double>() == doctest::Approx(24.5));
    CHECK(first.count("FFN up") == 1);
}

TEST_CASE("the trace of an offloaded request ends at its latency, merged steps included") {
    for (const auto* id : {"inf2/opt-30b-a100-16csd", "inf2/opt-30b-a100-16ssd",
                           "inf2/opt-30b-h100-accelerate", "inf2/llama2-7b-4u280-16csd"}) {
        CAPTURE(std::string(id));
        const auto request = requestTimeline(preset(id));
        const auto json = parseJson(requestTrace(request), "trace");
        double end = 0.0;
        bool merged = false;
        for (const auto& event : json.at("traceEvents"))
            if (event.at("ph") == "X") {
                end = std::max(end, event.at("ts").get<double>() + event.at("dur").get<double>());
                merged = merged || event.at("cat") == "steps";
            }
        CHECK(merged);
        CHECK(off(end, request.latency * 1e6) < 1e-9);
        CHECK(json.at("otherData").at("latency_s") == request.latency);
    }
}
