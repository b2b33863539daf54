// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"

#include "engine/evaluation/breakdown.h"
#include "engine/evaluation/decisive.h"
#include "engine/evaluation/metric_path.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/parameters.h"
#include "engine/techniques/built_in.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

#include <cmath>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A random but valid system: a shipped preset with quantities scaled and sizes drawn.
Scenario randomScenario(std::mt19937& random) {
    const char* ids[] = {"glitches/8a100", "glitches/8v100s", "glitches/8u280", "glitches/a100-7u280",
                         "glitches/v100s-7u280"};
    auto scenario = preset(ids[random() % 5]);
    const char* models[] = {"llama2-7b", "llama3-8b"};
    scenario = with(scenario, "model", models[random() % 2]);
    std::uniform_real_distribution<double> scale(0.3, 3.0);
    for (auto& node : scenario.nodes) {
        if (!isAccelerator(node.device.kind))
            continue;
        node.count.value = 1.0 + static_cast<double>(random() % 12);
        node.device.memoryBandwidth.value *= scale(random);
        node.device.memoryCapacity.value *= 4; // so that most of them fit
    }
    scenario.techniques[loadMerging()].quantity(kMergeRatio).value = 1.0 + static_cast<double>(random() % 16);
    scenario.techniques[gpuAssist()].enabled = random() % 2 == 0;
    scenario.workload.promptTokens.value = 1.0 + static_cast<double>(random() % 4000);
    scenario.workload.outputTokens.value = 1.0 + static_cast<double>(random() % 2000);
    scenario.workload.batch.value = 1.0 + static_cast<double>(random() % 4);
    return scenario;
}

double rate(const Scenario& scenario) {
    return evaluate(scenario).metric(Metric::Throughput);
}

} // namespace

TEST_CASE("more of anything is never slower; shares stay shares") {
    std::mt19937 random(42);
    int feasible = 0;
    for (int trial = 0; trial < rounds(400); ++trial) {
        const auto scenario = randomScenario(random);
        const auto e = evaluate(scenario);
        if (!e.feasible)
            continue;
        ++feasible;
        const double base = e.metric(Metric::Throughput);
        REQUIRE(base > 0);
        for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
            CHECK(e.nodes[i].busy() <= 1.0 + 1e-9);
            if (!isAccelerator(scenario.nodes[i].device.kind))
                continue;
            auto more = scenario;
            more.nodes[i].device.memoryBandwidth.value *= 1.5;
            CHECK(rate(more) >= base * (1 - 1e-12));
            more = scenario;
            more.nodes[i].count.value += 1;
            CHECK(rate(more) >= base * (1 - 1e-12));
            more = scenario;
            more.nodes[i].device.peakFp16.value *= 2;
            CHECK(rate(more) >= base * (1 - 1e-12));
        }
        auto assisted = scenario;
        assisted.techniques[gpuAssist()].enabled = true;
        CHECK(rate(assisted) >= base * (1 - 1e-12));
        for (auto& link : assisted.links)
            link.type.bandwidth.value *= 2;
        const auto faster = evaluate(assisted);
        CHECK(faster.metric(Metric::KvTransfer) <= evaluate(scenario).metric(Metric::KvTransfer) + 1e-12);
    }
    CHECK(feasible > scaled(300));
}

TEST_CASE("no share of any shipped design passes 100 %, whatever it is asked to serve") {
    std::mt19937 random(45);
    std::uniform_real_distribution<double> power(-1.0, 1.0);
    for (const auto& id : catalog().systems) {
        CAPTURE(id);
        int feasible = 0;
        for (int trial = 0; trial < rounds(30); ++trial) {
            auto scenario = preset(id);
            if (trial > 0) {
                scenario.workload.batch.value = std::floor(std::pow(2.0, 4.0 + 4.0 * power(random)));
                scenario.workload.promptTokens.value = std::floor(std::pow(2.0, 7.0 + 5.0 * power(random)));
                scenario.workload.outputTokens.value = std::floor(std::pow(2.0, 6.0 + 4.0 * power(random)));
                for (auto& node : scenario.nodes) {
                    node.device.memoryBandwidth.value *= std::pow(10.0, power(random));
                    const double faster = std::pow(1000.0, power(random));
                    for (const auto peak : {&Device::peakFp16, &Device::peakInt8, &Device::peakFp8})
                        (node.device.*peak).value *= faster;
                }
                for (auto& link : scenario.links)
                    link.type.bandwidth.value *= std::pow(10.0, power(random));
            }
            const auto e = evaluate(scenario);
            if (!e.feasible)
                continue;
            ++feasible;
            for (const auto& metric : listMetrics(scenario, e))
                if (metric.unit == "%") {
                    CAPTURE(metric.path);
                    CHECK_FALSE(metric.value * metric.scale > 1.0 + 1e-6);
                }
            for (const auto& node : e.nodes)
                CHECK(node.busy() <= 1.0 + 1e-9);
        }
        CHECK(feasible > 0);
    }
}

namespace {

/// A value that nobody would expect, as text.
std::string oddValue(const Scenario& design, const Parameter& parameter, std::mt19937& random) {
    if (parameter.kind == ParameterKind::Boolean)
        return random() % 2 == 0 ? "true" : "false";
    if (parameter.kind == ParameterKind::Choice)
        return parameter.choices.empty() ? "" : parameter.choices[random() % parameter.choices.size()];
    const auto& spec = parameter.spec;
    const double own = resolveQuantity(design, parameter.path).in(design).valueOr(spec.scale) / spec.scale;
    const double near = own * std::pow(10.0, std::uniform_real_distribution<double>(-1.3, 1.3)(random));
    const double odd[] = {near, near, near, spec.minimum, spec.maximum, 1.0, 3.0, 7.0, 64.0};
    const double value = odd[random() % std::size(odd)];
    return exactText(std::clamp(spec.integer ? std::round(value) : value, spec.minimum, spec.maximum));
}

void checkAgreement(const Scenario& design, const Evaluation& e) {
    for (const auto& metric : listMetrics(design, e)) {
        CAPTURE(metric.path);
        CHECK_FALSE(std::isinf(metric.value));
        if (metric.unit == "%") {
            CHECK_FALSE(metric.value * metric.scale > 1.0 + 1e-6);
            CHECK_FALSE(metric.value < 0.0);
        }
    }
    const auto value = [&](Metric metric) { return e.metric(metric); };
    const double rate = value(Metric::Throughput), whole = value(Metric::Latency);
    CHECK(rate > 0.0);
    CHECK(off(rate, value(Metric::RequestRate) * design.workload.outputTokens.value) < 1e-9);
    CHECK(whole >= value(Metric::TimeToFirstToken) * (1.0 - 1e-9));
    CHECK(value(Metric::KvTransfer) >= 0.0);
    if (value(Metric::Power) == 0.0)
        CHECK(value(Metric::EnergyPerToken) == 0.0);
    else if (!std::isnan(value(Metric::Power)))
        CHECK(off(value(Metric::EnergyPerToken) * rate, value(Metric::Power)) < 1e-9);
    double parts = 0.0;
    for (const auto& part : batchParts(design, e)) {
        CHECK(part.seconds >= 0.0);
        parts += part.seconds;
    }
    CHECK(off(parts, whole) < 1e-6);
    for (std::size_t i = 0; i < e.nodes.size(); ++i) {
        const auto& node = e.nodes[i];
        CHECK(node.fits);
        CHECK(node.busy() <= 1.0 + 1e-9);
        if (node.role == Role::Fabric || offloads(design.nodes[i]))
            continue;
        const auto step = breakdown(design, design.nodes[i].id, Phase::Prefill);
        double operators = 0.0;
        for (const auto& row : step.operators)
            operators += row.seconds;
        CHECK(off(operators, step.seconds) < 1e-9);
    }
    for (const auto& link : e.links)
        CHECK(link.busy() <= 1.0 + 1e-6);
}

} // namespace

TEST_CASE("no figure contradicts another, whatever odd values the parameters have") {
    std::mt19937 random(46);
    std::size_t feasible = 0;
    for (const auto& id : catalog().systems)
        for (int trial = 0; trial < rounds(40, 4); ++trial) {
            auto design = preset(id);
            std::string settings;
            for (auto count = 1 + random() % 4; count > 0; --count) {
                const auto parameters = listParameters(design, catalog());
                std::vector<const Parameter*> of;
                for (const auto& parameter : parameters)
                    if (random() % 4 == 0 || parameter.path.starts_with("workload.") ||
                        parameter.path.ends_with(".runtime") ||
                        parameter.path.ends_with(".runtime.peak_compute_tops"))
                        of.push_back(&parameter);
                const auto& parameter = *of[random() % of.size()];
                const auto text = oddValue(design, parameter, random);
                try {
                    design = with(design, parameter.path, text);
                    settings += " --set " + parameter.path + "=" + text;
                } catch (const Error&) { // it cannot have that
                }
            }
            CAPTURE(id);
            CAPTURE(settings);
            if (hasErrors(validate(design)) || design.serving.isSimulated())
                continue;
            const auto e = evaluate(design);
            if (!e.feasible)
                continue;
            ++feasible;
            checkAgreement(design, e);
        }
    CHECK(feasible > scaled(500));
}

TEST_CASE("the KV bytes that leave the prefill nodes arrive at the decode nodes") {
    std::mt19937 random(43);
    int checked = 0;
    for (int trial = 0; trial < rounds(300); ++trial) {
        const auto scenario = randomScenario(random);
        const auto e = evaluate(scenario);
        if (!e.feasible || scenario.links.size() != 2)
            continue;
        ++checked;
        const double sent = e.links[0].bytesPerSecond * parallelLinks(scenario, scenario.links[0]);
        const double received = e.links[1].bytesPerSecond * parallelLinks(scenario, scenario.links[1]);
        CHECK(off(sent, received) < 1e-12);
    }
    CHECK(checked > scaled(30));
}

TEST_CASE("evaluating into used storage gives the same answer") {
    std::mt19937 random(44);
    Evaluation reused;
    for (int trial = 0; trial < rounds(100); ++trial) {
        const auto scenario = randomScenario(random);
        evaluateInto(scenario, reused, Detail::Full);
        const auto fresh = evaluate(scenario);
        CHECK(reused.feasible == fresh.feasible);
        CHECK(reused.reason == fresh.reason);
        CHECK(reused.shortNode == fresh.shortNode);
        for (std::size_t m = 0; m < kMetricCount; ++m)
            CHECK((reused.metrics[m] == fresh.metrics[m] ||
                   (std::isnan(reused.metrics[m]) && std::isnan(fresh.metrics[m]))));
    }
}
