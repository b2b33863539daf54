// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics of other people's servers: each row is a design, whose simulation is what is told of it.
#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/scenario_json.h"
#include "engine/servers/served_plan.h"
#include "engine/validation/metric_validation.h"
#include "engine/validation/serving_row.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/validation/gpu_servers.h"
#include "tests/shipped_catalog.h"

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace heteroscape;
using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kMetricHeader =
    "source,date,device,count,model,weight_format,kv_format,layout,framework,isl,osl,"
    "concurrency_or_batch,metric,measured,unit\n";

/// One row, as its columns say.
struct Told {
    std::string device = "H100-SXM", count = "1", model = "llama3-1-8b", format = "bf16", kv = "bf16",
                layout = "tp1", framework = "vLLM 0.11.0", load = "users 8", metric = "tpot_ms", unit = {};

    std::string line() const {
        return "somebody,2026-01," + device + ',' + count + ',' + model + ',' + format + ',' + kv + ',' +
               layout + ',' + framework + ",512,128," + load + ',' + metric + ",10," + unit + '\n';
    }
};

MetricTable metricsOf(const std::string& text) {
    std::istringstream in(text);
    return parseMetrics(in, "mine.csv");
}

MetricRow metricOf(const Told& told) {
    return metricsOf(kMetricHeader + told.line()).rows.front();
}

std::string whyNot(const Told& told) {
    const auto table = metricsOf(kMetricHeader + told.line());
    return validateMetrics(gpuServers(), std::span(&table, 1), 1).front().why;
}

Scenario designOf(const Told& told) {
    return servedScenario(gpuServers(), servedPlan(gpuServers(), metricOf(told)));
}

} // namespace

TEST_CASE("a metric of somebody's server is what simulating its design gives, saved and opened again") {
    // The first row of each, of rulers in public documents: TensorRT-LLM 0.17's overview, ML.ENERGY 3.0.
    const auto table =
        metricsOf(kMetricHeader +
                  "TensorRT-LLM 0.17 perf overview,2025-02,H200-SXM,1,llama3-1-8b,fp8,fp8,tp1,TensorRT-LLM "
                  "0.17,2048,128,backlog 300,output_tok_s,3794,tok/s\n"
                  "somebody,2026-02,H100-SXM,2,gpt-oss-120b,mxfp4_moe,bf16,tp2,vLLM,280,176,users "
                  "8,itl_median_ms,7.2,ms\n"
                  "somebody,2026-02,H100-SXM,2,gpt-oss-120b,mxfp4_moe,bf16,tp2,vLLM,280,176,users "
                  "8,power_w_gpu,500,W\n");
    const auto rows = validateMetrics(gpuServers(), std::span(&table, 1), 2);
    REQUIRE(rows.size() == 3);
    for (const auto& row : rows) {
        CAPTURE(row.why);
        REQUIRE(row.answered());
        const auto text = scenarioText(servedScenario(gpuServers(), servedPlan(gpuServers(), *row.row)));
        const auto opened = readScenario(parseJson(text, "design"), *shippedCatalog(), "design");
        const auto serving = simulate(opened, evaluate(opened));
        const auto& run = serving.result;
        const double told = row.row->metric == "output_tok_s"    ? run.outputTokens / run.end
                            : row.row->metric == "itl_median_ms" ? 1e3 * run.tpot.quantile(0.5)
                                                                 : serving.power / 2;
        CHECK(row.predicted == told);
    }
    CHECK(rows[0].served.kind == "dense");
    CHECK(rows[1].served.kind == "mixture");
    // Rates and times are in one group, power apart.
    const std::vector<std::string> keys{"kind", "quantity"};
    CHECK(groupMetrics(rows, keys).size() == 2);
    REQUIRE(groupMetrics(rows, keys, true).size() == 1);
    CHECK(groupMetrics(rows, keys, true).front().labels == std::vector<std::string>{"mixture", "power"});
    CHECK(groupMetrics(rows, {}).front().rows == 2);
    CHECK_THROWS_AS(groupMetrics(rows, std::vector<std::string>{"nothing"}), Error);
}

TEST_CASE("metrics of one run agree with each other") {
    Told told;
    std::string text = kMetricHeader;
    told.load = "batch 4";
    for (const auto& metric : servedMetrics()) {
        told.metric = metric.key;
        text += told.line();
    }
    const auto table = metricsOf(text);
    const auto rows = validateMetrics(gpuServers(), std::span(&table, 1), 1);
    std::map<std::string, double> of;
    for (const auto& row : rows) {
        CAPTURE(row.why);
        REQUIRE(row.answered());
        of[row.row->metric] = row.predicted;
    }
    CHECK(of["output_tok_s"] == of["output_tok_s_gpu"]);
    CHECK(of["total_tok_s"] == doctest::Approx(of["output_tok_s"] * (512 + 128) / 128));
    CHECK(of["processed_tok_s"] == of["total_tok_s"]);
    CHECK(of["prefill_tok_s"] == doctest::Approx(4 * 512 / (1e-3 * of["prefill_ms"])));
    CHECK(of["decode_tok_s"] == doctest::Approx(4e3 / of["decode_step_ms"]));
    CHECK(of["decode_step_ms"] == doctest::Approx(of["tpot_ms"]).epsilon(0.05));
    CHECK(of["prefill_ms"] < of["ttft_ms"]); // without the way in and out
    CHECK(of["energy_j_tok"] == doctest::Approx(of["power_w_gpu"] / of["output_tok_s"]));
}

TEST_CASE("layouts, formats and cards of a row are those of its design") {
    const auto node = [](const Told& told) { return designOf(told).nodes.front(); };
    auto told = Told{.count = "8", .model = "deepseek-v3", .format = "fp8_block", .layout = "dp8 ep8"};
    CHECK(node(told).dp.value == 8);
    CHECK(node(told).ep.value == 8);
    told = {.count = "8", .model = "llama3-1-70b", .layout = "pp2 tp4"};
    CHECK(node(told).pp.value == 2);
    CHECK(node(told).count.value == 8);
    CHECK(node(told).replicas.value == 1);
    told.layout = "tp2 dp2"; // ranks of a dense model are copies, and count 8 has twice as many
    CHECK(node(told).replicas.value == 4);
    CHECK_FALSE(node(told).dp.isSet());
    const auto bits = [&](const char* device, const char* format) {
        const auto one = node({.device = device, .format = format});
        return std::pair<double, double>(one.runtime->weightBits.value, one.runtime->activationBits.value);
    };
    CHECK(bits("H100-SXM", "AWQ") == std::pair(4.0, 16.0));
    CHECK(bits("H100-SXM", "fp8") == std::pair(8.0, 8.0));
    CHECK(bits("A100-SXM-80GB", "fp8") == std::pair(8.0, 16.0)); // not native
    CHECK(bits("B200", "nvfp4") == std::pair(4.0, 4.0));
    CHECK(bits("A100-SXM-80GB", "int8") == std::pair(8.0, 8.0));
    CHECK(node({.kv = "fp8"}).runtime->kvBits.value == 8);
    CHECK(node({.device = "A100-PCIE-80GB"}).device.id == "a100-80gb");
    CHECK(node({.device = "A100-SXM-40GB"}).deviceMemory() == doctest::Approx(42.95e9));
    CHECK(node({.framework = "SGLang (version not in the file)"}).server->id == "sglang");
    CHECK(node({.framework = "TensorRT-LLM 1.2.0rc1"}).server->id == "trtllm");
    CHECK(designOf({.model = "gpt-oss-20b", .format = "mxfp4_moe"}).model.weights->id == "mxfp4_moe");
    CHECK(designOf({.device = "L40S", .count = "2", .layout = "tp2"}).nodes[1].device.id ==
          "pcie-gen5-switch");
}

TEST_CASE("every shipped model in every format that it has kernels in is a design without errors") {
    std::size_t designs = 0;
    for (const auto& model : shippedCatalog()->models)
        for (const auto* format : {"bf16", "fp8", "fp8_block", "int4_g128", "int8"}) {
            const Told told{.count = "8", .model = model.id, .format = format, .layout = "tp8"};
            CAPTURE(model.id);
            CAPTURE(format);
            const auto scenario = designOf(told);
            CHECK(readScenario(writeScenario(scenario), *shippedCatalog(), "design") == scenario);
            ++designs;
        }
    CHECK(designs > 200);
}

TEST_CASE("a row whose parts are not known, or a metric that there is not, says why") {
    const auto says = [](const std::string& why, const char* piece) {
        CAPTURE(why);
        CHECK(why.find(piece) != why.npos);
    };
    CHECK(whyNot({}).empty());
    says(whyNot({.device = "RTX-4080"}), "no device of the catalogue is \"RTX-4080\"");
    says(whyNot({.device = "H100"}), "may be any of h100-nvl, h100-pcie, h100-sxm");
    says(whyNot({.device = "MI300X"}), "no kernels were measured on");
    says(whyNot({.device = "GH200-96GB"}), "another card than GH200 144GB");
    says(whyNot({.count = "8", .layout = "tp3"}), "of which count 8 is no multiple");
    says(whyNot({.model = "nobody-7b"}), "nobody-7b");
    says(whyNot({.format = "q4_0"}), "q4_0");
    says(whyNot({.kv = "int8"}), "int8");
    says(whyNot({.layout = "xp4"}), "\"xp4\" is no part of a layout");
    says(whyNot({.layout = "tp1 ep2"}), "no experts");
    says(whyNot({.count = "4", .model = "gpt-oss-120b", .format = "mxfp4_moe", .layout = "tp4 ep3"}),
         "divides");
    says(whyNot({.framework = "llama.cpp"}), "There are: sglang, trtllm, vllm");
    says(whyNot({.load = "64"}), "is no load");
    says(whyNot({.load = "users 0.5"}), "is no load");
    says(whyNot({.metric = "mfu"}), "the program gives no \"mfu\"");
    says(whyNot({.metric = "tpot_ms", .unit = "s"}), "Give it in ms");
    says(whyNot({.model = "llama3-1-405b"}), "of device memory");
    says(whyNot({.count = "x"}), "mine.csv:2");
    // The others are not lost by one.
    const auto table = metricsOf(kMetricHeader + Told{.count = "x"}.line() + Told{}.line());
    CHECK(validateMetrics(gpuServers(), std::span(&table, 1), 1).back().answered());
}

TEST_CASE("a table of metrics is known by its header, and needs its columns") {
    CHECK(isMetricHeader({"metric", "isl", "measured"}));
    CHECK_FALSE(isServingHeader({"metric", "isl", "measured"}));
    CHECK(isServingHeader({"metric", "isl", "users"}));
    CHECK_THROWS_WITH_AS(metricsOf("metric,measured\ntpot_ms,3\n"),
                         doctest::Contains("columns are missing: device"), Error);
    CHECK_THROWS_WITH_AS(metricsOf(kMetricHeader), doctest::Contains("no row after the header"), Error);
}
