// SPDX-License-Identifier: GPL-3.0-or-later
// Requests one by one through the real heteroscape-cli: rates, files, seeds, stops, and traces that are none.
#include "engine/base/file.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr auto kSystem = "glitches/a100-7u280";

} // namespace

TEST_CASE("simulate answers GLITCHES' rate within half a percent") {
    const auto answer = cli({"simulate", kSystem, "--set", "workload.prompt_tokens=512", "--set",
                             "workload.output_tokens=512", "--requests", "8400", "--json"});
    REQUIRE(answer.exitCode == 0);
    const auto json = answer.json();
    CHECK(off(json["metrics"]["served_tok_s"], 451.3) < 0.005);
    CHECK(json["arrived"] == 8400);
    CHECK(json["done"] == 8400);
    CHECK(json["metrics"]["served_usd_per_mtok"].get<double>() > 0.0);
    CHECK(json["metrics"]["served_tok_s_per_w"].get<double>() > 0.0);
    CHECK(contains(json["notes"]["served_usd_per_mtok"], "devices only"));
    CHECK(json["little_error"].get<double>() < 1e-9);
    CHECK(json["nodes"]["fpga"]["utilisation"].get<double>() > 0.98);
    CHECK(json["links"]["gpu-host"]["traffic_gbps"].get<double>() > 0.1);
}

TEST_CASE("simulate stops where it is told, and loses nothing") {
    const auto json =
        cli({"simulate", kSystem, "--rate", "2", "--requests", "5000", "--until", "300", "--json"}).json();
    CHECK(json["end_s"] == 300);
    CHECK(json["running"].get<int>() > 0);
    CHECK(json["queued"].get<int>() > 0);
    CHECK(json["arrived"].get<int>() ==
          json["done"].get<int>() + json["running"].get<int>() + json["queued"].get<int>());
    CHECK(json["little_error"].get<double>() < 1e-9);
    const auto none = cli({"simulate", kSystem, "--requests", "10", "--until", "0", "--json"}).json();
    CHECK(none["done"] == 0);
    CHECK(none["ttft_s"]["p99"].is_null());
}

TEST_CASE("the same seed gives the same bytes, another seed others") {
    const auto run = [](const char* seed) {
        return cli({"simulate", kSystem, "--rate", "0.6", "--requests", "500", "--seed", seed, "--json"}).out;
    };
    CHECK(run("7") == run("7"));
    CHECK(run("7") != run("8"));
    const TemporaryFolder folder;
    const auto sweep = [&](const std::string& jobs) {
        const auto csv = folder.path() + "/" + jobs + ".csv";
        REQUIRE(cli({"sweep", kSystem, "--set", "serving.arrivals=poisson", "--set", "serving.requests=300",
                     "--axis", "serving.rate_req_s=0.2:0.8:0.1", "--axis", "nodes.fpga.count=2,4,7", "--db",
                     folder.path() + "/" + jobs + ".sqlite", "--csv", csv, "--jobs", jobs})
                    .exitCode == 0);
        return readFile(csv);
    };
    const auto one = sweep("1");
    CHECK(one == sweep("2"));
    CHECK(one == sweep("8"));
    CHECK(one.find("ttft_p99_s") != std::string::npos);
}

TEST_CASE("simulate writes timeline, segments, requests and queue depth") {
    const TemporaryFolder folder;
    const auto at = [&](const char* name) { return folder.path() + "/" + name; };
    REQUIRE(cli({"simulate", "glitches/fig4-a100-2u280", "--timeline", at("t.json"), "--segments",
                 at("s.csv"), "--served", at("r.csv"), "--queue-depth", at("q.csv")})
                .exitCode == 0);
    const auto trace = readJsonFile(at("t.json"));
    const auto& events = trace["traceEvents"];
    CHECK(std::any_of(events.begin(), events.end(),
                      [](const Json& event) { return event["name"] == "Decode 2"; }));
    const auto segments = readFile(at("s.csv"));
    CHECK(segments.starts_with("lane,place,request,requests,phase,start_s,end_s,waited_s,waited_for\n"));
    CHECK(segments.find("Alveo U280 1,,1,1,decode,") != std::string::npos);
    const auto served = readFile(at("r.csv"));
    CHECK(std::count(served.begin(), served.end(), '\n') == 13); // twelve requests
    CHECK(readFile(at("q.csv")).starts_with("start_s,end_s,waiting,staged,running,most_waiting\n0,"));
    const auto refused = cli({"simulate", kSystem, "--requests", "2", "--segments", "/no/such/folder/s.csv"});
    CHECK(refused.exitCode == 1);
    CHECK(refused.err.find("/no/such/folder/s.csv") != std::string::npos);
}

TEST_CASE("a trace is simulated as it was recorded; a bad one is refused by its line") {
    const TemporaryFolder folder;
    const auto file = folder.path() + "/trace.csv";
    const auto simulate = [&](const std::string& text) {
        writeFileAtomically(file, text);
        return cli({"simulate", kSystem, "--trace", file, "--json"});
    };
    const auto good = simulate("TIMESTAMP,ContextTokens,GeneratedTokens\n"
                               "2023-11-16 23:59:59.5000000,1536,512\n2023-11-17 00:00:00.5000000,128,64\n");
    REQUIRE(good.exitCode == 0);
    CHECK(good.json()["done"] == 2);
    CHECK(good.json()["arrivals"] == "trace");
    // Of a trace as many requests as are asked for, however that is said.
    CHECK(
        cli({"simulate", kSystem, "--trace", file, "--json", "--set", "serving.requests=1"}).json()["done"] ==
        1);
    CHECK(cli({"simulate", kSystem, "--trace", file, "--json", "--requests", "1"}).json()["done"] == 1);
    const std::string header = "arrival_s,prompt_tokens,output_tokens\n";
    for (const auto& [text, place] :
         std::vector<std::pair<std::string, std::string>>{{"", ":1: "},
                                                          {"a,b,c\n1,2,3\n", ":1: "},
                                                          {header, ":1: "},
                                                          {header + "0,1,1\n-1,1,1\n", ":3: "},
                                                          {header + "5,1,1\n4,1,1\n", ":3: "},
                                                          {header + "0,1e9,1\n", ":2: "},
                                                          {header + "0,1,99999999999\n", ":2: "},
                                                          {header + "0,1\n", ":2: "},
                                                          {std::string(100000, 'x'), ":1: "}}) {
        CAPTURE(text.substr(0, 60));
        const auto answer = simulate(text);
        CHECK(answer.exitCode == 1);
        CHECK(answer.out.empty());
        CHECK(answer.err.find("trace.csv" + place) != std::string::npos);
    }
}

TEST_CASE("simulate refuses what makes no sense by its path") {
    const TemporaryFolder folder;
    const auto trace = folder.path() + "/trace.csv";
    writeFileAtomically(trace, "arrival_s,prompt_tokens,output_tokens\n0,8,8\n");
    for (const auto& [arguments, place] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"--arrivals", "sometimes"}, "serving.arrivals"},
             {{"--rate", "0"}, "serving.rate_req_s"},
             {{"--rate", "fast"}, "serving.rate_req_s"},
             {{"--requests", "0"}, "serving.requests"},
             {{"--seed", "1.5"}, "serving.seed"},
             {{"--arrivals", "trace"}, "serving.trace"},
             {{"--arrivals", "closed_loop", "--set", "serving.batching=mixed", "--requests", "100"},
              "serving.requests: neither users in a closed loop nor"},
             {{"--trace", "TRACE", "--rate", "1"}, "serving.trace: Poisson arrivals"},
             {{"--trace", "TRACE", "--set", "serving.arrivals=closed_loop", "--set",
               "serving.batching=mixed"},
              "serving.trace: users in a closed loop"},
             {{"--trace", "/no/such/trace.csv"}, "/no/such/trace.csv"}}) {
        std::vector<std::string> all{"simulate", kSystem};
        all.insert(all.end(), arguments.begin(), arguments.end());
        std::replace(all.begin(), all.end(), std::string("TRACE"), trace);
        const auto answer = cli(all);
        CAPTURE(answer.err);
        CHECK(answer.exitCode == 1);
        CHECK(answer.err.find(place) != std::string::npos);
    }
}

TEST_CASE("launch writes the commands of a design, and import launch reads them as the same design") {
    const TemporaryFolder folder;
    const auto script = folder.path() + "/start.sh", design = folder.path() + "/started.hscape";
    REQUIRE(cli({"launch", "served/gpt-oss-120b-h100", "--out", script}).exitCode == 0);
    const auto read =
        cli({"import", "launch", script, "--prompt", "2048", "--output", "512", "--out", design});
    CHECK(read.exitCode == 0);
    const auto again = cli({"launch", design});
    const auto text = readFile(script);
    CHECK(again.out.substr(again.out.find("vllm")) == text.substr(text.find("vllm")));
    CHECK(contains(cli({"launch", design, "--kubernetes"}).out, "kind: Deployment"));
    const auto aside = cli({"import", "launch", "vllm serve openai/gpt-oss-20b --seed 3"});
    CHECK(aside.exitCode == 0);
    CHECK(contains(aside.err, "says nothing of a design: --seed 3"));
    CHECK(cli({"launch", kSystem}).exitCode == 1);
}

TEST_CASE("simulate stands beside what a benchmark measured") {
    const TemporaryFolder folder;
    const auto file = folder.path() + "/run.json";
    writeFileAtomically(file,
                        R"({"backend": "vllm", "completed": 32, "max_concurrency": 16, "request_rate": "inf",
        "total_input_tokens": 32768, "total_output_tokens": 32768, "mean_ttft_ms": 330.1, "mean_tpot_ms": 12.8})");
    const auto rows =
        cli({"simulate", "served/gpt-oss-120b-h100", "--against", file, "--json"}).json()["against"];
    REQUIRE(rows.size() == 2);
    CHECK(rows[0]["key"] == "mean_ttft_ms");
    CHECK(rows[0]["measured"] == 330.1);
    CHECK(rows[0]["simulated"].get<double>() > 0);
    CHECK(contains(cli({"simulate", "served/gpt-oss-120b-h100", "--against", file}).out, "against vllm"));
    CHECK(contains(cli({"simulate", "served/gpt-oss-120b-h100", "--against", folder.path() + "/none"}).err,
                   "none"));
    const auto set = cli({"simulate", "served/gpt-oss-120b-h100", "--against", file, "--set",
                          "serving.users=4", "--set", "serving.waves=2", "--json"});
    CHECK(set.json()["done"] == 8);
}
