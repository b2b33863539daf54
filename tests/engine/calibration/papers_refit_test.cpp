// SPDX-License-Identifier: GPL-3.0-or-later
// Constants of the presets that were calibrated on papers, fitted anew from the papers' points.
#include "engine/calibration/fit.h"
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/built_in.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/timing/built_in.h"
#include "tests/engine/fixtures.h"

#include <array>
#include <cmath>
#include <limits>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Quantities of a runtime as parameters of a fit, away from what the preset has.
struct RuntimeConstants {
    std::vector<std::string> paths;
    std::vector<double> preset;
    std::vector<FitParameter> parameters;

    RuntimeConstants(const Runtime& runtime, std::vector<std::string> of) : paths(std::move(of)) {
        bool more = false;
        for (const auto& path : paths) {
            preset.push_back(quantityOf(runtime, path).value);
            more = !more; // up and down in turn
            const double start = preset.back() * (more ? 1.6 : 0.6);
            parameters.push_back({path, start, start / 100, start * 100});
        }
    }
    void set(Runtime& runtime, std::span<const double> values) const {
        for (std::size_t i = 0; i < paths.size(); ++i)
            quantityOf(runtime, paths[i]).value = values[i];
    }
};

struct Run {
    Scenario scenario;
    double seconds;
};

/// Table 1 of PRESERVE, its calibrated rows (preserve.md, section 2): baseline and prefetch on 2, 4, 8 NPUs.
std::vector<Run> measuredRuns() {
    struct Row {
        const char* model;
        std::array<double, 6> seconds;
    };
    const std::array<Row, 2> rows{{{"llama3-8b", {148.8, 111.3, 128.2, 80.6, 60.3, 54.5}},
                                   {"llama3-70b", {596.0, 515.8, 501.5, 368.7, 233.8, 211.1}}}};
    std::vector<Run> runs;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.seconds.size(); ++i) {
            auto scenario =
                presetWith("preserve/llama3-70b-4npu-measured",
                           {{"model", row.model}, {"nodes.npu.count", std::to_string(2 << (i / 2))}});
            scenario.techniques[l2Prefetch()].enabled = i % 2 == 1;
            runs.push_back({std::move(scenario), row.seconds[i]});
        }
    return runs;
}

} // namespace

TEST_CASE("the constants of a measured Ascend 910B layer follow from Table 1 of PRESERVE") {
    auto runs = measuredRuns();
    auto& first = *runs.front().scenario.nodes.front().runtime;
    const RuntimeConstants constants(first,
                                     {"timing.decode.layer_fixed_us", "timing.decode.layer_missed_us",
                                      "timing.decode.layer_us_per_mb", "timing.decode.kv_row_missed_ns",
                                      "timing.decode.kv_row_hit_ns"});
    // Relative least squares, as the note has it.
    const Residuals residuals = [&](std::span<const double> values, std::span<double> out) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            constants.set(*runs[i].scenario.nodes.front().runtime, values);
            out[i] = evaluate(runs[i].scenario).metric(Metric::Latency) / runs[i].seconds - 1.0;
        }
    };
    FitOptions options;
    options.loss.loss = Loss::Squares;
    options.openAbove = std::numeric_limits<double>::infinity();
    const auto found = fit(residuals, runs.size(), constants.parameters, options);
    CHECK(found.converged);
    CHECK(found.undetermined.empty());
    for (std::size_t i = 0; i < constants.paths.size(); ++i) {
        CAPTURE(constants.paths[i]);
        CAPTURE(found.parameters[i].value);
        CAPTURE(found.parameters[i].standardError);
        CHECK(off(found.parameters[i].value, constants.preset[i]) < 0.01);
    }
    // Twelve times do not tell what missed weights cost to a factor of 2, and this is said.
    options.openAbove = FitOptions().openAbove;
    const auto careful = fit(residuals, runs.size(), constants.parameters, options);
    REQUIRE(careful.undetermined.size() == 1);
    CHECK(careful.undetermined.front().kept == "timing.decode.layer_missed_us");
    CHECK(careful.undetermined.front().standardError > std::log(2.0));
}

TEST_CASE("the constants of FlightLLM's loads follow from the points of GLITCHES") {
    const auto device = catalog().device("u280", "");
    auto runtime = catalog().runtime("glitches-fpga", "").on(device);
    const RuntimeConstants constants(runtime,
                                     {"timing.decode.load_issue_cycles", "timing.decode.tile_compute_cycles",
                                      "timing.decode.memory_efficiency", "timing.decode.softmax_per_cycle"});
    const OperatorGraph graph(catalog().model("llama2-7b", ""), StepShape{});
    struct Value {
        double first, second;
    };
    // glitches.md: Table I, section V-B, Fig 5 (bytes, share) and Fig 9 (ratio; q_proj, up_proj, whole at
    // 128).
    const std::array<Value, 5> loads{
        {{256, 0.087}, {1024, 0.25}, {8192, 0.56}, {32768, 0.65}, {262144, 0.68}}};
    const std::array<double, 4> ratios{2, 4, 8, 16}, query{1.13, 1.16, 1.05, 0.89},
        up{1.16, 1.23, 1.18, 1.09}, whole{1.145, 1.20, 1.13, 1.02};
    const Residuals residuals = [&](std::span<const double> values, std::span<double> out) {
        constants.set(runtime, values);
        const Machine machine(device, runtime);
        const InstructionStream stream(graph, machine);
        const auto token = [&](double ratio, double keys) {
            auto merged = graph;
            mergeLoads(merged, ratio);
            return InstructionStream(merged, machine).streamCost().at(keys);
        };
        const double compute = stream.tileCompute(graph.operators().front());
        const auto speedUp = [&](double tiles, double ratio) {
            return stream.linearSeconds(tiles, 1, compute) / stream.linearSeconds(tiles, ratio, compute);
        };
        std::size_t i = 0;
        const auto add = [&](double model, double paper) { out[i++] = std::log(model / paper); };
        add(stream.streamCost().at(1792.5), 21.50e-3);
        add(token(1, 128) / token(4, 128), 1.20);
        add(token(1, 1024) / token(4, 1024), 1.16);
        for (const auto& [bytes, share] : loads)
            add(InstructionStream::loadUtilisation(machine, bytes), share);
        for (std::size_t r = 0; r < ratios.size(); ++r) {
            add(speedUp(32, ratios[r]), query[r]);
            add(speedUp(86, ratios[r]), up[r]);
            add(token(1, 128) / token(ratios[r], 128), whole[r]);
        }
        REQUIRE(i == out.size());
    };
    FitOptions options;
    options.loss.loss = Loss::Squares;
    const auto found = fit(residuals, 20, constants.parameters, options);
    CHECK(found.undetermined.empty());
    for (std::size_t i = 0; i < constants.paths.size(); ++i) {
        CAPTURE(constants.paths[i]);
        CAPTURE(found.parameters[i].value);
        CAPTURE(found.parameters[i].standardError);
        REQUIRE(found.parameters[i].standing == Standing::Fitted);
        CHECK(std::abs(std::log(found.parameters[i].value / constants.preset[i])) <
              2.0 * found.parameters[i].standardError + 0.005);
    }
    // The points say the most of the memory and the least of softmax, as the preset's own errors do.
    CHECK(found.parameters[2].standardError < 0.005);
    CHECK(found.parameters[3].standardError > found.parameters[0].standardError);
    CHECK(off(found.parameters[0].value, 40) < 0.03);
    CHECK(off(found.parameters[1].value, 216) < 0.03);
}
