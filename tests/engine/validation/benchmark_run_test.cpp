// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/benchmark_run.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/calibration/calibrate_system.h"
#include "engine/evaluation/evaluate.h"
#include "tests/engine/fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr auto kVllm = R"({"date": "20260301-120000", "backend": "vllm", "model_id": "openai/gpt-oss-120b",
    "num_prompts": 64, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 16, "duration": 41.25,
    "completed": 64, "total_input_tokens": 65536, "total_output_tokens": 32768, "request_throughput": 1.55,
    "output_throughput": 794.4, "mean_ttft_ms": 310.5, "median_ttft_ms": 280.0, "p99_ttft_ms": 900.0,
    "mean_tpot_ms": 12.5, "median_tpot_ms": 12.4, "p99_tpot_ms": 14.0, "mean_e2el_ms": 6700.0})";

std::string refusalOf(const std::string& text) {
    try {
        readBenchmarkRuns(text, "run.json");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("benchmark: a run's load is simulated, and every figure has its own beside it") {
    const auto run = readBenchmarkRuns(kVllm, "run.json").back();
    CHECK(run.software == "vllm");
    CHECK(run.users == 16);
    CHECK(std::isinf(run.rate));
    CHECK(run.prompt == 1024);
    CHECK(run.output == 512);
    CHECK(run.told.size() == 10);
    const auto design = underLoadOf(run, preset("served/gpt-oss-120b-h100"), catalog());
    CHECK(design.serving.arrivals->id() == "closed_loop");
    const auto evaluation = evaluate(design);
    const auto serving = simulate(design, evaluation);
    REQUIRE(serving.ran());
    CHECK(serving.result.done == 64);
    CHECK(serving.result.outputTokens == 32768);
    const auto cells = besideMeasured(run, serving);
    REQUIRE(cells.size() == 10);
    for (const auto& cell : cells) {
        CAPTURE(cell.measured.key);
        CHECK(std::isfinite(cell.error()));
        if (cell.measured.key == "mean_ttft_ms")
            CHECK(cell.simulated == 1e3 * serving.result.ttft.mean());
        if (cell.measured.key == "output_throughput")
            CHECK(cell.simulated == 32768 / serving.result.seconds());
    }
}

TEST_CASE("benchmark: rates are Poisson arrivals, neither is a backlog; of lines the last run counts") {
    const auto poisson =
        readBenchmarkRuns(std::string(kVllm).replace(std::string(kVllm).find("\"inf\""), 5, "2.5"),
                          "run.json")
            .back();
    CHECK(poisson.rate == 2.5);
    const auto design = underLoadOf(poisson, preset("served/gpt-oss-120b-h100"), catalog());
    CHECK(design.serving.arrivals->id() == "poisson");
    CHECK(design.serving["rate_req_s"].value == 2.5);
    const auto lines =
        readBenchmarkRuns(
            "{\"backend\": \"sglang\", \"completed\": 1, \"total_input_tokens\": 8, \"total_output_tokens\": "
            "8, "
            "\"duration\": 1}\n{\"backend\": \"sglang\", \"completed\": 10, \"total_input_tokens\": 100, "
            "\"total_output_tokens\": 200, \"mean_e2e_latency_ms\": 900.5, \"max_concurrency\": null, "
            "\"request_rate\": Infinity}\n",
            "runs.jsonl")
            .back();
    CHECK(lines.requests == 10);
    REQUIRE(lines.told.size() == 1);
    CHECK(lines.told[0].key == "mean_e2el_ms");
    CHECK(underLoadOf(lines, preset("served/gpt-oss-120b-h100"), catalog()).serving.arrivals->id() ==
          "backlog");
}

TEST_CASE("benchmark: runs are rows to which a server is calibrated") {
    // What the design itself does with 0.9 ms of host a step, as benchmarks would have told it.
    const TemporaryFolder folder;
    auto design = preset("served/gpt-oss-120b-h100");
    const std::string path = "nodes.gpu.server.step_ms";
    std::vector<std::string> files;
    std::string lines;
    for (const int users : {4, 16, 64}) {
        auto text = std::string(kVllm).replace(std::string(kVllm).find("16,"), 2, std::to_string(users));
        auto truth =
            with(underLoadOf(readBenchmarkRuns(text, "run.json").back(), design, catalog()), path, "0.9");
        const auto served = simulate(truth, evaluate(truth));
        REQUIRE(served.ran());
        const auto put = [&](const char* key, double value) {
            const auto at = text.find(':', text.find(key)) + 1;
            text.replace(at, text.find_first_of(",}", at) - at, std::to_string(1e3 * value));
        };
        put("mean_ttft_ms", served.result.ttft.mean());
        put("median_ttft_ms", served.result.ttft.quantile(0.5));
        put("mean_tpot_ms", served.result.tpot.mean());
        put("median_tpot_ms", served.result.tpot.quantile(0.5));
        files.push_back(folder.path() + "/" + std::to_string(users) + ".json");
        writeFileAtomically(files.back(), text);
        std::erase(text, '\n');
        lines += text + "\n\n";
    }
    const auto table = readSystemRows(files);
    REQUIRE(table.rows.size() == 3);
    CHECK(table.rows[2].cells.size() == 4);
    SystemCalibrationOptions options;
    options.parameters = {path};
    options.bounds = {{path, 1e-5, 1e-2}};
    options.heldOutShare = 0.0;
    const auto fitted = calibrateSystem(design, catalog(), table, options);
    CHECK(fitted.fit.parameters.front().value == doctest::Approx(0.9e-3).epsilon(1e-3));
    CHECK(fitted.errors(false, true).medianPercent < 0.01);
    CHECK(fitted.errors(false, false).medianPercent > 1.0);
    // The same runs as lines of one file.
    const auto path2 = folder.path() + "/runs.jsonl";
    writeFileAtomically(path2, lines);
    const auto again = readSystemRows({path2});
    REQUIRE(again.rows.size() == 3);
    CHECK(again.rows[1].settings == table.rows[1].settings);
    // Not mixed, and nothing without times.
    const auto csv = folder.path() + "/rows.csv";
    writeFileAtomically(csv, "serving.users,ttft_mean_s\n8,0.3\n");
    CHECK(errorOf([&] {
              readSystemRows({files[0], csv});
          }).find("rows.csv: it is no run") != std::string::npos);
    CHECK(readSystemRows({csv}).rows.size() == 1);
    writeFileAtomically(
        path2, R"({"completed": 3, "total_input_tokens": 9, "total_output_tokens": 9, "duration": 1})");
    CHECK(errorOf([&] { readSystemRows({path2}); }).find("runs.jsonl:1: it tells neither") !=
          std::string::npos);
    CHECK(errorOf([&] { readSystemRows({}); }).find("nothing measured") != std::string::npos);
}

TEST_CASE("benchmark: what is no run is refused with the key and the remedy") {
    CHECK_FALSE(refusalOf("").empty());
    CHECK_FALSE(refusalOf(std::string(200000, '[')).empty());
    CHECK(refusalOf("[1]").find("no JSON object") != std::string::npos);
    CHECK(refusalOf("{}").find("run.json.completed") != std::string::npos);
    CHECK(refusalOf(R"({"completed": -3})").find("run.json.completed") != std::string::npos);
    CHECK_FALSE(refusalOf(R"({"completed": 1e999})").empty());
    CHECK(
        refusalOf(R"({"completed": 3, "total_input_tokens": 9, "total_output_tokens": 9})").find("no time") !=
        std::string::npos);
}
