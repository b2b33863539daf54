// SPDX-License-Identifier: GPL-3.0-or-later
// What is named as the limit of a design is what helps most where it is faster: held against every rate that
// the design has, over shipped designs and random ones.
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/diagnostics.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr auto kNoNode = static_cast<std::size_t>(-1);

/// A rate that something of a design works at, and what is limited by it.
struct Resource {
    std::string name;           ///< "gpu: compute"
    std::size_t node = kNoNode; ///< none: between nodes
    std::size_t link = kNoNode;
    std::vector<Bound> bounds;
    std::function<void(Scenario&, double factor)> speedUp;
};

constexpr std::array kPeaks{&Device::peakFp16, &Device::peakInt8, &Device::peakFp8, &Device::peakFp4};

void addRates(const Node& node, std::size_t i, std::vector<Resource>& resources) {
    const auto add = [&](const char* name, std::vector<Bound> bounds,
                         std::function<void(Node&, double)> faster) {
        resources.push_back({node.id.value + ": " + name, i, kNoNode, std::move(bounds),
                             [i, faster](Scenario& of, double factor) { faster(of.nodes[i], factor); }});
    };
    const auto rate = [&](const char* name, Bound bound, Quantity Device::*member) {
        add(name, {bound}, [member](Node& of, double factor) { (of.device.*member).value *= factor; });
    };
    add("compute", {Bound::Compute}, [](Node& of, double factor) {
        for (const auto peak : kPeaks)
            (of.device.*peak).value *= factor;
        of.device.clock.value *= factor;
        if (of.runtime) // of an accelerator that is built on an FPGA
            of.runtime->peakCompute.value *= factor;
    });
    rate("memory",
         isAccelerator(node.device.kind)       ? Bound::Memory
         : node.device.kind == DeviceKind::Cpu ? Bound::HostMemory
                                               : Bound::Storage,
         &Device::memoryBandwidth);
    rate("L2", Bound::L2, &Device::l2Bandwidth);
    rate("writes", Bound::StorageWrite, &Device::writeBandwidth);
    rate("kernels near storage", Bound::CsdKernel, &Device::kernelBandwidth);
    rate("path inside", Bound::CsdPath, &Device::p2pBandwidth);
    if (!node.runtime)
        return;
    const auto software = [&](const char* name, Bound bound, const char* key, double power) {
        add(name, {bound}, [key, power](Node& of, double factor) {
            for (auto& quantity : runtimeQuantities(*of.runtime))
                if (contains(quantity.path, key))
                    quantity.quantity->value *= std::pow(factor, power);
        });
    };
    software("launches", Bound::LaunchFloor, "launch_floor_ms", -1.0);
    software("transfers of its software", Bound::Pcie, "transfer_limit_gbps", 1.0);
    software("pages of its software", Bound::Storage, "unified_memory_gbps", 1.0);
}

std::vector<Resource> resourcesOf(const Scenario& design) {
    std::vector<Resource> resources;
    for (std::size_t i = 0; i < design.nodes.size(); ++i)
        addRates(design.nodes[i], i, resources);
    for (std::size_t l = 0; l < design.links.size(); ++l)
        resources.push_back({design.links[l].id.value,
                             kNoNode,
                             l,
                             {Bound::Network, Bound::Pcie, Bound::StorageLink},
                             [l](Scenario& of, double factor) {
                                 of.links[l].type.bandwidth.value *= factor;
                                 of.links[l].type.latency.value /= factor;
                             }});
    return resources;
}

/// Whether a resource is what a design is said to be limited by.
bool isNamed(const Scenario& design, const SystemBound& bound, const Resource& resource) {
    if (bound.link < design.links.size())
        return resource.link == bound.link;
    const bool there = resource.node == kNoNode || resource.node == bound.node ||
                       !isAccelerator(design.nodes[resource.node].device.kind);
    return there &&
           std::find(resource.bounds.begin(), resource.bounds.end(), bound.bound) != resource.bounds.end();
}

/// What the throughput gains where one resource is faster: the most of those that are named, and of all.
struct Gains {
    double named = 0.0;
    double most = 0.0;
    double least = 0.0;
    std::string best; ///< whose the most is
};

Gains gainsOf(const Scenario& base, const Evaluation& before, double factor) {
    Gains gains;
    for (const auto& resource : resourcesOf(base)) {
        auto faster = base;
        resource.speedUp(faster, factor);
        const double gain =
            evaluate(faster).metric(Metric::Throughput) / before.metric(Metric::Throughput) - 1.0;
        gains.least = std::min(gains.least, gain);
        if (gain > gains.most) {
            gains.most = gain;
            gains.best = resource.name;
        }
        if (isNamed(base, before.bound, resource))
            gains.named = std::max(gains.named, gain);
    }
    return gains;
}

double decade(std::mt19937& random) {
    return std::pow(10.0, std::uniform_real_distribution<double>(-1.0, 1.0)(random));
}

/// A shipped design with another workload, and every rate of it drawn anew within a decade.
Scenario drawnDesign(std::mt19937& random) {
    auto design = preset(catalog().systems[random() % catalog().systems.size()]);
    const auto drawn = [&](std::initializer_list<double> values) {
        return values.begin()[random() % values.size()];
    };
    design.workload.batch.value = drawn({1, 4, 16, 64, 256});
    design.workload.promptTokens.value = drawn({16, 512, 4096});
    design.workload.outputTokens.value = drawn({1, 64, 1024});
    for (auto& node : design.nodes) {
        node.device.memoryBandwidth.value *= decade(random);
        const double faster = decade(random);
        for (const auto peak : kPeaks)
            (node.device.*peak).value *= faster;
        if (node.runtime)
            node.runtime->peakCompute.value *= decade(random);
    }
    for (auto& link : design.links)
        link.type.bandwidth.value *= decade(random);
    return design;
}

} // namespace

TEST_CASE("what is named as the limit of a shipped design helps most when it is twice as fast") {
    std::size_t held = 0;
    for (const auto& id : catalog().systems) {
        const auto base = preset(id);
        const auto before = evaluate(base);
        if (!before.feasible || base.serving.isSimulated())
            continue;
        const auto gains = gainsOf(base, before, 2.0);
        CAPTURE(id);
        CAPTURE(boundLabel(base, before));
        CAPTURE(gains.best);
        CHECK(gains.least >= -1e-9);
        ++held;
        // Its layers are as measured, whatever the device: what is faster there moves its prefill alone.
        const bool measured = id == "preserve/llama3-70b-4npu-measured";
        // Most of a step is allreduces, by little. Faster memory takes as much off what follows them, and
        // reads more ahead under them, which a shorter allreduce would leave less time for.
        const bool readsAhead = id == "preserve/llama3-70b-8h100";
        CHECK((gains.named >= gains.most - 1e-9) != (measured || readsAhead));
        CHECK(gains.named > 0.0);
    }
    CHECK(held > 25);
}

TEST_CASE("what is named as the limit of a random design helps most when it is a little faster") {
    std::mt19937 random(48);
    std::size_t held = 0, most = 0;
    for (int trial = 0; trial < rounds(1000, 100); ++trial) {
        const auto base = drawnDesign(random);
        if (base.serving.isSimulated() || hasErrors(validate(base)))
            continue;
        const auto before = evaluate(base);
        if (!before.feasible)
            continue;
        const auto gains = gainsOf(base, before, 1.001);
        ++held;
        most += gains.named >= gains.most - 1e-7 ? 1 : 0;
    }
    // Steps that are sums of kernels are named by what most of them wait for, whatever that gains.
    CHECK(most > 3 * held / 4);
    CHECK(held > scaled(500));
}
