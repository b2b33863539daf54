// SPDX-License-Identifier: GPL-3.0-or-later
// Steps as sums of kernels, through designs: golden values of silicon_kernels.md, section 11.
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/scenario_key.h"
#include "engine/schedule/compiled_phase.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// What is served: bits of weights, activations and KV cache, and the switches of their scales.
struct Precision {
    double weights = 16, activations = 16, kv = 16;
    bool staticScales = true, blockScales = false;
};

/// GPUs of the specification's figures, with a link of the specification's.
Scenario serve(const std::string& model, const std::string& device, double ranks, const std::string& runtime,
               const Precision& precision = {}) {
    Scenario scenario;
    scenario.model = catalog().model(model, "");
    scenario.workload.batch.value = 64;
    scenario.workload.promptTokens.value = 1000;
    scenario.workload.outputTokens.value = 500;
    Node node;
    node.id = {"gpu"};
    node.device = catalog().device(device, "");
    node.device.peakFp16.value = kernels().gpu(node.device.kernels).figures.peak(Rate::Bf16) * 1e12;
    node.count.value = ranks;
    node.replicas.value = 1;
    node.runtime = catalog().runtime(runtime, "").on(node.device);
    node.runtime->weightBits.value = precision.weights;
    node.runtime->activationBits.value = precision.activations;
    node.runtime->kvBits.value = precision.kv;
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        auto& settings = node.runtime->timing(phase).settings;
        settings.switchOn(0, precision.staticScales);
        settings.switchOn(1, precision.blockScales);
    }
    scenario.nodes.push_back(node);
    return scenario;
}

/// us of a step with one new token for each of `batch` sequences of `context` tokens, or of a whole prompt.
double stepUs(Scenario scenario, Phase phase, double batch, double context) {
    scenario.workload.batch.value = batch;
    if (phase == Phase::Prefill)
        scenario.workload.promptTokens.value = context;
    const auto& node = scenario.nodes.front();
    const auto machine = machineOf(scenario, node);
    const CompiledPhase compiled(scenario, node, phase, machine, nullptr);
    return compiled.cost(context, context).at(context) * 1e6;
}

/// What one more layer takes.
double layerUs(Scenario scenario, Phase phase, double batch, double context) {
    const double whole = stepUs(scenario, phase, batch, context);
    scenario.model.layers.value -= 1;
    return whole - stepUs(scenario, phase, batch, context);
}

constexpr double kDigits = 1e-5;

/// The same below a PCIe switch.
Scenario onPcie(Scenario scenario, const std::string& link) {
    Node fabric;
    fabric.id = {"switch"};
    fabric.device = catalog().device("pcie-gen5-switch", "");
    fabric.role = Role::Fabric;
    scenario.nodes.push_back(fabric);
    scenario.links.push_back({{"pcie"}, {"gpu"}, {"switch"}, catalog().linkType(link, "")});
    return scenario;
}

/// Of the first all-reduce of a prompt of 16,384 tokens, s: 134 MB of a model 4,096 wide.
double allReduceOf134MB(Scenario scenario) {
    scenario.workload.batch.value = 1;
    scenario.workload.promptTokens.value = 16384;
    const auto& node = scenario.nodes.front();
    const auto machine = machineOf(scenario, node);
    const CompiledPhase compiled(scenario, node, Phase::Prefill, machine, nullptr);
    const auto operators = compiled.graph().operators();
    for (std::size_t i = 0; i < operators.size(); ++i)
        if (operators[i].kind == OperatorKind::AllReduce)
            return compiled.step().timing().collectiveOnce(i);
    return 0.0;
}

} // namespace

TEST_CASE("cards on PCIe reach each other, or go through the host as the measured L40S do") {
    const auto linked = onPcie(serve("llama3-1-8b", "l40s", 4, "sglang"), "pcie-gen4-x16");
    const auto peers = with(linked, "links.pcie.peer", "1");
    const double measured = 55.466e-3; // kernels.csv: l40s, SGLang, 4 ranks, 134,217,728 B
    CHECK(off(allReduceOf134MB(linked), measured) < 0.15);
    CHECK(allReduceOf134MB(with(linked, "links.pcie.peer", "0")) == allReduceOf134MB(linked));
    CHECK(allReduceOf134MB(peers) < 0.3 * measured);
    CHECK(allReduceOf134MB(peers) > 1.5 * 134.217728e6 / 24e9); // what a ring sends at the link's rate
    // Measured on the link that is drawn: as precise as measured.
    const auto error = [](const Scenario& scenario) {
        const auto& node = scenario.nodes.front();
        const auto machine = machineOf(scenario, node);
        const CompiledPhase compiled(scenario, node, Phase::Prefill, machine, nullptr);
        std::array<ExpectedError, OperatorGraph::kCapacity> errors;
        compiled.step().timing().operatorErrors(1000, errors);
        return errors[0];
    };
    CHECK(error(linked).otherDevice == 0.0);
    CHECK(error(peers).otherDevice == 1.0);
    // On PCIe 5 the server with RTX PRO 6000 is taken for peers.
    const auto rtx = onPcie(serve("llama3-1-8b", "rtx-pro-6000", 8, "vllm"), "pcie-gen5-x16");
    CHECK(allReduceOf134MB(with(rtx, "links.pcie.peer", "1")) == allReduceOf134MB(rtx));
    CHECK(allReduceOf134MB(with(rtx, "links.pcie.peer", "0")) > 3.0 * allReduceOf134MB(rtx));
    // By a roofline the host costs a second DMA.
    auto ideal = linked;
    ideal.nodes.front().runtime = catalog().runtime("ideal", "").on(ideal.nodes.front().device);
    const double once = allReduceOf134MB(ideal);
    CHECK(allReduceOf134MB(with(ideal, "links.pcie.peer", "1")) == once);
    CHECK(off(allReduceOf134MB(with(ideal, "links.pcie.peer", "0")) - once, 20e-6) < 1e-6);
    // Of a link over which nobody shares a model it says nothing, which is said.
    auto alone = peers;
    alone.nodes.front().replicas.value = 4;
    const auto finds = [](const Scenario& scenario) {
        for (const auto& found : validate(scenario))
            if (found.code == "idle_peer")
                return true;
        return false;
    };
    CHECK(finds(alone));
    CHECK_FALSE(finds(peers));
}

TEST_CASE("a layer of a design takes what the specification gives for its kernels") {
    CHECK(off(layerUs(serve("llama3-1-8b", "h100-sxm", 1, "trtllm"), Phase::Decode, 64, 4096), 571.883) <
          kDigits);
    CHECK(off(layerUs(serve("llama3-1-8b", "h100-sxm", 1, "sglang"), Phase::Prefill, 1, 8192), 6099.06) <
          kDigits);
    CHECK(off(layerUs(serve("llama3-1-70b", "h100-sxm", 8, "sglang", {8, 8, 8, false, true}), Phase::Decode,
                      32, 2000),
              117.481) < kDigits);
    CHECK(off(layerUs(serve("llama3-1-70b", "h200-sxm", 8, "trtllm", {8, 8, 8, true, false}), Phase::Prefill,
                      2, 4096),
              2741.83) < kDigits);
    CHECK(off(layerUs(serve("llama3-1-70b", "b200-sxm", 2, "vllm", {4, 4, 8}), Phase::Decode, 64, 8192),
              192.228) < kDigits);
    CHECK(off(layerUs(serve("llama3-1-8b", "l40s", 4, "vllm", {8, 8, 8, false, false}), Phase::Decode, 16,
                      1000),
              260.401) < kDigits);
}

TEST_CASE("what a step has beside its layers takes what the specification gives") {
    auto scenario = serve("llama3-1-70b", "h100-sxm", 8, "trtllm");
    const double layer = layerUs(scenario, Phase::Decode, 64, 2000);
    scenario.model.layers.value = 1;
    CHECK(off(stepUs(scenario, Phase::Decode, 64, 2000) - layer, 203.748) < kDigits);
}

TEST_CASE("times of operators add up to the step, whatever bounds them") {
    for (const auto* runtime : {"trtllm", "sglang", "vllm", "best"})
        for (const auto phase : {Phase::Prefill, Phase::Decode})
            for (const double host : {0.0, 200e-6}) {
                CAPTURE(runtime);
                CAPTURE(host);
                auto scenario = serve("llama3-1-70b", "h100-sxm", 8, runtime);
                auto& node = scenario.nodes.front();
                node.runtime->timing(phase).settings.quantity(0).value = host;
                const auto machine = machineOf(scenario, node);
                const CompiledPhase compiled(scenario, node, phase, machine, nullptr);
                std::array<OperatorTime, OperatorGraph::kCapacity> times{};
                compiled.step().operatorTimes(1000, times);
                double sum = 0.0;
                for (const auto& time : times)
                    sum += time.seconds;
                const auto cost = compiled.cost(1000, 1000);
                CHECK(off(sum, cost.at(1000)) < 1e-12);
                CHECK(off(compiled.step().explain(1000).value(), sum) < 1e-9);
                CHECK((cost.boundAt(1000) == Bound::LaunchFloor) == (host > 0.0 && phase == Phase::Decode));
            }
}

TEST_CASE("a decode is the sum of its steps within 1e-4, at every length") {
    for (const auto* runtime : {"trtllm", "vllm", "best"})
        for (const double prompt : {1.0, 100.0, 5000.0})
            for (const double tokens : {1.0, 2.0, 77.0, 3000.0, 40000.0}) {
                CAPTURE(runtime);
                CAPTURE(prompt);
                CAPTURE(tokens);
                auto scenario = serve("llama3-1-8b", "h200-sxm", 1, runtime);
                scenario.workload.batch.value = 32;
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

TEST_CASE("a decode is what its terms add up to, whatever its stretches of contexts and blocks of keys") {
    for (const auto* model : {"llama3-1-8b", "gpt-oss-120b", "deepseek-v3"})
        for (const double prompt : {1.0, 100.0, 2048.0})
            for (const double tokens : {1.0, 64.0, 77.0, 512.0, 3000.0}) {
                CAPTURE(std::string(model));
                CAPTURE(prompt);
                CAPTURE(tokens);
                auto scenario = serve(model, "h200-sxm", 8, "sglang");
                scenario.workload.promptTokens.value = prompt;
                scenario.workload.outputTokens.value = tokens;
                const auto& node = scenario.nodes.front();
                const auto machine = machineOf(scenario, node);
                const CompiledPhase compiled(scenario, node, Phase::Decode, machine, nullptr);
                CHECK(off(compiled.explainTotal(scenario.workload).value(),
                          compiled.totalSeconds(scenario.workload)) < 1e-11);
            }
}

TEST_CASE("the fastest kernels are no slower than those of any framework") {
    for (const auto phase : {Phase::Prefill, Phase::Decode})
        for (const double batch : {1.0, 16.0, 200.0}) {
            const double best = stepUs(serve("llama3-1-70b", "h200-sxm", 4, "best"), phase, batch, 1500);
            for (const auto* runtime : {"trtllm", "sglang", "vllm"})
                CHECK(best <=
                      stepUs(serve("llama3-1-70b", "h200-sxm", 4, runtime), phase, batch, 1500) + 1e-9);
        }
}

TEST_CASE("what has no measured kernels is refused, with a way out") {
    const auto refused = [](Scenario scenario) {
        for (const auto& diagnostic : validate(scenario))
            if (diagnostic.message.find("measured kernels") != std::string::npos ||
                diagnostic.message.find("no kernels") != std::string::npos ||
                diagnostic.message.find("not native") != std::string::npos ||
                diagnostic.message.find("no constants") != std::string::npos ||
                diagnostic.message.find("peak") != std::string::npos)
                return diagnostic.message;
        return std::string();
    };
    CHECK(refused(serve("llama3-1-8b", "h100-sxm", 1, "trtllm")).empty());
    auto scenario = serve("llama3-1-8b", "h100-sxm", 1, "trtllm");
    scenario.nodes.front().device.kernels.clear();
    CHECK(refused(scenario).find("no kernels were measured on H100 SXM") != std::string::npos);
    CHECK(refused(serve("deepseek-v3", "h100-sxm", 8, "trtllm")).empty());
    CHECK(refused(serve("deepseek-v3-2", "h100-sxm", 8, "trtllm")).empty());
    CHECK(refused(serve("deepseek-v3-2", "l40s", 8, "trtllm"))
              .find("no sparse attention (dsa) was measured on Ada") != std::string::npos);
    CHECK(refused(serve("deepseek-v3", "l40s", 8, "trtllm")).empty());
    CHECK(refused(serve("deepseek-v3", "a100-sxm-80gb", 8, "trtllm"))
              .find("DeepSeek-V3 on A100 SXM 80GB is not composed of measured kernels: FP8 is not native on "
                    "Ampere") != std::string::npos);
    CHECK(refused(serve("llama3-1-8b", "h100-sxm", 1, "trtllm", {4, 4, 8}))
              .find("FP4 is not native on Hopper") != std::string::npos);
    CHECK_FALSE(refused(serve("llama3-1-8b", "h100-sxm", 1, "trtllm", {6, 6, 8})).empty());
}

TEST_CASE("whose kernels they are is part of a design and of its key") {
    auto scenario = serve("llama3-1-8b", "h100-sxm", 1, "trtllm");
    const auto key = scenarioKey(scenario);
    scenario.nodes.front().device.kernels = "h200_sxm";
    CHECK(scenarioKey(scenario) != key);
    CHECK(readDevice(writeDevice(scenario.nodes.front().device), "test").kernels == "h200_sxm");
    CHECK(shippedKernels().fingerprint == kernels().fingerprint);
    CHECK(kernels().fingerprint != 0);
}
