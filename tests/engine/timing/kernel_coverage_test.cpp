// SPDX-License-Identifier: GPL-3.0-or-later
// Every shipped model in every usual format on every NVIDIA GPU of the catalogue with every measured runtime:
// a time, or a refusal that names the reason.
#include "engine/schedule/compiled_phase.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"

#include <cmath>
#include <map>
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
constexpr std::array<Silicon, 18> kSilicon{{{"a100-40gb", "Ampere"},
                                            {"a100-40gb-inf2", "Ampere"},
                                            {"a100-80gb", "Ampere"},
                                            {"a100-sxm-40gb", "Ampere"},
                                            {"a100-sxm-80gb", "Ampere"},
                                            {"l40s", "Ada", true},
                                            {"h20", "Hopper", true},
                                            {"h100-pcie", "Hopper", true},
                                            {"h100-nvl", "Hopper", true},
                                            {"h100-sxm", "Hopper", true},
                                            {"h200-nvl", "Hopper", true},
                                            {"h200-sxm", "Hopper", true},
                                            {"gh200", "Hopper", true},
                                            {"b200-sxm", "Blackwell", true, true},
                                            {"b300-sxm", "Blackwell", true, true},
                                            {"gb200", "Blackwell", true, true},
                                            {"gb300", "Blackwell", true, true},
                                            {"rtx-pro-6000", "Blackwell RTX", true, true}}};

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
    }
    for (const auto phase : {Phase::Prefill, Phase::Decode}) {
        const auto machine = machineOf(scenario, node);
        const CompiledPhase compiled(scenario, node, phase, machine, nullptr);
        const double seconds = compiled.cost(1100, 1100).at(1100);
        if (!(seconds > 0.0 && std::isfinite(seconds)))
            return "no time: " + std::to_string(seconds) + " s";
    }
    return {};
}

} // namespace

TEST_CASE("TABLE") {
    std::map<std::string, int> counts;
    std::map<std::string, std::map<std::string, std::pair<int, int>>> table;
    int timed = 0, all = 0;
    for (const auto& silicon : kSilicon)
        for (const auto& model : catalog().models)
            for (const auto& format : kFormats)
                for (const auto* runtime : kRuntimes) {
                    if (format.asReleased && !model.weights)
                        continue;
                    if (format.recipe && !model.isMixture())
                        continue;
                    std::string why;
                    try {
                        why = whyRefused(
                            servedIn(model, catalog().device(silicon.device, ""), runtime, format));
                    } catch (const Error& e) {
                        why = std::string("THROWN ") + e.what();
                    }
                    ++all;
                    auto& cell = table[std::string(silicon.device)]
                                      [std::string(format.name) + (model.isMixture() ? " moe" : " dense")];
                    ++cell.second;
                    if (why.empty()) {
                        ++timed;
                        ++cell.first;
                        continue;
                    }
                    ++counts[std::string(silicon.device) + " | " + std::string(format.name) + " | " +
                             (model.isMixture() ? (model.isUniform() ? "uniform mixture" : "mixture")
                                                : "dense") +
                             " | " + why.substr(0, 200)];
                }
    MESSAGE(timed << " of " << all);
    for (auto& [d, row] : table) {
        std::string s;
        for (auto& [f, c] : row)
            s += f + " " + std::to_string(c.first) + "/" + std::to_string(c.second) + ", ";
        MESSAGE(d << ": " << s);
    }
    for (const auto& [why, count] : counts)
        MESSAGE(count << " x " << why);
}
