// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of measured servers: each is a design, whose simulation is what is told of it.
#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/scenario_json.h"
#include "engine/servers/served_plan.h"
#include "engine/techniques/speculation.h"
#include "engine/units/number_text.h"
#include "engine/validation/serving_validation.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/validation/gpu_servers.h"
#include "tests/places.h"
#include "tests/shipped_catalog.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

using namespace heteroscape;
using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const ServingTable& shippedRows() {
    static const ServingTable table =
        readServing(shippedServing(heteroscape::places::kPresetsFolder).front());
    return table;
}

const std::string kServingHeader =
    "id,model,model_path,system,backend,precision,mode,lengths,isl,osl,users,tp\n";
const std::string kServingRow = "a,llama70b,,h100_sxm,vllm,fp8,agg,uniform 0.8-1,1024,1024,4,4\n";

std::vector<ValidatedServing> answersOf(const ServingTable& table) {
    return validateServing(gpuServers(), std::span(&table, 1), 1);
}

ServingTable served(const std::string& text) {
    std::istringstream in(text);
    return parseServing(in, "mine.csv");
}

std::string servingRefusal(const std::string& text) {
    try {
        served(text);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("what is told of a row is what simulating the design that it opens gives, to the last bit") {
    const auto rows = validateServing(gpuServers(), std::span(&shippedRows(), 1), 2);
    std::size_t answered = 0;
    for (const auto& row : rows) {
        if (!row.answered())
            continue;
        ++answered;
        CAPTURE(row.row->id);
        const auto text = scenarioText(servedScenario(gpuServers(), servedPlan(gpuServers(), *row.row)));
        const auto opened = readScenario(parseJson(text, "design"), *shippedCatalog(), "design");
        const auto run = simulate(opened, evaluate(opened)).result;
        CHECK(row.ttftMs == 1e3 * run.ttft.mean());
        if (row.tpotMs > 0)
            CHECK(row.tpotMs == 1e3 * run.tpot.mean());
    }
    CHECK(answered == 834);
}

TEST_CASE("nearest to a published run is itself, and what differs is told of others") {
    const std::span tables(&shippedRows(), 1);
    std::size_t held = 0;
    for (std::size_t i = 0; i < shippedRows().rows.size(); i += 7) {
        const auto& row = shippedRows().rows[i];
        if (row.fault || row.contradicts || row.impossible)
            continue;
        Scenario design;
        try {
            design = servedScenario(gpuServers(), servedPlan(gpuServers(), row));
        } catch (const Error&) {
            continue;
        }
        CAPTURE(row.id);
        const auto near = nearServing(design, gpuServers(), tables, 3);
        REQUIRE_FALSE(near.empty());
        CHECK(near.front().apart == 0.0);
        CHECK(near.front().row->users == row.users);
        CHECK(near.front().row->isl == row.isl);
        CHECK(near.front().row->isApart() == row.isApart());
        for (const auto& one : near)
            CHECK(one.differs.empty() == (one.apart == 0.0));
        CHECK(std::is_sorted(near.begin(), near.end(),
                             [](const auto& a, const auto& b) { return a.apart < b.apart; }));
        ++held;
    }
    CHECK(held > 100);
    auto design = preset("served/gpt-oss-120b-h100");
    const auto near = nearServing(design, gpuServers(), tables, 1);
    REQUIRE(near.size() == 1);
    CHECK(std::any_of(near.front().differs.begin(), near.front().differs.end(),
                      [](const auto& text) { return contains(text, "GPUs, here 1"); }));
    const auto words = nearText(gpuServers(), validateServing(gpuServers(), *near.front().row));
    CHECK(contains(words, "ms a token measured"));
    CHECK(contains(words, "h100_sxm"));
    design.workload.promptTokens.value = 1e6; // nobody has measured that
    CHECK(nearServing(design, gpuServers(), tables, 1).empty());
    CHECK(nearServing(preset("glitches/a100-7u280"), gpuServers(), tables, 1).empty());
}

TEST_CASE("errors of the training rows are those of presets/README.md, by any number of threads") {
    const auto rows = validateServing(gpuServers(), std::span(&shippedRows(), 1), 2);
    REQUIRE(rows.size() == 935);
    const std::vector<std::string> keys{"set"};
    const auto groups = groupServing(rows, keys);
    const auto check = [&](const char* set, std::size_t count, double tpot, double ttft) {
        const auto at = std::find_if(groups.begin(), groups.end(),
                                     [&](const auto& group) { return group.labels.front() == set; });
        REQUIRE(at != groups.end());
        CHECK(at->tpot.rows == count);
        CHECK(at->tpot.medianPercent == doctest::Approx(tpot).epsilon(0.03));
        CHECK(at->ttft.medianPercent == doctest::Approx(ttft).epsilon(0.03));
    };
    check("aggregated", 133, 10.2, 13.2);
    check("aggregated, fixed lengths", 606, 6.5, 39.1);
    check("disaggregated", 50, 6.9, 18.3);
    for (const auto& row : rows)
        CHECK_MESSAGE((row.answered() ? row.ttftMs > 0 : !row.why.empty()), row.row->id);
    // A few of them again, one by one.
    ServingTable few{"few", {shippedRows().rows.end() - 20, shippedRows().rows.end()}};
    const auto again = answersOf(few);
    for (std::size_t i = 0; i < again.size(); ++i) {
        CHECK(again[i].ttftMs == rows[rows.size() - 20 + i].ttftMs);
        CHECK(again[i].tpotMs == rows[rows.size() - 20 + i].tpotMs);
    }
}

TEST_CASE("every row that has an answer is a design that can be saved, opened and evaluated") {
    std::set<std::string> seen;
    for (const auto& row : shippedRows().rows) {
        ServedPlan plan;
        try {
            plan = servedPlan(gpuServers(), row);
        } catch (const Error&) {
            continue;
        }
        if (!seen.insert(row.group() + plan.words()).second)
            continue;
        CAPTURE(row.id);
        const auto scenario = servedScenario(gpuServers(), plan);
        for (const auto& finding : validate(scenario))
            CHECK_MESSAGE(finding.severity != Severity::Error, finding.message);
        CHECK(readScenario(writeScenario(scenario), *shippedCatalog(), "design") == scenario);
        CHECK(scenario.workload.promptTokens.value == row.isl);
        double devices = 0;
        for (const auto& node : scenario.nodes)
            devices += isAccelerator(node.device.kind) ? node.count.value : 0.0;
        CHECK(devices == plan.gpus());
        CHECK(scenario.nodes.front().server->id == row.backend);
        CHECK(scenario.techniques.isOn(speculation()) == row.speculates);
        if (row.speculates)
            CHECK(speculationOf(scenario).tokensAStep ==
                  doctest::Approx(scenario.nodes.front().server->tokensAStep.value));
    }
    CHECK(seen.size() > 20);
}

TEST_CASE("a row without an answer says why, the others are answered") {
    const auto table = served(kServingHeader + kServingRow +
                              "b,llama70b,,h900,vllm,fp8,agg,uniform 0.8-1,1024,1024,4,4\n"
                              "c,nobody,,h100_sxm,vllm,fp8,agg,uniform 0.8-1,1024,1024,4,4\n"
                              "d,llama70b,,h100_sxm,tgi,fp8,agg,uniform 0.8-1,1024,1024,4,4\n"
                              "e,llama70b,,h100_sxm,vllm,fp8,agg,uniform 0.8-1,1024,1024,,4\n"
                              "f,llama70b,,h100_sxm,vllm,fp8,disagg,uniform 0.8-1,1024,1024,4,4\n"
                              "g,llama70b,,h100_sxm,vllm,fp3,agg,uniform 0.8-1,1024,1024,4,4\n");
    const auto rows = answersOf(table);
    REQUIRE(rows.size() == 7);
    CHECK(rows[0].answered());
    CHECK(rows[0].ttftMs > 0);
    CHECK(servingLabel(rows[0], "kind") == "dense");
    CHECK(servingLabel(rows[0], "date") == "-");
    const char* reasons[] = {"h900", "nobody", "tgi", "users", "workers", "fp3"};
    for (std::size_t i = 1; i < rows.size(); ++i) {
        CAPTURE(rows[i].why);
        CHECK(rows[i].why.find(reasons[i - 1]) != std::string::npos);
    }
}

TEST_CASE(
    "workers apart that cannot hold the model are refused as those together are, whichever lacks the room") {
    const auto row = [](const char* id, const char* rest, const char* system = "gb200",
                        const char* precision = "fp4") {
        return std::string(id) + ",x,deepseek-ai/DeepSeek-R1," + system + ",trtllm," + precision + rest +
               '\n';
    };
    const auto apart = [](const char* prefill, const char* decode) {
        return ",disagg,uniform 0.8-1,1024,128,8,,1," + std::string(prefill) + ",1,1," + decode + ",1";
    };
    const auto table = served(
        "id,model,model_path,system,backend,precision,mode,lengths,isl,osl,users,tp,prefill_workers,"
        "prefill_tp,prefill_dp,decode_workers,decode_tp,decode_dp\n" +
        row("together", ",agg,uniform 0.8-1,1024,128,8,1,,,,,,") + row("neither", apart("1", "1").c_str()) +
        row("prefill", apart("1", "8").c_str()) + row("decode", apart("8", "1").c_str()) +
        row("hopper", apart("4", "16").c_str(), "h100_sxm", "fp8") + row("both", apart("8", "8").c_str()));
    const auto rows = answersOf(table);
    REQUIRE(rows.size() == 6);
    for (std::size_t i = 0; i < 5; ++i) {
        CAPTURE(rows[i].row->id);
        CHECK_FALSE(rows[i].answered());
        CHECK(contains(rows[i].why, "of device memory for weights, KV cache and what its server keeps"));
    }
    // 671 billion weights of half a byte and their scales, on one device of 189 GB.
    CHECK(contains(rows[0].why, "GB200 needs 397 GB"));
    CHECK(contains(rows[2].why, "GB200 needs 397 GB"));
    CHECK(rows[5].answered());
}

TEST_CASE("a table that is none is refused; a row that cannot be read says why, with its place, and loses no "
          "other") {
    const auto refuses = [](const std::string& text, const char* place, const char* what) {
        const auto refusal = servingRefusal(text);
        CAPTURE(refusal);
        CHECK(refusal.find(place) != refusal.npos);
        CHECK(refusal.find(what) != refusal.npos);
    };
    refuses(kServingHeader, "mine.csv:1", "no row");
    refuses("backend,isl\ny,1\n", "mine.csv:1", "columns are missing: id, model");
    const auto says = [](const std::string& row, const char* place, const char* what) {
        const auto rows = answersOf(served(kServingHeader + row + kServingRow));
        REQUIRE(rows.size() == 2);
        CAPTURE(rows[0].why);
        CHECK(rows[0].why.find(place) != std::string::npos);
        CHECK(rows[0].why.find(what) != std::string::npos);
        CHECK(rows[1].answered());
    };
    says("a,b,,h100_sxm,vllm,fp8,agg,fixed,many,1,1,1\n", "mine.csv:2: column isl", "not a number");
    says("a,b,,h100_sxm,vllm,fp8,agg,fixed,1.5,1,1,1\n", "column isl", "a whole number");
    says("a,b,,h100_sxm,vllm,fp8,agg,fixed,1,1,99999999,1\n", "column users", "out of range");
    says("a,b,,h100_sxm,vllm,fp8,apart,fixed,1,1,1,1\n", "column mode", "neither agg nor disagg");
    says("a,b,,h100_sxm,vllm,fp8,agg,1024,1,1,1,1\n", "column lengths", "neither fixed nor uniform");
    says("a,llama70b,,h100_sxm,vllm,fp8,agg,fixed,1,1,1,\n", "row", "tp is not told");
    says("a,llama70b,,h100_sxm,vllm,fp8,agg,fixed,10000000,1,100000,4\n", "row", "a million steps");
    says(",b,,h100_sxm,vllm,fp8,agg,fixed,1,1,1,1\n", "mine.csv:2", "column id is empty");
    says("a,b\n", "mine.csv:2", "2 cells");
    // Columns that are missing are named by every row; those that can be done without are not.
    const auto without = answersOf(served("id,model,backend,precision,isl,osl,users,tp\n"
                                          "a,llama70b,vllm,fp8,1024,1024,4,4\n"));
    REQUIRE(without.size() == 1);
    CHECK(without[0].why.find("columns are missing: system") != std::string::npos);
    const auto least = answersOf(served("id,model_path,system,backend,dense_format,isl,osl,users,tp\n"
                                        "a,meta-llama/Llama-3.1-70B,h100_sxm,vllm,fp8,1024,1024,4,4\n"));
    const auto whole = answersOf(served(kServingHeader + kServingRow));
    CAPTURE(least[0].why);
    REQUIRE(least[0].answered());
    CHECK(least[0].ttftMs == whole[0].ttftMs);
    CHECK(least[0].tpotMs == whole[0].tpotMs);
    // Lengths from another share on are other lengths.
    const auto wider =
        answersOf(served(kServingHeader + "a,llama70b,,h100_sxm,vllm,fp8,agg,uniform 0.2-1,1024,1024,4,4\n"));
    CHECK(wider[0].ttftMs < whole[0].ttftMs);
}

TEST_CASE("Blackwell and every server of the recipes has an answer") {
    std::string text = kServingHeader;
    const std::pair<const char*, const char*> models[] = {
        {"deepseek-ai/DeepSeek-R1", "fp8"},  {"deepseek-ai/DeepSeek-R1", "fp4"},
        {"moonshotai/Kimi-K2.5", "int4"},    {"zai-org/GLM-5", "fp8"},
        {"MiniMaxAI/MiniMax-M2.5", "fp8"},   {"Qwen/Qwen3.5-397B-A17B", "bf16"},
        {"Qwen/Qwen3-235B-A22B", "fp8"},     {"openai/gpt-oss-120b", "fp4"},
        {"meta-llama/Llama-3.1-70B", "fp4"}, {"meta-llama/Llama-3.1-8B", "bf16"}};
    for (const auto* system : {"h100_sxm", "h200_sxm", "b200_sxm", "b300_sxm", "gb200", "gb300"})
        for (const auto* backend : {"vllm", "sglang", "trtllm"})
            for (const auto& [model, precision] : models)
                text += std::string("x,x,") + model + ',' + system + ',' + backend + ',' + precision +
                        ",agg,uniform 0.8-1,1024,128,2,4\n";
    const auto table = served(text);
    for (const auto& row : answersOf(table)) {
        CAPTURE(row.row->modelPath);
        CAPTURE(row.row->system);
        CAPTURE(row.why);
        const bool fits = row.why.find("memory") == std::string::npos;
        const bool native = row.why.find("not native on Hopper") == std::string::npos;
        CHECK((row.answered() || !fits || !native));
        CHECK((!row.answered() || row.tpotMs > 0));
    }
}
