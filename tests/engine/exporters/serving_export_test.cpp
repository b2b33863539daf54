// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/timeline_export.h"

#include "engine/base/json.h"
#include "tests/engine/serving/serving_fixtures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Two decoders, preempted decodes, KV transfers and queues; with a batch also slots.
struct Recorded {
    Scenario scenario;
    ServingEvaluation serving;

    explicit Recorded(int batch = 1) {
        scenario = presetWith("glitches/a100-7u280", {{"nodes.fpga.count", "2"},
                                                      {"techniques.gpu_assist.enabled", "true"},
                                                      {"workload.batch", std::to_string(batch)},
                                                      {"serving.arrivals", "poisson"},
                                                      {"serving.batching", "continuous"},
                                                      {"serving.requests", "60"},
                                                      {"serving.rate_req_s", "0.5"}});
        scenario.nodes[0].name = "GPU, \"the\" first"; // needs quotes
        SimulationOptions options;
        options.recorded = 60;
        serving = simulate(scenario, evaluate(scenario), options);
        REQUIRE(serving.ran());
        REQUIRE(serving.result.segments.size() > 100);
    }
};

/// Fields of one line of RFC 4180 without line ends in fields.
std::vector<std::string> fields(const std::string& line) {
    std::vector<std::string> out(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            out.back() += line[++i];
        else if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == ',' && !quoted)
            out.emplace_back();
        else
            out.back() += line[i];
    }
    return out;
}

std::vector<std::vector<std::string>> rows(const std::string& csv, const std::string& header) {
    std::istringstream in(csv);
    std::string line;
    std::vector<std::vector<std::string>> out;
    std::getline(in, line);
    CHECK(line == header);
    while (std::getline(in, line))
        out.push_back(fields(line));
    return out;
}

} // namespace

TEST_CASE("serving export: the segments read back to the last bit") {
    for (const int batch : {1, 3}) {
        const Recorded recorded(batch);
        const auto& result = recorded.serving.result;
        const auto table = rows(servingSegmentsCsv(recorded.scenario, recorded.serving),
                                "lane,place,request,requests,phase,start_s,end_s,waited_s,waited_for");
        REQUIRE(table.size() == result.segments.size());
        std::map<std::pair<std::string, std::string>, std::uint32_t> lanes;
        for (std::size_t i = 0; i < table.size(); ++i) {
            const auto& segment = result.segments[i];
            const auto& row = table[i];
            REQUIRE(row.size() == 9);
            CHECK(lanes.try_emplace({row[0], row[1]}, segment.lane).first->second == segment.lane);
            CHECK(row[0].rfind(
                      recorded.scenario.nodes[result.lanes[segment.lane].pool == 0 ? 0 : 2].shownName(), 0) ==
                  0);
            CHECK(std::stoul(row[2]) == segment.request);
            CHECK(std::stoul(row[3]) == segment.requests);
            CHECK(row[4] == servingPhaseKey(segment.phase));
            CHECK(std::stod(row[5]) == segment.start);
            CHECK(std::stod(row[6]) == segment.end);
            CHECK(std::stod(row[7]) == segment.waited);
            CHECK(row[8] == waitReasonKey(segment.reason));
        }
        CHECK(lanes.size() == result.lanes.size()); // no two lanes share a name
    }
}

TEST_CASE("serving export: the requests read back to the last bit") {
    const Recorded recorded;
    const auto& requests = recorded.serving.result.requests;
    const auto table =
        rows(servedRequestsCsv(recorded.serving),
             "request,arrival_s,prompt_tokens,output_tokens,prefill_start_s,first_token_s,decode_start_s,"
             "finish_s,wait_s,ttft_s,tpot_s,e2e_s");
    REQUIRE(table.size() == 60);
    double ttft = 0.0;
    for (std::size_t i = 0; i < table.size(); ++i) {
        std::vector<double> row;
        for (const auto& cell : table[i])
            row.push_back(std::stod(cell));
        const auto& served = requests[i];
        const double arrival = served.request.arrival;
        CHECK(row == std::vector<double>{static_cast<double>(served.request.id), arrival, 1536, 512,
                                         served.prefillStart, served.firstToken, served.decodeStart,
                                         served.finish, served.prefillStart - arrival,
                                         served.firstToken - arrival,
                                         (served.finish - served.firstToken) / 512, served.finish - arrival});
        ttft += row[9] / 60.0;
    }
    CHECK(ttft == doctest::Approx(recorded.serving.result.ttft.mean()));
}

TEST_CASE("serving export: times of requests are those that the metrics are made of, under every scheduler") {
    using Settings = std::vector<std::pair<std::string, std::string>>;
    for (const auto& [preset_, settings] : std::vector<std::pair<std::string, Settings>>{
             {"glitches/a100-7u280", {{"serving.arrivals", "poisson"}, {"serving.rate_req_s", "0.1"}}},
             {"glitches/a100-7u280",
              {{"serving.arrivals", "poisson"},
               {"serving.batching", "continuous"},
               {"serving.rate_req_s", "0.1"}}},
             {"served/gpt-oss-120b-h100", {{"serving.arrivals", "poisson"}, {"serving.rate_req_s", "1"}}},
             {"served/deepseek-v3-32h100-dp32-ep32",
              {{"serving.arrivals", "poisson"}, {"serving.rate_req_s", "1"}}}}) {
        auto scenario = presetWith(preset_, settings);
        for (const auto* requests : {"serving.requests", "workload.output_tokens"})
            applyEdit(scenario, setEdit(scenario, catalog(), requests, "40"));
        SimulationOptions options;
        options.recorded = 40;
        const auto serving = simulate(scenario, evaluate(scenario), options);
        CAPTURE(scenario.serving.batching->id());
        REQUIRE(serving.ran());
        const auto table =
            rows(servedRequestsCsv(serving),
                 "request,arrival_s,prompt_tokens,output_tokens,prefill_start_s,first_token_s,decode_start_s,"
                 "finish_s,wait_s,ttft_s,tpot_s,e2e_s");
        REQUIRE(table.size() == 40);
        const auto mean = [&](std::size_t column) {
            double sum = 0.0;
            for (const auto& row : table)
                sum += std::stod(row[column]);
            return doctest::Approx(sum / 40.0).epsilon(1e-12);
        };
        CHECK(serving.result.ttft.mean() == mean(9));
        CHECK(serving.result.tpot.mean() == mean(10));
        CHECK(serving.result.latency.mean() == mean(11));
    }
}

TEST_CASE("a simulation that is asked to stop does so before it has read all requests") {
    const auto scenario = presetWith(
        "served/gpt-oss-120b-h100",
        {{"serving.arrivals", "poisson"}, {"serving.rate_req_s", "20"}, {"serving.requests", "20000"}});
    std::stop_source source;
    source.request_stop();
    SimulationOptions options;
    options.stop = source.get_token();
    const auto serving = simulate(scenario, evaluate(scenario), options);
    CHECK(serving.result.cancelled);
    CHECK(serving.result.done == 0);
}

TEST_CASE("serving export: the queue depth integrates to what the simulation says") {
    const Recorded recorded;
    const auto& result = recorded.serving.result;
    const auto table =
        rows(queueDepthCsv(recorded.serving), "start_s,end_s,waiting,staged,running,most_waiting");
    REQUIRE(table.size() == result.depth.size());
    double seconds = 0.0, end = 0.0, most = 0.0;
    for (const auto& row : table) {
        const double start = std::stod(row[0]);
        CHECK(start == doctest::Approx(end));
        end = std::stod(row[1]);
        CHECK(end > start);
        seconds += (end - start) * (std::stod(row[2]) + std::stod(row[3]) + std::stod(row[4]));
        most = std::max(most, std::stod(row[5]));
        CHECK(std::stod(row[2]) <= std::stod(row[5]) + 1e-9);
    }
    CHECK(end == doctest::Approx(result.end));
    CHECK(seconds == doctest::Approx(result.systemSeconds));
    CHECK(most == result.depth.largestWaiting());
}

TEST_CASE("serving export: a Chrome trace with an event for each segment and counters that agree") {
    const Recorded recorded(3);
    const auto& result = recorded.serving.result;
    const auto json = parseJson(servingTrace(recorded.scenario, recorded.serving), "trace");
    std::map<int, std::string> processes;
    std::map<std::pair<int, int>, std::string> threads;
    std::map<std::pair<int, int>, double> ends;
    std::size_t events = 0, counters = 0;
    for (const auto& event : json.at("traceEvents")) {
        const auto kind = event.at("ph").get<std::string>();
        const int pid = event.at("pid");
        if (kind == "M") {
            if (event.at("name") == "process_name")
                processes[pid] = event.at("args").at("name");
            if (event.at("name") == "thread_name")
                threads[{pid, event.at("tid")}] = event.at("args").at("name");
        } else if (kind == "C") {
            const auto depth = result.depth.mean(counters);
            CHECK(event.at("args").at("waiting").get<double>() == depth.waiting);
            CHECK(event.at("args").at("staged").get<double>() == depth.staged);
            CHECK(event.at("args").at("running").get<double>() == depth.running);
            ++counters;
        } else {
            REQUIRE(kind == "X");
            const auto& segment = result.segments[events++];
            const std::pair<int, int> lane{pid, event.at("tid")};
            CHECK(lane.second == static_cast<int>(segment.lane));
            CHECK(threads.count(lane) == 1);
            const double start = event.at("ts"), seconds = event.at("dur");
            CHECK(start == doctest::Approx(segment.start * 1e6).epsilon(1e-12));
            CHECK(seconds == doctest::Approx((segment.end - segment.start) * 1e6).epsilon(1e-12));
            CHECK(start >= ends[lane] - 1e-3);
            ends[lane] = start + seconds;
            CHECK(event.at("cat") == servingPhaseKey(segment.phase));
            CHECK(event.at("args").at("request") == segment.request);
            CHECK(event.at("args").at("waited_for") == waitReasonKey(segment.reason));
        }
    }
    CHECK(events == result.segments.size());
    CHECK(counters == result.depth.size());
    CHECK(threads.size() == result.lanes.size());
    CHECK(processes.size() == 3); // requests, GPU, U280s
    CHECK(processes.at(2) == "GPU, \"the\" first");
    CHECK(json.at("otherData").at("requests_done") == 60);
    CHECK(servingTrace(recorded.scenario, recorded.serving) ==
          servingTrace(recorded.scenario, recorded.serving));
}
