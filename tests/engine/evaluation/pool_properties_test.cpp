// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"

#include "engine/schedule/compiled_pool.h"
#include "engine/techniques/graph_pass.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/timing/l2_panel.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/graph_fixtures.h"

#include <cmath>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Node& npu(Scenario& scenario) {
    return *scenario.findNode({"npu"});
}

double between(std::mt19937& random, double low, double high) {
    return std::exp(std::uniform_real_distribution<double>(std::log(low), std::log(high))(random));
}

/// A random pool of PRESERVE's NPUs under its model: any of the twelve models, any device count, L2, rates
/// and workload. The L2 bus is faster than memory.
Scenario randomPool(std::mt19937& random) {
    static const Scenario base = preset("preserve/llama3-405b-32");
    auto scenario = base;
    const auto& models = preserveModels();
    scenario.model = catalog().model(models[random() % models.size()], "");
    auto& node = npu(scenario);
    node.count.value = 1.0 + static_cast<double>(random() % 64);
    node.runtime->allReduce = static_cast<AllReduceConvention>(random() % 2);
    auto& device = node.device;
    device.memoryCapacity.value = 1e15;
    device.l2Capacity.value = between(random, 1e6, 400e6);
    device.memoryBandwidth.value = between(random, 0.5e12, 4e12);
    device.l2Bandwidth.value = device.memoryBandwidth.value * between(random, 2, 20);
    device.peakInt8.value = between(random, 50e12, 1600e12);
    scenario.links[0].type.bandwidth.value = between(random, 5e9, 900e9);
    scenario.links[0].type.latency.value = between(random, 0.1e-6, 50e-6);
    scenario.workload.batch.value = std::floor(between(random, 1, 65));
    scenario.workload.promptTokens.value = std::floor(between(random, 1, 20000));
    scenario.workload.outputTokens.value = std::floor(between(random, 1, 5000));
    return scenario;
}

struct Seconds {
    double prefill;
    double decode;
};

Seconds seconds(const Scenario& scenario) {
    Evaluation evaluation;
    evaluateInto(scenario, evaluation);
    REQUIRE(evaluation.feasible);
    return {evaluation.nodes[0].prefill.totalSeconds, evaluation.nodes[0].decode.totalSeconds};
}

Seconds secondsWith(Scenario scenario, bool prefetch) {
    scenario.techniques[l2Prefetch()].enabled = prefetch;
    return seconds(scenario);
}

/// Seconds of a step by its operators, and of what L2 serves in it.
struct StepSeconds {
    double step = 0.0;
    double hits = 0.0;  ///< prefetched operators alone
    double reads = 0.0; ///< the L2 bus for what was prefetched
};

StepSeconds stepSeconds(const Scenario& scenario, Phase phase) {
    const CompiledPool pool(scenario, 0);
    const auto compiled = pool.phase(phase);
    const auto& graph = compiled.graph();
    const auto& machine = pool.machine();
    const double context = representativeContext(scenario.workload, phase);
    const L2Panel panel(machine, phase);
    StepSeconds sum;
    sum.step = compiled.step().cost(context, context).at(context);
    for (const auto& op : graph.operators())
        if (op.prefetched) {
            sum.hits += op.repeat * panel.cost(op).seconds(context).value;
            sum.reads += op.repeat * panel.readBytes(op).at(context) / machine.l2Bandwidth;
        }
    return sum;
}

void checkNotSlower(const Seconds& better, const Seconds& base) {
    CHECK(better.prefill <= base.prefill * (1 + 1e-12));
    CHECK(better.decode <= base.decode * (1 + 1e-12));
}

} // namespace

TEST_CASE("faster memory, L2 bus, cores, network and a shorter latency never make a pool slower") {
    std::mt19937 random(1);
    for (int trial = 0; trial < rounds(1500); ++trial) {
        auto base = randomPool(random);
        auto& technique = base.techniques[l2Prefetch()];
        technique.enabled = random() % 2 == 0;
        technique.switchOn(kPrefetchWeights, random() % 4 != 0);
        technique.switchOn(kPrefetchKv, random() % 4 != 0);
        technique.quantity(kL2Budget).value = between(random, 0.05, 1);
        const auto before = seconds(base);
        const double factor = between(random, 1.001, 10);
        auto better = base;
        npu(better).device.memoryBandwidth.value *= factor;
        checkNotSlower(seconds(better), before);
        better = base;
        npu(better).device.l2Bandwidth.value *= factor;
        checkNotSlower(seconds(better), before);
        better = base;
        npu(better).device.peakInt8.value *= factor;
        checkNotSlower(seconds(better), before);
        better = base;
        better.links[0].type.bandwidth.value *= factor;
        checkNotSlower(seconds(better), before);
        better = base;
        better.links[0].type.latency.value /= factor;
        checkNotSlower(seconds(better), before);
    }
}

TEST_CASE("at the rates of PRESERVE's NPU neither prefetching nor a larger L2 is ever slower") {
    std::mt19937 random(2);
    for (int trial = 0; trial < rounds(3000); ++trial) {
        auto base = randomPool(random);
        const auto own = preset("preserve/llama3-405b-32");
        const double capacity = npu(base).device.l2Capacity.value;
        npu(base).device = own.findNode({"npu"})->device;
        npu(base).device.memoryCapacity.value = 1e15;
        npu(base).device.l2Capacity.value = capacity;
        base.links = own.links;
        const auto without = secondsWith(base, false);
        const auto with = secondsWith(base, true);
        checkNotSlower(with, without);
        auto larger = base;
        npu(larger).device.l2Capacity.value *= between(random, 1.001, 4);
        checkNotSlower(secondsWith(larger, true), with);
        checkNotSlower(secondsWith(larger, false), without);
    }
}

TEST_CASE("without prefetch a larger L2 is never slower, at any rates") {
    std::mt19937 random(3);
    for (int trial = 0; trial < rounds(3000); ++trial) {
        const auto base = randomPool(random);
        auto larger = base;
        npu(larger).device.l2Capacity.value *= between(random, 1.001, 4);
        checkNotSlower(secondsWith(larger, false), secondsWith(base, false));
    }
}

// Reads that come from L2 share its bus with activations, which reads from memory do not; and what is read
// ahead keeps memory from an earlier operator's own read. So prefetching may cost, within these bounds.
TEST_CASE(
    "prefetching costs at most the time of its hits; of weights and KV cache together, of their reads") {
    std::mt19937 random(4);
    int slower = 0;
    for (int trial = 0; trial < rounds(6000); ++trial) {
        auto scenario = randomPool(random);
        auto& technique = scenario.techniques[l2Prefetch()];
        technique.switchOn(kPrefetchWeights, random() % 3 != 0);
        technique.switchOn(kPrefetchKv, random() % 3 != 0 || !technique.isOn(kPrefetchWeights));
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            technique.enabled = false;
            const auto without = stepSeconds(scenario, phase);
            CHECK(without.hits == 0.0);
            technique.enabled = true;
            const auto with = stepSeconds(scenario, phase);
            CHECK(with.step <= (without.step + with.hits) * (1 + 1e-12));
            if (technique.isOn(kPrefetchWeights) && technique.isOn(kPrefetchKv))
                CHECK(with.step <= (without.step + with.reads) * (1 + 1e-12));
            slower += with.step > without.step * (1 + 1e-9) ? 1 : 0;
        }
    }
    CHECK(slower > 0); // the bound is needed
}

TEST_CASE("a device alone does not communicate, and has nothing to prefetch behind") {
    std::mt19937 random(5);
    for (int trial = 0; trial < rounds(300); ++trial) {
        auto scenario = randomPool(random);
        const double count = npu(scenario).count.value;
        npu(scenario).replicas = {count, Provenance::User, {}};
        scenario.techniques[l2Prefetch()].enabled = false;
        const auto without = evaluate(scenario);
        REQUIRE(without.feasible);
        CHECK(without.metric(Metric::AllReduceTime) == 0.0);
        CHECK(without.links[0].bytesPerSecond == 0.0);
        CHECK(without.nodes[0].prefill.collectiveBytes.near == 0.0);
        scenario.techniques[l2Prefetch()].enabled = true;
        const auto with = evaluate(scenario);
        for (std::size_t i = 0; i < kMetricCount; ++i)
            CHECK((with.metrics[i] == without.metrics[i] ||
                   (std::isnan(with.metrics[i]) && std::isnan(without.metrics[i]))));
        npu(scenario).count.value = 1;
        npu(scenario).replicas.value = 1;
        CHECK(off(evaluate(scenario).metric(Metric::Throughput) * count, without.metric(Metric::Throughput)) <
              1e-12);
    }
}

TEST_CASE("the traffic of a pool's links is what its allreduces send") {
    std::mt19937 random(6);
    for (int trial = 0; trial < rounds(300); ++trial) {
        auto scenario = randomPool(random);
        auto& node = npu(scenario);
        const double pools = 1.0 + static_cast<double>(random() % 3);
        const double devices = 2.0 + static_cast<double>(random() % 63);
        node.count.value = pools * devices;
        node.replicas.value = pools;
        const auto e = evaluate(scenario);
        REQUIRE(e.feasible);
        const bool ring = node.runtime->allReduce == AllReduceConvention::Ring;
        const double factor = ring ? 2 * (devices - 1) / devices : 1.0;
        const double batch = scenario.workload.batch.value;
        const double hidden = scenario.model.hidden.value;
        const double output = scenario.workload.outputTokens.value;
        const double perToken = 2 * scenario.model.layers.value * hidden; // two allreduces a layer, int8
        const double head = batch * hidden;                               // one more a step
        const double prefill = factor * (perToken * batch * scenario.workload.promptTokens.value + head);
        const double decode = factor * (perToken * batch + head);
        CHECK(off(e.nodes[0].prefill.collectiveBytes.near, prefill) < 1e-12);
        CHECK(off(e.nodes[0].decode.collectiveBytes.near, decode) < 1e-12);
        const double batchSeconds = e.nodes[0].prefill.totalSeconds + e.nodes[0].decode.totalSeconds;
        CHECK(off(e.links[0].bytesPerSecond, (prefill + output * decode) / batchSeconds) < 1e-12);
        CHECK(e.links[0].utilisation() <= 1.0); // no faster than the link
        CHECK(off(e.metric(Metric::AllReduceTime),
                  scenario.links[0].type.latency.value +
                      factor * head / scenario.links[0].type.bandwidth.value) < 1e-12);
        CHECK(off(e.metric(Metric::Throughput), pools * batch * output / batchSeconds) < 1e-12);
    }
}
