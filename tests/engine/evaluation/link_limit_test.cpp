// SPDX-License-Identifier: GPL-3.0-or-later
// No link, tier or lane is in use for more than it is, in what is evaluated and in what is simulated.
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/technique.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

double fullest(const std::vector<LinkEvaluation>& links) {
    double most = 0.0;
    for (const auto& link : links)
        most = std::max(most, link.utilisation());
    return most;
}

/// Quantities drawn evenly over their logarithms, choices evenly.
class RandomDesigns {
public:
    explicit RandomDesigns(std::uint32_t seed) : m_random(seed) {}

    Scenario next() {
        const auto& info = m_presets[m_random() % m_presets.size()];
        auto scenario = preset(info.id);
        for (auto& node : scenario.nodes) {
            if (chance(0.3))
                changeDevice(scenario, node.id);
            auto& changed = *scenario.findNode(node.id);
            if (chance(0.6))
                changed.count.value = std::round(drawn(1.0, 32.0));
            if (isAccelerator(changed.device.kind) && chance(0.6))
                changed.replicas = {divisor(changed.count.value), Provenance::User, {}};
            if (changed.device.hostMemory.isSet() && chance(0.5))
                changed.device.hostMemory.value *= drawn(0.1, 10.0);
        }
        for (auto& link : scenario.links)
            if (chance(0.5))
                link.type.bandwidth.value *= drawn(0.01, 4.0);
        for (const auto* kind : techniqueKinds().all())
            if (chance(0.3))
                scenario.techniques[*kind].enabled = chance(0.5);
        if (chance(0.3))
            scenario.model = catalog().models[m_random() % catalog().models.size()];
        scenario.workload.batch.value = std::round(drawn(1.0, 128.0));
        scenario.workload.promptTokens.value = std::round(drawn(1.0, 20000.0));
        scenario.workload.outputTokens.value = std::round(drawn(1.0, 2000.0));
        return scenario;
    }

private:
    std::mt19937 m_random;
    std::vector<PresetInfo> m_presets = listPresets(catalog());

    bool chance(double share) { return std::uniform_real_distribution<>(0.0, 1.0)(m_random) < share; }
    double drawn(double low, double high) {
        return std::exp(std::uniform_real_distribution<>(std::log(low), std::log(high))(m_random));
    }
    double divisor(double count) {
        std::vector<double> all;
        for (double d = 1.0; d <= count; ++d)
            if (std::fmod(count, d) == 0.0)
                all.push_back(d);
        return all[m_random() % all.size()];
    }
    void changeDevice(Scenario& scenario, const NodeId& id) {
        const auto& device = catalog().devices[m_random() % catalog().devices.size()];
        const auto kind = scenario.findNode(id)->device.kind;
        if (isAccelerator(device.kind) == isAccelerator(kind) && isStorage(device.kind) == isStorage(kind) &&
            isFabric(device.kind) == isFabric(kind))
            applyEdit(scenario, setEdit(scenario, catalog(), "nodes." + id.value + ".device", device.id));
    }
};

} // namespace

TEST_CASE("a saturated KV transfer link limits the closed form as it limits the simulation") {
    auto scenario = presetWith(
        "glitches/a100-7u280",
        {{"nodes.gpu.count", "24"}, {"workload.prompt_tokens", "2450"}, {"workload.output_tokens", "1"}});
    // So narrow that a device waits for its KV cache far longer than it decodes: it has one slot, which both
    // take in turn.
    scenario.links.back().type.bandwidth.value *= 0.05;
    const auto e = evaluate(scenario);
    REQUIRE(e.feasible);
    const double busy = e.links.back().busy(); // with the starts of its DMAs
    CHECK(busy > 0.95);
    CHECK(off(busy + e.nodes[2].decodeBusy, 1.0) < 1e-9);
    CHECK(boundKey(scenario, e) == "host-fpga network");
    CHECK(boundLabel(scenario, e) == "Host CPU to Alveo U280: network");
    for (const auto& node : e.nodes) {
        CHECK_FALSE(node.bottleneck);
        CHECK(node.busy() < 1.0);
    }
    scenario.serving.arrivals = arrivalKinds().find("backlog");
    scenario.serving["requests"].value = 2000;
    const auto serving = simulate(scenario, e);
    REQUIRE(serving.ran());
    CHECK(off(serving.result.tokenRate, e.metric(Metric::Throughput)) < 0.01);
    CHECK(fullest(serving.links) <= 1.0 + 1e-9);
    // What is counted by time goes down with the rate.
    auto wide = scenario;
    for (auto& link : wide.links)
        link.type.bandwidth.value *= 1000;
    const auto free = evaluate(wide);
    const double share = e.metric(Metric::Throughput) / free.metric(Metric::Throughput);
    CHECK(share < 0.9);
    CHECK(free.bound.link == static_cast<std::size_t>(-1));
    CHECK(e.metric(Metric::Power) < free.metric(Metric::Power));
    for (std::size_t i = 0; i < e.nodes.size(); ++i)
        if (free.nodes[i].busy() > 0.0)
            CHECK(off(e.nodes[i].busy() / free.nodes[i].busy(), share) < 1e-9);
    CHECK(off(e.metric(Metric::TimeToFirstToken), free.metric(Metric::TimeToFirstToken)) < 1e-12);
}

TEST_CASE("no link, pool or lane is in use for more than it is") {
    RandomDesigns designs(2450);
    int feasible = 0;
    int limited = 0;
    int simulatedDesigns = 0;
    for (int trial = 0; trial < rounds(6000, 1200); ++trial) {
        auto scenario = designs.next();
        if (!scenario.model.isUniform() && hasErrors(validate(scenario)))
            continue; // measured steps and what offloads want layers that are alike
        const auto e = evaluate(scenario);
        if (!e.feasible)
            continue;
        ++feasible;
        CAPTURE(trial);
        CAPTURE(scenario.name);
        CHECK(e.metric(Metric::Throughput) > 0.0);
        CHECK(fullest(e.links) <= 1.0 + 1e-9);
        for (const auto& link : e.links)
            CHECK(link.busy() <= 1.0 + 1e-9);
        for (const auto& node : e.nodes)
            CHECK(node.busy() <= 1.0 + 1e-9);
        limited += e.bound.link < scenario.links.size() ? 1 : 0;
        if (trial % 20 != 0)
            continue;
        scenario.serving.arrivals = arrivalKinds().find("backlog");
        scenario.serving["requests"].value = 60;
        const auto serving = simulate(scenario, e);
        if (!serving.ran())
            continue;
        ++simulatedDesigns;
        CHECK(fullest(serving.links) <= 1.0 + 1e-9);
        for (const auto& node : serving.nodes)
            CHECK(node.busy() <= 1.0 + 1e-9);
    }
    CHECK(feasible > scaled(2000));
    CHECK(limited > scaled(50));
    CHECK(simulatedDesigns > scaled(80));
}
