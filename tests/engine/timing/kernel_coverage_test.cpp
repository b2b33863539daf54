// SPDX-License-Identifier: GPL-3.0-or-later
// Every shipped model in every usual format on every NVIDIA GPU of the catalogue with every measured runtime:
// a time, or a refusal that names the reason.
#include "engine/schedule/compiled_phase.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A format as people name it: bits of weights and activations, and the recipe of a checkpoint.
struct UsualFormat {
    std::string_view name;
    double weights, activations;
    bool blockScales = false;
    const char* recipe = nullptr; ///< of the model; null: none, the runtime's bits
    bool asReleased = false;      ///< the model's own recipe
};
constexpr std::array<UsualFormat, 8> kFormats{{{"as released", 16, 16, false, nullptr, true},
                                               {"bf16", 16, 16},
                                               {"fp8", 8, 8},
                                               {"fp8_block", 8, 8, true},
                                               {"w8a16", 8, 16},
                                               {"w4a16", 4, 16},
                                               {"nvfp4", 4, 4},
                                               {"mxfp4 experts", 16, 16, false, "mxfp4_moe"}}};
constexpr std::array<const char*, 4> kRuntimes{"trtllm", "vllm", "sglang", "best"};

/// NVIDIA's architecture of a GPU of the catalogue, and what its tensor cores multiply.
struct Silicon {
    const char* device;
    std::string_view name;
    bool fp8 = false, fp4 = false;
};
constexpr std::array<Silicon, 26> kSilicon{{{"a100-40gb", "Ampere"},
                                            {"a100-40gb-inf2", "Ampere"},
                                            {"a100-80gb", "Ampere"},
                                            {"a100-sxm-40gb", "Ampere"},
                                            {"a100-sxm-80gb", "Ampere"},
                                            {"a10", "Ampere"},
                                            {"a40", "Ampere"},
                                            {"rtx-3090", "Ampere"},
                                            {"l40s", "Ada", true},
                                            {"l4", "Ada", true},
                                            {"rtx-4090", "Ada", true},
                                            {"h20", "Hopper", true},
                                            {"h100-pcie", "Hopper", true},
                                            {"h100-nvl", "Hopper", true},
                                            {"h100-sxm", "Hopper", true},
                                            {"h800", "Hopper", true},
                                            {"h200-nvl", "Hopper", true},
                                            {"h200-sxm", "Hopper", true},
                                            {"gh200", "Hopper", true},
                                            {"b200-sxm", "Blackwell", true, true},
                                            {"b300-sxm", "Blackwell", true, true},
                                            {"gb200", "Blackwell", true, true},
                                            {"gb300", "Blackwell", true, true},
                                            {"rtx-5090", "RTX Blackwell", true, true},
                                            {"dgx-spark", "RTX Blackwell", true, true},
                                            {"rtx-pro-6000", "RTX Blackwell", true, true}}};

Scenario servedIn(const Model& model, const Device& device, const char* runtime, const UsualFormat& format) {
    Scenario scenario;
    scenario.model = model;
    if (!format.asReleased)
        scenario.model.weights = format.recipe ? &weightRecipe(format.recipe, "") : nullptr;
    scenario.workload.batch.value = 16;
    scenario.workload.promptTokens.value = 1000;
    scenario.workload.outputTokens.value = 200;
    Node node;
    node.id = {"gpu"};
    node.device = device;
    node.count.value = 1;
    node.replicas.value = 1;
    node.runtime = catalog().runtime(runtime, "").on(device);
    node.runtime->weightBits.value = format.weights;
    node.runtime->activationBits.value = format.activations;
    for (const auto phase : {Phase::Prefill, Phase::Decode})
        node.runtime->timing(phase).settings.switchOn(1, format.blockScales);
    scenario.nodes.push_back(node);
    return scenario;
}

/// s of a step with one new token for each request, at `context`, or of a whole prompt.
double stepSeconds(const Scenario& scenario, Phase phase, double context) {
    const auto& node = scenario.nodes.front();
    const auto machine = machineOf(scenario, node);
    const CompiledPhase compiled(scenario, node, phase, machine, nullptr);
    return compiled.cost(context, context).at(context);
}

/// Why its steps have no time; empty where they have one.
std::string whyRefused(const Scenario& scenario) {
    const auto& node = scenario.nodes.front();
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const auto& kind = *node.runtime->timing(phase).kind;
        for (const auto& refusal :
             {kind.refusalOn(*node.runtime, node.device), kind.refusalOf(scenario.model),
              kind.refusalFor(*node.runtime, node.device, scenario.model)})
            if (refusal)
                return refusal->message + ". " + refusal->remedy;
        const double seconds = stepSeconds(scenario, phase, 1100);
        if (!(seconds > 0.0 && std::isfinite(seconds)))
            return "no time: " + std::to_string(seconds) + " s";
    }
    return {};
}

bool hasFigure(const Model& model, const char* key) {
    return std::any_of(model.groups.begin(), model.groups.end(), [&](const LayerGroup& group) {
        const int index = group.attention->indexOf(key);
        return index >= 0 && group.figures.quantity(static_cast<std::size_t>(index)).isSet();
    });
}

/// What a refusal has to say, one of them; none where there has to be a time.
std::vector<std::string> reasonsFor(const Model& model, const UsualFormat& format, const Silicon& silicon) {
    std::vector<std::string> reasons;
    const std::string on = " is not native on " + std::string(silicon.name);
    const bool released8 =
        format.asReleased &&
        std::any_of(model.weights->formats.begin(), model.weights->formats.end(),
                    [](const WeightFormat* of) { return std::string_view(of->id).starts_with("fp8"); });
    if (!silicon.fp8 && released8)
        reasons.push_back("FP8" + on);
    if (!silicon.fp8 && format.activations == 8 && model.isMixture()) // of dense models INT8 was measured
        reasons.push_back("FP8" + on + ", and no kernels of experts with INT8 activations were measured");
    if (!silicon.fp4 && format.activations == 4)
        reasons.push_back("FP4" + on);
    const bool compressed = model.id.starts_with("deepseek-v4"), picks = hasFigure(model, "index_keys");
    if (compressed || picks) {
        if (silicon.name != "Hopper" && silicon.name != "Blackwell")
            reasons.push_back("was measured on " + std::string(silicon.name));
        if (format.weights < 16 && format.activations == 16)
            reasons.push_back("no sparse attention was measured with weights that are unpacked");
        if (compressed)
            reasons.push_back("compressed attention was measured with a KV cache in FP8 alone");
        return reasons;
    }
    if (hasFigure(model, "index_heads"))
        reasons.push_back("no kernels of an index of sparse attention were measured");
    for (const auto& group : model.groups)
        if (const auto id = group.attention->id(); id == "recurrent" || id == "sparse")
            reasons.push_back("no kernels of " + std::string(group.attention->label()) + " were measured");
    return reasons;
}

} // namespace

TEST_CASE("every shipped model in every usual format has a time, or a refusal with its reason") {
    int timed = 0, refused = 0;
    for (const auto& silicon : kSilicon)
        for (const auto& model : catalog().models)
            for (const auto& format : kFormats) {
                if ((format.asReleased && !model.weights) || (format.recipe && !model.isMixture()))
                    continue;
                const auto reasons = reasonsFor(model, format, silicon);
                for (const auto* runtime : kRuntimes) {
                    const auto why =
                        whyRefused(servedIn(model, catalog().device(silicon.device, ""), runtime, format));
                    ++(why.empty() ? timed : refused);
                    const bool told =
                        std::any_of(reasons.begin(), reasons.end(), [&](const std::string& reason) {
                            return why.find(reason) != std::string::npos;
                        });
                    if (why.empty() == reasons.empty() && (why.empty() || told))
                        continue;
                    const auto place = std::string(silicon.device) + ", " + model.id + ", " +
                                       std::string(format.name) + ", " + runtime + ": " + why;
                    FAIL_CHECK(place);
                }
            }
    CHECK(timed > 19'000);
    CHECK(refused > 4'000);
}

TEST_CASE("every GPU of NVIDIA is timed by kernels, but those that no constants are known of") {
    for (const auto& device : catalog().devices) {
        if (device.kind != DeviceKind::Gpu || device.vendor != "NVIDIA")
            continue;
        CAPTURE(device.id);
        const bool known = std::any_of(kSilicon.begin(), kSilicon.end(),
                                       [&](const Silicon& one) { return device.id == one.device; });
        CHECK(known == (device.id != "v100s" && device.id != "t4"));
        CHECK(device.kernels.empty() == !known);
        if (!known)
            continue;
        // The figures of a sibling are its own: those of its row are those of its preset.
        const auto& figures = kernels().gpu(device.kernels).figures;
        CHECK(off(figures.peak(Rate::Bf16) * 1e12, device.peakFp16.value) < 0.03);
        if (!device.l2Capacity.isSet())
            continue;
        CHECK(off(figures.l2Mb * 1e6, device.l2Capacity.value) < 0.03);
    }
    CHECK(off(kernels().gpu("h100_pcie").figures.clockGhz, 1.62) < 1e-3); // as its datasheet has it
    CHECK(off(kernels().gpu("h20").figures.clockGhz, kernels().gpu("h200_sxm").figures.clockGhz) < 0.02);
}

TEST_CASE("fewer bits of a weight are never slower to decode for one request") {
    for (const auto& silicon : kSilicon)
        for (const auto& model : catalog().models)
            for (const auto* runtime : kRuntimes) {
                if (!reasonsFor(model, kFormats[1], silicon).empty() ||
                    !reasonsFor(model, kFormats[5], silicon).empty())
                    continue;
                const auto decode = [&](double weights) {
                    auto scenario =
                        servedIn(model, catalog().device(silicon.device, ""), runtime, {"", weights, 16});
                    scenario.workload.batch.value = 1;
                    return stepSeconds(scenario, Phase::Decode, 1100);
                };
                const double four = decode(4), eight = decode(8), sixteen = decode(16);
                CAPTURE(std::string(silicon.device));
                CAPTURE(model.id);
                CAPTURE(std::string(runtime));
                CHECK(four <= eight);
                // Marlin's experts start later than those of 16 bits; so do GEMMs, which shows on small
                // layers.
                if (!model.isMixture() && model.parameters() > 4e9)
                    CHECK(eight <= sixteen);
            }
}

TEST_CASE("a mixture of equal layers takes what its layers take one by one") {
    for (const auto* id : {"mixtral-8x7b", "mixtral-8x22b", "phi3-5-moe"})
        for (const auto* device : {"a100-80gb", "h100-sxm", "b200-sxm"}) {
            CAPTURE(std::string(id));
            CAPTURE(std::string(device));
            const auto uniform = catalog().model(id, "");
            REQUIRE(uniform.isUniform());
            const auto equal = servedIn(uniform, catalog().device(device, ""), "vllm", kFormats[1]);
            const auto layered =
                servedIn(layeredForm(uniform), catalog().device(device, ""), "vllm", kFormats[1]);
            for (const auto phase : {Phase::Prefill, Phase::Decode})
                CHECK(stepSeconds(equal, phase, 1100) == stepSeconds(layered, phase, 1100));
            auto roofline = equal; // no other timing model sees another step than before
            roofline.nodes.front().runtime =
                catalog().runtime("ideal-operators", "").on(roofline.nodes.front().device);
            CHECK(isLayered(uniform, equal.nodes.front()));
            CHECK_FALSE(isLayered(uniform, roofline.nodes.front()));
        }
}

// One request after another on one H20, SGLang 0.4.6, (prompt + output) / time with 2,048 tokens of output:
// Qwen's speed benchmark (QwenLM/Qwen2.5, docs/source/getting_started/speed_benchmark.md, April 2025).
// Without the host's time, so that all are slower than here.
TEST_CASE("an H20 decodes as published, though none was measured") {
    struct Row {
        const char* model;
        double prompt, rate;
    };
    constexpr std::array<Row, 9> rows{{{"qwen3-8b", 1, 81.73},
                                       {"qwen3-8b", 6144, 296.25},
                                       {"qwen3-8b", 14336, 524.70},
                                       {"qwen3-32b", 1, 20.72},
                                       {"qwen3-32b", 6144, 77.82},
                                       {"qwen3-32b", 14336, 143.08},
                                       {"qwen3-30b-a3b", 1, 137.18},
                                       {"qwen3-30b-a3b", 6144, 490.10},
                                       {"qwen3-30b-a3b", 14336, 849.62}}};
    for (const auto& row : rows) {
        CAPTURE(std::string(row.model));
        CAPTURE(row.prompt);
        auto scenario =
            servedIn(catalog().model(row.model, ""), catalog().device("h20", ""), "sglang", kFormats[1]);
        scenario.workload.batch.value = 1;
        scenario.workload.promptTokens.value = row.prompt;
        const double prefill = stepSeconds(scenario, Phase::Prefill, row.prompt);
        double seconds = prefill;
        for (double token = 1; token <= 2048; token += 64) // 32 steps for all
            seconds += 64 * stepSeconds(scenario, Phase::Decode, row.prompt + token + 31.5);
        const double rate = (row.prompt + 2048) / seconds;
        CHECK(rate > row.rate);
        CHECK(off(rate, row.rate) < 0.24);
    }
}
