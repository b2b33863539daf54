// SPDX-License-Identifier: GPL-3.0-or-later
// Steps of layered models as sums of kernels: moe_parallel.md, sections 9.5 and 12.
#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/schedule/compiled_phase.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// GPUs of the specification's figures, all in one pool.
Scenario layered(const std::string& model, const std::string& device, double count,
                 const std::string& runtime) {
    Scenario scenario;
    scenario.model = catalog().model(model, "");
    scenario.workload.batch.value = 64;
    scenario.workload.promptTokens.value = 4000;
    scenario.workload.outputTokens.value = 192;
    Node node;
    node.id = {"gpu"};
    node.device = catalog().device(device, "");
    const auto& figures = kernels().gpu(node.device.kernels).figures;
    node.device.peakFp16.value = figures.peak(Rate::Bf16) * 1e12;
    node.device.memoryBandwidth.value = figures.hbmTbs * 1e12;
    node.count.value = count;
    node.replicas.value = 1;
    node.runtime = catalog().runtime(runtime, "").on(node.device);
    scenario.nodes.push_back(node);
    return scenario;
}

struct Timed {
    double us = 0.0; ///< of one layer
    Bound bound = Bound::None;
};

/// Of the operator of that key: the first, or the one after.
Timed timeOf(const OperatorGraph& graph, const Scenario& scenario, Phase phase, double context,
             std::string_view key, std::size_t skip = 0) {
    const auto& node = scenario.nodes.front();
    const Machine machine(node.device, *node.runtime);
    TimingRoom room;
    timePhase(room, graph, machine, phase);
    std::array<OperatorTime, OperatorGraph::kCapacity> times{};
    room->operatorTimes(context, times);
    const auto operators = graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (operators[i].key == key && skip-- == 0)
            return {times[i].seconds / operators[i].repeat * 1e6, times[i].bound};
    return {};
}

StepShape shapeOf(Phase phase, double batch, double tokens, const Layout& layout) {
    StepShape shape;
    shape.phase = phase;
    shape.batch = batch;
    shape.queryTokens = phase == Phase::Decode ? 1.0 : tokens;
    shape.context = tokens;
    shape.maxTokens = tokens + 1.0;
    shape.style = OperatorStyle::Fused;
    shape.layout = layout;
    return shape;
}

constexpr double kGolden = 1e-4;

/// Llama 3.1 405B cut by tensor parallelism over two servers, on measured kernels.
Scenario overTwoNodes() {
    return presetWith("served/llama3-1-405b-16h100-tp8-pp2",
                      {{"nodes.gpu.pp", "1"}, {"nodes.gpu.runtime", "trtllm"}});
}

} // namespace

TEST_CASE("kernels of a layered step take what the specification gives") {
    const auto deepSeek = layered("deepseek-v3", "h100-sxm", 8, "trtllm");
    const Layout one;
    const OperatorGraph whole(deepSeek.model, shapeOf(Phase::Decode, 64, 4096, one));
    CHECK(off(timeOf(whole, deepSeek, Phase::Decode, 4096, "attention").us, 146.228305) < kGolden); // no. 59
    CHECK(off(timeOf(whole, deepSeek, Phase::Decode, 4096, "q_absorb").us, 10.5092659) < kGolden);  // no. 63

    auto fp8 = layered("deepseek-v3", "b200-sxm", 8, "trtllm");
    fp8.nodes.front().runtime->kvBits.value = 8;
    const OperatorGraph split(fp8.model, shapeOf(Phase::Decode, 256, 8192, Layout::tensorParallel(8)));
    CHECK(off(timeOf(split, fp8, Phase::Decode, 8192, "attention").us, 217.786068) < kGolden); // no. 60

    const OperatorGraph prompt(deepSeek.model, shapeOf(Phase::Prefill, 1, 4096, Layout::tensorParallel(8)));
    CHECK(off(timeOf(prompt, deepSeek, Phase::Prefill, 4096, "attention").us, 197.343305) <
          kGolden); // no. 62
}

TEST_CASE("experts take what their kernel's model gives for the busiest rank") {
    // No. 56: Qwen3-235B in FP8 blocks on one device, A = T k and U as of uniform routing.
    auto qwen = layered("qwen3-235b-a22b", "h100-sxm", 1, "trtllm");
    qwen.model.weights = &weightRecipe("fp8_block", "test");
    const OperatorGraph one(qwen.model, shapeOf(Phase::Decode, 64, 4096, {}));
    CHECK(off(timeOf(one, qwen, Phase::Decode, 4096, "experts").us, 874.261733) < kGolden);

    // No. 57: DeepSeek-V3's, cut by width over eight; vLLM's kernel.
    const auto vllm = layered("deepseek-v3", "h200-sxm", 8, "vllm");
    const OperatorGraph cut(vllm.model, shapeOf(Phase::Decode, 4096, 4096, Layout::tensorParallel(8)));
    CHECK(off(timeOf(cut, vllm, Phase::Decode, 4096, "experts").us, 1831.68793) < kGolden);

    // No. 64: dispatch of 128 tokens a rank over four nodes.
    const auto sglang = layered("deepseek-v3", "h100-sxm", 32, "sglang");
    Layout wide;
    wide.dp = wide.ep = 32;
    const OperatorGraph decode(sglang.model, shapeOf(Phase::Decode, 4096, 4096, wide));
    CHECK(off(timeOf(decode, sglang, Phase::Decode, 4096, "dispatch").us, 143.915026) < kGolden);
    // No. 65: combine of 4096 tokens a rank over two.
    wide.dp = wide.ep = 16;
    const OperatorGraph prompt(sglang.model, shapeOf(Phase::Prefill, 16, 4096, wide));
    CHECK(off(timeOf(prompt, sglang, Phase::Prefill, 4096, "combine").us, 2141.6526) < kGolden);
}

TEST_CASE("the delta rule takes what the specification gives") {
    const auto qwen = layered("qwen3-5-397b-a17b", "h100-sxm", 1, "sglang");
    for (std::size_t i = 0; i < qwen.model.groups.size(); ++i) {
        if (qwen.model.groups[i].attention->id() != "gdn")
            continue;
        const auto us = [&](Phase phase, double batch) { // with the convolution
            const OperatorGraph graph(qwen.model, shapeOf(phase, batch, 4096, {}));
            return timeOf(graph, qwen, phase, 4096, "attention", i).us +
                   timeOf(graph, qwen, phase, 4096, "convolution").us;
        };
        // silicon_more.md, section B4, by a prototype; nothing is in a cache.
        CHECK(off(us(Phase::Decode, 64), 190.023536) < kGolden);
        CHECK(off(us(Phase::Prefill, 1), 871.142547) < kGolden);
        return;
    }
    FAIL("no group with a delta rule");
}

TEST_CASE("layer groups of equal dense layers take what a uniform model takes") {
    const auto uniform = layered("llama3-1-8b", "h100-sxm", 1, "sglang");
    auto grouped = uniform;
    grouped.model.groups.push_back(readLayerGroup(
        Json::parse(
            R"({"count": 32, "attention": {"kind": "gqa", "heads": 32, "kv_heads": 8, "head_dim": 128}})"),
        "test", {}));
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const auto us = [&](const Scenario& scenario) {
            const auto& node = scenario.nodes.front();
            const auto machine = machineOf(scenario, node);
            const CompiledPhase compiled(scenario, node, phase, machine, nullptr);
            return compiled.cost(4000, 4000).at(4000);
        };
        CHECK(off(us(grouped), us(uniform)) < 1e-9);
    }
}

TEST_CASE("mixtures are timed on every GPU whose kernels were measured, and each kernel has a bound") {
    for (const auto* model : {"deepseek-v3", "gpt-oss-120b", "qwen3-235b-a22b", "qwen3-next-80b-a3b"})
        for (const auto* device : {"h100-sxm", "h200-sxm", "b200-sxm"})
            for (const auto* runtime : {"trtllm", "vllm", "sglang", "best"})
                for (const auto phase : {Phase::Prefill, Phase::Decode}) {
                    CAPTURE(model);
                    CAPTURE(device);
                    CAPTURE(runtime);
                    const auto scenario = layered(model, device, 8, runtime);
                    const auto& node = scenario.nodes.front();
                    const auto machine = machineOf(scenario, node);
                    const CompiledPhase compiled(scenario, node, phase, machine, nullptr);
                    std::array<OperatorTime, OperatorGraph::kCapacity> times{};
                    compiled.step().operatorTimes(4000, times);
                    double sum = 0.0;
                    const auto operators = compiled.graph().operators();
                    for (std::size_t i = 0; i < operators.size(); ++i) {
                        CAPTURE(operators[i].key);
                        CHECK(times[i].seconds > 0.0);
                        CHECK(times[i].bound != Bound::None);
                        sum += times[i].seconds;
                    }
                    CHECK(off(sum, compiled.cost(4000, 4000).at(4000)) < 1e-12);
                }
}

TEST_CASE("a decode of layered models is the sum of its steps, in blocks of keys or with windows") {
    for (const auto* model : {"deepseek-v3", "gpt-oss-120b"}) // the second has windows that fill up
        for (const double prompt : {1.0, 100.0, 4000.0})
            for (const double tokens : {1.0, 63.0, 500.0, 3000.0}) {
                CAPTURE(model);
                CAPTURE(prompt);
                CAPTURE(tokens);
                auto scenario = layered(model, "h100-sxm", 8, "best");
                scenario.workload.promptTokens.value = prompt;
                scenario.workload.outputTokens.value = tokens;
                const auto& node = scenario.nodes.front();
                const auto machine = machineOf(scenario, node);
                const CompiledPhase compiled(scenario, node, Phase::Decode, machine, nullptr);
                double sum = 0.0;
                for (double token = 1; token <= tokens; ++token)
                    sum += compiled.step().cost(prompt + token, prompt + token).at(prompt + token);
                CHECK(off(compiled.totalSeconds(scenario.workload), sum) < 1e-4);
            }
}

TEST_CASE("collectives between nodes take the drawn network's latency and rate") {
    const auto decode = [](const char* key, const std::string& value) {
        auto scenario = presetWith("served/llama3-1-405b-16h100-tp8-pp2", {{"nodes.gpu.pp", "1"}});
        if (*key != '\0')
            scenario = with(scenario, key, value);
        return evaluate(scenario).nodes[0].decode.seconds;
    };
    const auto* latency = "links.gpu-quantum.latency_us";
    const double shipped = decode("", "");
    CHECK(decode(latency, "25") == shipped); // of the preset
    const double at1 = decode(latency, "1"), at100 = decode(latency, "100");
    CHECK(at1 < shipped);
    CHECK(at100 > 1.2 * shipped);
    CHECK((at100 - at1) / (shipped - at1) == doctest::Approx(99.0 / 24.0).epsilon(1e-6));
    CHECK(decode("links.gpu-quantum.bandwidth_gbps", "12.42") > 1.01 * shipped);
    CHECK(decode("links.gpu-nvswitch.latency_us", "50") > shipped);
}

TEST_CASE("a node has the GPUs of its kind, or those of the drawn link's domain where that is smaller") {
    CHECK(kernels().gpu("gb200").perNode == 72);
    CHECK(kernels().gpu("b200_sxm").perNode == 8);
    const auto decode = [](const std::string& domain) {
        return evaluate(with(overTwoNodes(), "links.gpu-nvswitch.domain", domain)).nodes[0];
    };
    CHECK(decode("72").decode.seconds == decode("8").decode.seconds); // a board joins 8
    CHECK(decode("72").decode.collectiveBytes.far == decode("8").decode.collectiveBytes.far);
    CHECK(decode("4").decode.seconds > decode("8").decode.seconds);
}

TEST_CASE("equal layers over two nodes take their collectives as layer groups do, over the drawn network") {
    const auto shipped = overTwoNodes();
    CHECK_FALSE(hasErrors(validate(shipped)));
    auto grouped = shipped;
    grouped.model = layeredForm(shipped.model);
    const auto allReduce = [](const Scenario& scenario, Phase phase) {
        const auto& node = scenario.nodes.front();
        const auto machine = machineOf(scenario, node);
        const CompiledPhase compiled(scenario, node, phase, machine, nullptr);
        const auto operators = compiled.graph().operators();
        for (std::size_t i = 0; i < operators.size(); ++i)
            if (operators[i].key == "ffn_allreduce")
                return compiled.step().timing().collectiveOnce(i);
        return 0.0;
    };
    const auto* latency = "links.gpu-quantum.latency_us";
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const double whole = allReduce(shipped, phase);
        CHECK(whole > 0.0);
        CHECK(off(allReduce(grouped, phase), whole) < 1e-12);
        // 0.6 t_w for a doubling of the nodes (moe_parallel, section 9.5), in a server 1.0 or more times
        // that.
        const double slower = allReduce(with(shipped, latency, "125"), phase) - whole;
        const auto& server = shipped.nodes.front().server;
        CHECK(slower / (server ? server->kernels.value : 1.0) == doctest::Approx(60e-6).epsilon(1e-9));
        CHECK(allReduce(with(shipped, "links.gpu-quantum.bandwidth_gbps", "5"), phase) > whole);
        CHECK(allReduce(with(shipped, "links.gpu-nvswitch.bandwidth_gbps", "900"), phase) < whole);
    }
}

TEST_CASE("no projection stands above its roof by what the others of its GEMM read") {
    for (const auto* pp : {"1", "2"}) { // equal layers, and groups
        const auto scenario = with(overTwoNodes(), "nodes.gpu.pp", pp);
        const auto& node = scenario.nodes.front();
        const auto step = breakdown(scenario, node.id, Phase::Prefill);
        const auto machine = machineOf(scenario, node);
        const CompiledPhase compiled(scenario, node, Phase::Prefill, machine, nullptr);
        double bytes = 0.0, ofGraph = 0.0;
        for (const auto& op : compiled.graph().operators())
            ofGraph += op.repeat * machine.bytes(op).at(2048);
        for (const auto& row : step.operators) {
            bytes += row.bytes;
            CAPTURE(row.key);
            if (row.key == "q_proj" || row.key == "k_proj" || row.key == "v_proj")
                CHECK(row.flops / row.seconds <
                      std::min(row.peakFlops, row.flops / row.bytes * machine.peakBandwidth));
        }
        CHECK(off(bytes, ofGraph) < 1e-9);
    }
}
