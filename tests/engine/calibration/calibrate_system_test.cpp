// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/calibrate_system.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/scenario_json.h"
#include "tests/engine/fixtures.h"

#include <cmath>
#include <random>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kMemory = "nodes.gpu.timing.decode.memory_efficiency";
const std::string kCompute = "nodes.gpu.timing.prefill.compute_efficiency";

Scenario design() {
    return presetWith("preserve/llama3-70b-8h100",
                      {{"nodes.gpu.runtime", "ideal"}, {"techniques.l2_prefetch.enabled", "false"}});
}

/// Times that the design has with other shares of its peaks.
std::string measured(double memory, double compute, double noise = 0.0) {
    const auto truth =
        with(with(design(), kMemory, std::to_string(memory)), kCompute, std::to_string(compute));
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    std::ostringstream out;
    out.precision(17);
    out << "workload.batch,workload.prompt_tokens,ttft_s,tpot_s\n";
    for (const int batch : {1, 4, 16})
        for (const int prompt : {1024, 2048, 4096, 8192}) {
            const auto at = with(with(truth, "workload.batch", std::to_string(batch)),
                                 "workload.prompt_tokens", std::to_string(prompt));
            const auto evaluation = evaluate(at);
            out << batch << ',' << prompt << ','
                << evaluation.metric(Metric::TimeToFirstToken) * std::exp(noise * normal(random)) << ','
                << evaluation.metric(Metric::TimePerToken) * std::exp(noise * normal(random)) << '\n';
        }
    return out.str();
}

SystemTable systemTable(const std::string& text) {
    std::istringstream in(text);
    return parseSystemRows(in, "folder/served.csv");
}

SystemCalibration calibrated(const std::string& text, std::vector<std::string> parameters) {
    SystemCalibrationOptions options;
    options.parameters = std::move(parameters);
    return calibrateSystem(design(), catalog(), systemTable(text), options);
}

std::string systemRefusal(const std::string& text, const std::vector<std::string>& parameters = {kMemory}) {
    return errorOf([&] { calibrated(text, parameters); });
}

bool holds(const std::string& text, const std::string& part) {
    CAPTURE(text);
    CAPTURE(part);
    const bool found = text.find(part) != std::string::npos;
    CHECK(found);
    return found;
}

} // namespace

TEST_CASE("shares of the peaks come back from times of whole systems") {
    const auto exact = calibrated(measured(0.6, 0.5), {kMemory, kCompute});
    REQUIRE(exact.fit.parameters.size() == 2);
    CHECK(off(exact.fit.parameters[0].value, 0.6) < 1e-5);
    CHECK(off(exact.fit.parameters[1].value, 0.5) < 1e-5);
    CHECK(exact.points.size() == 24);
    CHECK(exact.errors(true, true).rows == 6); // both times of 3 of 12 rows
    CHECK(exact.errors(true, true).medianPercent < 0.01);
    CHECK(exact.errors(true, false).medianPercent > 20);

    const auto noisy = calibrated(measured(0.6, 0.5, 0.05), {kMemory, kCompute});
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& parameter = noisy.fit.parameters[i];
        CHECK(std::abs(std::log(parameter.value / (i == 0 ? 0.6 : 0.5))) < 3.0 * parameter.standardError);
        CHECK(parameter.standardError < 0.05);
    }
    CHECK(noisy.fit.values() == calibrated(measured(0.6, 0.5, 0.05), {kMemory, kCompute}).fit.values());
}

TEST_CASE("metrics under load are fitted too: rows of users are simulated") {
    const std::string step = "nodes.gpu.server.step_ms";
    const auto served = presetWith("served/deepseek-v3-8h200-tp8", {{"serving.arrivals", "closed_loop"},
                                                                    {"serving.batching", "mixed"},
                                                                    {"serving.waves", "2"},
                                                                    {"workload.prompt_tokens", "256"},
                                                                    {"workload.output_tokens", "16"}});
    std::ostringstream rows;
    rows.precision(17);
    rows << "serving.users,ttft_mean_s,tpot_mean_s\n";
    for (const auto* users : {"2", "4", "8"}) {
        const auto truth = with(with(served, step, "3"), "serving.users", users);
        auto evaluation = evaluate(truth);
        simulateInto(truth, evaluation);
        rows << users << ',' << evaluation.metric(Metric::FirstTokenMean) << ','
             << evaluation.metric(Metric::TokenMean) << '\n';
    }
    SystemCalibrationOptions options;
    options.parameters = {step};
    options.bounds = {{step, 1e-4, 1e-2}};
    options.heldOutShare = 0.0;
    const auto found = calibrateSystem(served, catalog(), systemTable(rows.str()), options);
    CHECK(off(found.fit.parameters.at(0).value, 3e-3) < 1e-3);
}

TEST_CASE("a quantity that is not set begins in the middle of its bounds") {
    const std::string price = "nodes.gpu.device.price_usd";
    auto unset = design();
    unset.nodes.front().device.price = {};
    const double own = evaluate(with(unset, price, "20000")).metric(Metric::Price);
    const auto table = systemTable("workload.batch,price_usd\n1," + std::to_string(own) + "\n2," +
                                   std::to_string(own) + "\n");
    SystemCalibrationOptions options;
    options.parameters = {price};
    options.heldOutShare = 0.0;
    CHECK(contains(errorOf([&] { calibrateSystem(unset, catalog(), table, options); }),
                   "so there is nowhere to start"));
    options.bounds = {{price, 1000.0, 100000.0}};
    const auto found = calibrateSystem(unset, catalog(), table, options);
    CHECK(off(found.fit.parameters.at(0).value, 20000.0) < 1e-5);
}

TEST_CASE("the design that was fitted says on what") {
    const auto found = calibrated(measured(0.6, 0.5), {kMemory, kCompute});
    const auto& quantity =
        quantityOf(*found.scenario.nodes.front().runtime, "timing.decode.memory_efficiency");
    CHECK(quantity.value == found.fit.parameters[0].value);
    CHECK(quantity.provenance == Provenance::Calibrated);
    CHECK(holds(quantity.source, "calibrated on served.csv, 12 rows, "));
    CHECK(found.scenario.workload == design().workload); // rows set it, the design keeps its own
}

TEST_CASE("what times of systems do not tell is said") {
    const auto found = calibrated(measured(0.6, 0.5), {kMemory, "cost.lifetime_years"});
    REQUIRE(found.fit.undetermined.size() == 1);
    CHECK(found.fit.undetermined.front().kept == "cost.lifetime_years");
    CHECK(std::isinf(found.fit.undetermined.front().standardError));
}

TEST_CASE("hostile rows of systems are refused by place") {
    const std::string header = "workload.batch,tpot_s\n";
    holds(systemRefusal("workload.batch,time\n4,1\n"), "served.csv:1: no column is a metric");
    holds(systemRefusal(header), "there is no row after the header");
    holds(systemRefusal(header + "4,fast\n"), "served.csv:2: column tpot_s: \"fast\" is not a number");
    holds(systemRefusal(header + "4,0\n"), "\"0\" is not positive");
    holds(systemRefusal(header + "4,-1\n"), "\"-1\" is not positive");
    holds(systemRefusal(header + "4,\n"), "nothing was measured in this row");
    holds(systemRefusal(header + "4,0.01\nmany,0.02\n"), "served.csv:3: column workload.batch: ");
    holds(systemRefusal("nodes.tpu.count,tpot_s\n4,0.01\n"), "served.csv:2: column nodes.tpu.count: ");
    holds(systemRefusal(header + "4,0.01\n"), "1 row does not determine 1 constant and its error");
    holds(systemRefusal(header + "1000000,0.01\n4,0.01\n"), "served.csv:2: ");
    holds(systemRefusal(header + "4,0.01\n8,0.02\n", {"workload.batch"}), "rows of folder/served.csv set it");
    holds(systemRefusal(header + "4,0.01\n8,0.02\n", {"nodes.gpu.speed"}), "nodes.gpu.speed");
    holds(systemRefusal(header + "4,0.01\n8,0.02\n", {}), "there is no constant to fit");
}
