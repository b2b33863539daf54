// SPDX-License-Identifier: GPL-3.0-or-later
// Constants that ship as calibrated come back from the papers' points by the calibration of the engine.
#include "engine/calibration/fit.h"
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/timing/instruction_stream.h"
#include "tests/engine/fixtures.h"

#include <array>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A quantity of a runtime that is fitted, from another start.
FitParameter from(const Runtime& runtime, const std::string& path, double factor) {
    const double shipped = quantityOf(runtime, path).value;
    return {path, shipped * factor, shipped / 20, shipped * 20};
}

void checkShipped(const Fit& found, const Runtime& runtime, double within) {
    CHECK(found.converged);
    for (const auto& parameter : found.parameters) {
        CAPTURE(parameter.name);
        CAPTURE(parameter.value);
        CHECK(parameter.standing == Standing::Fitted);
        CHECK(off(parameter.value, quantityOf(runtime, parameter.name).value) < within);
    }
}

} // namespace

TEST_CASE("the constants of torchair come back from PRESERVE's Table 1") {
    struct Row {
        const char* model;
        double devices, baseline, prefetch; ///< s
    };
    constexpr std::array<Row, 6> table{{{"llama3-8b", 2, 148.8, 111.3},
                                        {"llama3-8b", 4, 128.2, 80.6},
                                        {"llama3-8b", 8, 60.3, 54.5},
                                        {"llama3-70b", 2, 596.0, 515.8},
                                        {"llama3-70b", 4, 501.5, 368.7},
                                        {"llama3-70b", 8, 233.8, 211.1}}};
    const auto design = preset("preserve/llama3-70b-4npu-measured");
    const auto& runtime = *design.nodes.front().runtime;
    const std::string decode = "timing.decode.";
    const std::array parameters{
        from(runtime, decode + "layer_fixed_us", 0.8), from(runtime, decode + "layer_missed_us", 1.5),
        from(runtime, decode + "layer_us_per_mb", 1.3), from(runtime, decode + "kv_row_missed_ns", 0.7),
        from(runtime, decode + "kv_row_hit_ns", 1.4)};
    const auto residuals = [&](std::span<const double> values, std::span<double> out) {
        std::size_t i = 0;
        for (const auto& row : table)
            for (const bool prefetch : {false, true}) {
                auto scenario = design;
                scenario.model = catalog().model(row.model, "");
                auto& node = scenario.nodes.front();
                node.count.value = row.devices;
                for (std::size_t p = 0; p < parameters.size(); ++p)
                    quantityOf(*node.runtime, parameters[p].name).value = values[p];
                scenario.techniques[l2Prefetch()].enabled = prefetch;
                out[i++] =
                    evaluate(scenario).metric(Metric::Latency) / (prefetch ? row.prefetch : row.baseline) -
                    1.0; // the notes' residual: relative to the measured time
            }
    };
    FitOptions options;
    options.loss = {Loss::Squares, 1.0};
    options.openAbove = 10.0; // six rows say little of M0; the notes fit it all the same
    checkShipped(fit(residuals, 2 * table.size(), parameters, options), runtime, 0.01);
}

TEST_CASE("the load unit's constants come back from the points of GLITCHES, Figs 5 and 9") {
    struct Utilisation {
        double bytes, share;
    };
    constexpr std::array<Utilisation, 5> figure5{
        {{256, 0.087}, {1024, 0.25}, {8192, 0.56}, {32768, 0.65}, {262144, 0.68}}};
    struct SpeedUp {
        double ratio, q, up;
    };
    constexpr std::array<SpeedUp, 4> figure9{
        {{2, 1.13, 1.16}, {4, 1.16, 1.23}, {8, 1.05, 1.18}, {16, 0.89, 1.09}}};
    const auto device = catalog().device("u280", "");
    auto runtime = catalog().runtime("glitches-fpga", "").on(device);
    const auto shipped = runtime;
    const OperatorGraph graph(catalog().model("llama2-7b", ""), StepShape{});
    const std::string decode = "timing.decode.";
    const std::array parameters{from(runtime, decode + "load_issue_cycles", 0.7),
                                from(runtime, decode + "memory_efficiency", 0.9),
                                from(runtime, decode + "tile_compute_cycles", 0.8)};
    const auto residuals = [&](std::span<const double> values, std::span<double> out) {
        for (std::size_t p = 0; p < parameters.size(); ++p)
            quantityOf(runtime, parameters[p].name).value = values[p];
        const Machine machine(device, runtime);
        const InstructionStream stream(graph, machine);
        std::size_t i = 0;
        for (const auto& point : figure5)
            out[i++] = std::log(InstructionStream::loadUtilisation(machine, point.bytes) / point.share);
        for (const auto& point : figure9) {
            // q_proj has 32 tiles a stream, up_proj 86.
            const auto speedUp = [&](double tiles) {
                return stream.linearSeconds(tiles, 1) / stream.linearSeconds(tiles, point.ratio);
            };
            out[i++] = std::log(speedUp(32) / point.q);
            out[i++] = std::log(speedUp(86) / point.up);
        }
    };
    FitOptions options;
    options.starts = 8; // which of two flows is the longer changes with the constants: there are local minima
    const auto found = fit(residuals, figure5.size() + 2 * figure9.size(), parameters, options);
    checkShipped(found, shipped, 0.02);
    for (const auto& parameter : found.parameters)
        CHECK(parameter.standardError < 0.02);
}
