// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/timing/power.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

bool contains(const std::vector<std::string>& ids, const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// `count` cards that share one replica of Llama-3-8B, with the runtime that fresh ones get.
Scenario servedBy(const Device& device, double count) {
    Scenario scenario;
    scenario.name = device.name;
    scenario.model = catalog().model("llama3-8b", "test");
    scenario.workload = catalog().workload("p1024-d128", "test");
    scenario.workload.batch = {1.0, Provenance::User, {}};
    Node card;
    card.id = {"card"};
    card.device = device;
    card.count = {count, Provenance::User, {}};
    card.replicas = {1.0, Provenance::User, {}};
    const auto* usual = catalog().defaultRuntime(device);
    REQUIRE(usual);
    card.runtime = usual->on(device);
    scenario.nodes.push_back(card);
    return scenario;
}

/// What takes the device's best port: a switch made for it, with the fewest other ports, else a host.
const Device* fabricFor(const Device& device) {
    const Device* best = nullptr;
    for (const auto& other : catalog().devices)
        if (isFabric(other.kind) && contains(other.ports, device.ports.front()) &&
            (!best || std::pair(other.kind != DeviceKind::Switch, other.ports.size()) <
                          std::pair(best->kind != DeviceKind::Switch, best->ports.size())))
            best = &other;
    return best;
}

void plugInto(Scenario& scenario, const Device& fabric) {
    Node node;
    node.id = {"fabric"};
    node.device = fabric;
    node.role = Role::Fabric;
    scenario.nodes.push_back(node);
    const auto* type = catalog().defaultLink(scenario.nodes.front().device, fabric);
    REQUIRE(type);
    CHECK(contains(scenario.nodes.front().device.ports, type->id));
    CHECK(contains(fabric.ports, type->id));
    scenario.links.push_back({{"card-fabric"}, {"card"}, {"fabric"}, *type});
}

void checkNoErrors(const Scenario& scenario) {
    for (const auto& finding : validate(scenario)) {
        CAPTURE(finding.message);
        CHECK(finding.severity != Severity::Error);
    }
}

/// Whether a metric is known only where the parts have a price, a power, a die.
bool needsMore(Metric metric, const Scenario& scenario) {
    const auto unset = [&](auto known) {
        return std::any_of(scenario.nodes.begin(), scenario.nodes.end(), [&](const Node& node) {
            return isAccelerator(node.device.kind) && !known(node.device);
        });
    };
    const bool noPrice = unset([](const Device& device) { return device.price.isSet(); });
    const bool noPower = unset([](const Device& device) {
        return (hasPowerModel(device) && powerLacks(device).empty()) ||
               (std::isfinite(powerIn(Phase::Prefill, device)) &&
                std::isfinite(powerIn(Phase::Decode, device)) && device.powerIdle.isSet());
    });
    const bool noArea = unset([](const Device& device) { return std::isfinite(dieArea(device)); });
    switch (metric) {
    case Metric::Price:
    case Metric::ThroughputPerPrice:
        return noPrice;
    case Metric::Power:
    case Metric::ThroughputPerPower:
    case Metric::EnergyPerToken:
        return noPower;
    case Metric::CostPerToken:
        return noPrice || noPower;
    case Metric::Area:
    case Metric::ThroughputPerArea:
    case Metric::ProcessedThroughputPerDie:
        return noArea;
    default:
        return metric >= Metric::EnergyIdle && metric <= Metric::Carbon && noPower;
    }
}

/// Every figure that the same number of H100 SXM has is there and is no nonsense.
void checkFigures(const Scenario& scenario, const Evaluation& reference) {
    const auto evaluation = evaluate(scenario);
    CAPTURE(evaluation.reason);
    CHECK(evaluation.feasible);
    for (std::size_t i = 0; i < kMetricCount; ++i) {
        const auto metric = static_cast<Metric>(i);
        CAPTURE(std::string(metricSpec(metric).key));
        if (!std::isfinite(reference.metric(metric)) || needsMore(metric, scenario))
            continue;
        CHECK(std::isfinite(evaluation.metric(metric)));
        CHECK(evaluation.metric(metric) >= 0.0);
    }
}

/// False for cards that cannot hold the model in the precision of their runtime: 8.03e9 weights.
bool holdsIt(const Scenario& scenario) {
    const auto& card = scenario.nodes.front();
    return 8.03e9 * card.runtime->weightBits.value / 8.0 <
           0.95 * card.count.value * card.device.memoryCapacity.value;
}

} // namespace

TEST_CASE("shipped parts: two servers of today can be drawn without editing a number") {
    CHECK(catalog().devices.size() >= 45);
    CHECK(catalog().linkTypes.size() >= 40);
    for (const auto* id : {"b200-sxm",     "gb200",       "gb300",       "b300-sxm",  "l40s",
                           "rtx-pro-6000", "h20",         "mi300x",      "mi325x",    "mi355x",
                           "gaudi3",       "tpu-v6e",     "trainium2",   "cxl-cz120", "ddr5-rdimm-128gib",
                           "quantum-2",    "spectrum-4",  "rtx-3090",    "rtx-4090",  "rtx-5090",
                           "l4",           "t4",          "a10",         "a40",       "h800",
                           "dgx-spark",    "arc-pro-b60", "ascend-910c", "groq-lpu",  "wse-3",
                           "m3-ultra",     "m4-max"})
        CHECK(catalog().device(id, "test").id == id);
    for (const auto& device : catalog().devices) {
        CAPTURE(device.id);
        CHECK(!device.ports.empty());
        CHECK(!device.about.empty());
        CHECK((!isAccelerator(device.kind) || !device.runtime.empty()));
        const bool stores = isStorage(device.kind); // holds bytes, reads and writes them
        CHECK((!stores || (device.memoryCapacity.isSet() && device.memoryBandwidth.isSet() &&
                           device.writeBandwidth.isSet())));
    }
}

TEST_CASE("shipped parts: each accelerator serves a model as it is placed, alone") {
    const auto reference = evaluate(servedBy(catalog().device("h100-sxm", "test"), 1.0));
    REQUIRE(reference.feasible);
    std::size_t served = 0;
    for (const auto& device : catalog().devices) {
        if (!isAccelerator(device.kind))
            continue;
        CAPTURE(device.id);
        const auto scenario = servedBy(device, 1.0);
        if (holdsIt(scenario)) {
            checkNoErrors(scenario);
            checkFigures(scenario, reference);
            ++served;
        } else {
            CHECK_FALSE(evaluate(scenario).reason.empty());
        }
    }
    CHECK(served >= 25);
}

TEST_CASE("shipped parts: eight of each accelerator share a model over their best link") {
    const auto eight = [](const Device& device) {
        auto scenario = servedBy(device, 8.0);
        const auto* fabric = fabricFor(device);
        REQUIRE(fabric);
        plugInto(scenario, *fabric);
        return scenario;
    };
    const auto reference = evaluate(eight(catalog().device("h100-sxm", "test")));
    REQUIRE(reference.feasible);
    for (const auto& device : catalog().devices) {
        if (!isAccelerator(device.kind))
            continue;
        CAPTURE(device.id);
        const auto scenario = eight(device);
        if (!holdsIt(scenario)) { // a chip of SRAM: hundreds of them hold a model
            CHECK_FALSE(evaluate(scenario).reason.empty());
            continue;
        }
        checkNoErrors(scenario);
        checkFigures(scenario, reference);
    }
}
