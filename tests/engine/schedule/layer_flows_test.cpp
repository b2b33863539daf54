// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/layer_flows.h"

#include "engine/schedule/compiled_pool.h"
#include "engine/timing/memory_plan.h"
#include "tests/engine/offload_fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kNear = 1e-12; // rounding
constexpr KvShares kParts{0.2, 0.5, 0.3};

Scenario nearSystem(double interval) {
    auto scenario = inf2System("a100-40gb", "inf2", "opt-30b");
    setTechniques(scenario, {true, interval, true, -1, true});
    return scenario;
}

struct Expected {
    Lane lane;
    Work work;
};

/// The lanes and works of every chain, in order.
void checkChains(const LayerFlows& flows, const std::vector<std::vector<Expected>>& expected) {
    REQUIRE(flows.chains().size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto chain = flows.chains()[i].flows();
        REQUIRE(chain.size() == expected[i].size());
        for (std::size_t j = 0; j < chain.size(); ++j) {
            CHECK(chain[j].lane == expected[i][j].lane);
            CHECK(chain[j].work == expected[i][j].work);
            CHECK(isFlow(chain[j].work));
        }
    }
}

const Flow& flowOf(const LayerFlows& flows, Work work) {
    for (const auto& chain : flows.chains())
        for (const auto& flow : chain.flows())
            if (flow.work == work)
                return flow;
    FAIL("no such flow");
    return flows.serial.flows().front();
}

} // namespace

TEST_CASE("layer flows: lanes and works of each runtime") {
    auto scenario = nearSystem(0);
    checkChains(decodeFlows(Offloaded(scenario).input(), kParts),
                {{{Lane::Uplink, Work::QkvTransfer},
                  {Lane::StorageWrite, Work::KvWrite},
                  {Lane::Csd, Work::NearStorageAttention}},
                 {{Lane::Storage, Work::WeightTransfer}},
                 {{Lane::Pcie, Work::XTransfer}, {Lane::Pcie, Work::WeightTransfer}},
                 {{Lane::Compute, Work::Regenerate}},
                 {{Lane::Host, Work::HostAttention}}});
    scenario = nearSystem(2);
    const Offloaded near(scenario);
    const auto late = decodeFlows(near.input(), kParts);
    checkChains(late, {{{Lane::Uplink, Work::QkvTransfer}, {Lane::Csd, Work::NearStorageAttention}},
                       {{Lane::Storage, Work::WeightTransfer}},
                       {{Lane::Pcie, Work::XTransfer}, {Lane::Pcie, Work::WeightTransfer}},
                       {{Lane::Compute, Work::Regenerate}},
                       {{Lane::Host, Work::HostAttention}},
                       {{Lane::StorageWrite, Work::KvWrite}}});
    CHECK_FALSE(late.besideOperators);
    CHECK(late.serial.flows().empty());
    const auto prefill = prefillFlows(near.input(), kParts);
    CHECK(prefill.besideOperators);
    CHECK(prefill.serial.flows().empty());
    checkChains(prefill, {{{Lane::Pcie, Work::WeightTransfer}},
                          {{Lane::Storage, Work::WeightTransfer}, {Lane::StorageWrite, Work::KvWrite}}});
    scenario = inf2System("a100-40gb", "flexgen", "opt-30b");
    checkChains(decodeFlows(Offloaded(scenario).input(), kParts), {{{Lane::Storage, Work::KvRead},
                                                                    {Lane::Storage, Work::WeightTransfer},
                                                                    {Lane::StorageWrite, Work::KvWrite}},
                                                                   {{Lane::Pcie, Work::WeightTransfer}},
                                                                   {{Lane::Host, Work::HostAttention}}});
    scenario = inf2System("a100-40gb", "accelerate", "opt-30b");
    const auto serial = decodeFlows(Offloaded(scenario).input(), {});
    CHECK(serial.chains().empty());
    REQUIRE(serial.serial.flows().size() == 2);
    CHECK(serial.serial.flows()[0].work == Work::DeviceAttention);
    CHECK(serial.serial.flows()[0].lane == Lane::Compute);
    CHECK(serial.serial.flows()[1].work == Work::WeightTransfer);
    CHECK(serial.serial.flows()[1].lane == Lane::Pcie);
}

TEST_CASE("layer flows: a decode layer near storage, every term by hand") {
    // OPT-30B: 28672 B of K and V a token, 14336 B of X; 32 requests, 10000 tokens in the cache.
    const auto scenario = nearSystem(0);
    const Offloaded system(scenario);
    const auto flows = decodeFlows(system.input(), kParts);
    const double context = 10001;
    const double tokens = 32 * 10000.0;
    CHECK(off(flowOf(flows, Work::QkvTransfer).bytes.at(context), 0.5 * 32 * (2 * 2 * 7168 + 28672)) < kNear);
    CHECK(off(flowOf(flows, Work::QkvTransfer).seconds.at(context), 0.5 * 32 * 57344 / 5.54e9) < kNear);
    CHECK(off(flowOf(flows, Work::KvWrite).seconds.at(context), 0.5 * 32 * 2 * 56 / 16 * 0.588e-3) < kNear);
    const NearStorageKernel kernel{scenario.findNode({"storage"})->device, 256};
    CHECK(off(flowOf(flows, Work::NearStorageAttention).bytes.at(context), 0.5 * tokens * 28672) < kNear);
    CHECK(off(flowOf(flows, Work::NearStorageAttention).seconds.at(context),
              0.5 * tokens * 28672 / (16 * kernel.bytesPerSecond(10000))) < kNear);
    CHECK(off(flowOf(flows, Work::XTransfer).bytes.at(context), 0.3 * tokens * 14336) < kNear);
    CHECK(off(flowOf(flows, Work::XTransfer).seconds.at(context), 0.3 * tokens * 14336 / 24.5e9) < kNear);
    const double perToken = 4.0 * 7168 * 7168 / (0.149 * 312e12) + (14336 + 2 * 28672.0) / 1555e9;
    CHECK(off(flowOf(flows, Work::Regenerate).seconds.at(context), 0.3 * tokens * perToken) < kNear);
    CHECK(off(flowOf(flows, Work::HostAttention).seconds.at(context),
              0.2 * tokens * 28672 / (409.6e9 * 0.244140625)) < kNear);
    CHECK(off(flowOf(flows, Work::HostAttention).bytes.at(context), 0.2 * tokens * 28672) < kNear);
    CHECK(flowOf(flows, Work::QkvTransfer).bound == Bound::StorageLink);
    CHECK(flowOf(flows, Work::KvWrite).bound == Bound::StorageWrite);
    CHECK(flowOf(flows, Work::NearStorageAttention).bound == Bound::CsdKernel);
    CHECK(flowOf(flows, Work::XTransfer).bound == Bound::Pcie);
    CHECK(flowOf(flows, Work::Regenerate).bound == Bound::Compute);
    CHECK(flowOf(flows, Work::HostAttention).bound == Bound::HostMemory);
}

TEST_CASE("layer flows: delayed writeback spills a row each c steps, in pages") {
    struct Spill {
        double interval;
        double pages; // of 4096 B that c rows of 256 B fill
    };
    for (const auto& [interval, pages] :
         {Spill{1, 1}, Spill{2, 1}, Spill{4, 1}, Spill{8, 1}, Spill{16, 1}, Spill{17, 2}, Spill{64, 4}}) {
        CAPTURE(interval);
        const auto scenario = nearSystem(interval);
        const auto flows = decodeFlows(Offloaded(scenario).input(), kParts);
        const double write = 0.5 * 32 * 2 * 56 / 16 * 0.588e-3;
        CHECK(off(flowOf(flows, Work::KvWrite).seconds.at(5000), write * pages / interval) < kNear);
        const double sent = (interval + 1) / 2; // times on average that K and V wait to be spilled
        CHECK(off(flowOf(flows, Work::QkvTransfer).bytes.at(5000), 0.5 * 32 * (2 * 2 * 7168 + sent * 28672)) <
              kNear);
    }
}

TEST_CASE("layer flows: CSDs of two kinds share the attention by their rates") {
    auto scenario = nearSystem(0);
    place(scenario, "slow", "smartssd", 8).device.kernelBandwidth.value = 0.5e9;
    connect(scenario, "expansion", "slow", 1000);
    const Offloaded system(scenario);
    const double mean = 16384 + 63 / 2.0;
    const NearStorageKernel fast{scenario.findNode({"storage"})->device, 256};
    const NearStorageKernel slow{scenario.findNode({"slow"})->device, 256};
    const auto flows = decodeFlows(system.input(), kParts);
    // At the mean context both kinds are busy all the time.
    const double rate = 16 * fast.bytesPerSecond(mean) + 8 * slow.bytesPerSecond(mean);
    CHECK(off(flowOf(flows, Work::NearStorageAttention).seconds.at(mean + 1),
              0.5 * 32 * mean * 28672 / rate) < kNear);
    // Small writes: the devices side by side.
    CHECK(off(flowOf(flows, Work::KvWrite).seconds.at(mean + 1), 0.5 * 32 * 2 * 56 / 24 * 0.588e-3) < kNear);
}

TEST_CASE("layer flows: baselines and prefill, every term by hand") {
    auto scenario = inf2System("a100-40gb", "flexgen", "opt-30b");
    quantityOf(*node(scenario, "gpu").runtime, "offload.weights_on_storage").value = 0.5;
    const double weights = scenario.model.parameters() * 2 / 48; // of a layer, the vocabulary shared out
    const double tokens = 32 * 10000.0;
    {
        const Offloaded system(scenario);
        const auto flows = decodeFlows(system.input(), {0.4, 0.6, 0.0});
        const auto storage = flows.chains()[0].flows();
        CHECK(off(storage[0].bytes.at(10001), 0.6 * tokens * 28672) < kNear);
        CHECK(off(storage[0].seconds.at(10001), 0.6 * tokens * 28672 / 5.54e9) < kNear);
        CHECK(off(storage[1].seconds.at(10001), 0.5 * weights / 5.54e9) < kNear);
        CHECK(storage[0].bound == Bound::StorageLink);
        CHECK(off(storage[2].bytes.at(10001), 0.6 * 32 * 28672) < kNear);
        CHECK(storage[2].seconds.at(10001) == 0.0); // counted, it costs no time
        CHECK(off(flows.chains()[1].seconds().at(10001), weights / 24.5e9) < kNear);
        CHECK(off(flows.chains()[2].seconds().at(10001), tokens * 28672 / 100e9) < kNear); // all of it
        const auto prefill = prefillFlows(system.input(), {0.4, 0.6, 0.0});
        const auto written = prefill.chains()[1].flows()[1];
        CHECK(off(written.bytes.at(16384), 0.6 * 32 * 16384 * 28672) < kNear);
        CHECK(off(written.seconds.at(16384), 0.6 * 32 * 16384 * 28672 / 5.54e9) < kNear);
        CHECK(written.bound == Bound::StorageLink);
    }
    node(scenario, "storage").count.value = 2; // 2.08 GB/s of writes
    {
        const Offloaded system(scenario);
        const auto written = prefillFlows(system.input(), {0, 1, 0}).chains()[1].flows()[1];
        CHECK(off(written.seconds.at(16384), 32.0 * 16384 * 28672 / 2.08e9) < kNear);
        CHECK(written.bound == Bound::StorageWrite);
        node(scenario, "storage").count.value = 1;
        CHECK(decodeFlows(Offloaded(scenario).input(), {0, 1, 0}).chains()[0].flows()[0].bound ==
              Bound::Storage);
    }
    auto paged = inf2System("a100-40gb", "deepspeed-uvm", "opt-30b");
    quantityOf(*node(paged, "gpu").runtime, "offload.weights_on_storage").value = 0.5;
    const auto flows = decodeFlows(Offloaded(paged).input(), {0.4, 0.6, 0.0});
    CHECK(off(flows.chains()[0].flows()[0].seconds.at(10001), 0.6 * tokens * 28672 / 0.98e9) < kNear);
    CHECK(off(flows.chains()[0].flows()[1].seconds.at(10001), 0.5 * weights / 5.54e9) < kNear);
}

TEST_CASE("layer flows: where the cache stays on the device, weights come from pageable memory") {
    auto scenario = inf2System("h100-pcie", "accelerate", "opt-30b");
    scenario.workload.promptTokens.value = 1024;
    const Offloaded system(scenario);
    const auto flows = decodeFlows(system.input(), {});
    const double weights = scenario.model.parameters() * 2 / 48;
    CHECK(off(flows.serial.flows()[0].seconds.at(1025), 32 * 1088.0 * 28672 / 2000e9) < kNear);
    CHECK(off(flows.serial.flows()[1].seconds.at(1025), weights / 5.4e9) < kNear);
    const auto prefill = prefillFlows(system.input(), {});
    REQUIRE(prefill.serial.flows().size() == 1);
    CHECK(off(prefill.serial.seconds().at(1024), weights / 5.4e9) < kNear);
    CHECK(off(prefill.chains()[0].seconds().at(1024), weights / 24.5e9) < kNear);
    CHECK(prefill.chains()[1].seconds().at(1024) == 0.0);
}

TEST_CASE("flow chains add up, and wait for their longest flow") {
    FlowChain chain;
    CHECK(chain.boundAt(1) == Bound::None);
    CHECK(chain.seconds().at(10) == 0.0);
    chain.add({Lane::Uplink, Work::QkvTransfer, Bound::StorageLink, {5, 0}, {}});
    chain.add({Lane::Csd, Work::NearStorageAttention, Bound::CsdKernel, {1, 1}, {}});
    CHECK(chain.seconds().at(2) == 8);
    CHECK(chain.boundAt(2) == Bound::StorageLink);
    CHECK(chain.boundAt(10) == Bound::CsdKernel);
}
