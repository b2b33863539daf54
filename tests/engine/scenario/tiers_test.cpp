// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/tiers.h"

#include "tests/engine/offload_fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kNear = 1e-12; // rounding

/// GPU and host, linked at 24.5 GB/s: SSDs read 3.25 and write 1.04 GB/s each.
Scenario gpuAndHost() {
    auto scenario = emptySystem();
    place(scenario, "gpu", "a100-40gb", 1, "inf2");
    place(scenario, "host", "xeon-6342-host");
    connect(scenario, "gpu", "host", 24.5);
    return scenario;
}

std::size_t linkIndex(const Scenario& scenario, const std::string& id) {
    return static_cast<std::size_t>(scenario.findLink({id}) - scenario.links.data());
}

} // namespace

TEST_CASE("tiers: SSDs behind one uplink") {
    auto scenario = gpuAndHost();
    place(scenario, "switch", "falcon-4109");
    place(scenario, "ssd", "nvme-ssd", 4);
    connect(scenario, "host", "switch", 5.54);
    connect(scenario, "switch", "ssd", 3.5);
    TierMap map;
    auto tiers = map.find(scenario, 0);
    CHECK(tiers.host == 1);
    CHECK(tiers.activeReplicas == 1);
    CHECK(tiers.deviceLink == 24.5e9);
    CHECK(tiers.hostMemory == 512 * kGiB);
    CHECK(tiers.hostBandwidth == 409.6e9);
    CHECK(tiers.storage.devices == 4);
    CHECK(tiers.storage.capacity == 4 * 3840e9);
    CHECK(off(tiers.storage.read, 5.54e9) < kNear);      // the uplink cuts 4 x 3.25
    CHECK(off(tiers.storage.write, 4 * 1.04e9) < kNear); // the SSDs' own
    CHECK(off(tiers.storage.link, 5.54e9) < kNear);
    CHECK(tiers.storage.linkLimited);
    CHECK(tiers.near.devices == 0);
    CHECK(tiers.near.read == 0);
    CHECK(map.storageNodes().size() == 1);
    CHECK(map.storageNodes()[0] == 3);
    CHECK(map.deviceShare(linkIndex(scenario, "gpu-host")) == 1);
    CHECK(map.linkShare(linkIndex(scenario, "gpu-host"), false) == 0);
    CHECK(map.linkShare(linkIndex(scenario, "host-switch"), false) == 1);
    CHECK(map.linkShare(linkIndex(scenario, "switch-ssd"), false) == 1);

    node(scenario, "ssd").count.value = 1;
    tiers = map.find(scenario, 0);
    CHECK(off(tiers.storage.read, 3.25e9) < kNear);
    CHECK(off(tiers.storage.write, 1.04e9) < kNear);
    CHECK(off(tiers.storage.link, 3.5e9) < kNear); // its own link is the slowest
    CHECK_FALSE(tiers.storage.linkLimited);

    link(scenario, "switch-ssd").type.bandwidth.value = 2e9;
    tiers = map.find(scenario, 0);
    CHECK(off(tiers.storage.read, 2e9) < kNear);
    CHECK(tiers.storage.linkLimited);
}

TEST_CASE("tiers: storage directly on the host, and below switches in a row") {
    auto scenario = gpuAndHost();
    place(scenario, "ssd", "nvme-ssd", 3);
    connect(scenario, "ssd", "host", 3.5); // a link has no direction
    TierMap map;
    CHECK(off(map.find(scenario, 0).storage.read, 3 * 3.25e9) < kNear);
    CHECK(off(map.find(scenario, 0).storage.link, 3 * 3.5e9) < kNear);

    place(scenario, "upper", "falcon-4109");
    place(scenario, "lower", "falcon-4109");
    scenario.links.pop_back();
    connect(scenario, "host", "upper", 8);
    connect(scenario, "upper", "lower", 4);
    connect(scenario, "lower", "ssd", 3.5);
    CHECK(off(map.find(scenario, 0).storage.read, 4e9) < kNear);
    CHECK(off(map.find(scenario, 0).storage.write, 3 * 1.04e9) < kNear);
    CHECK(map.linkShare(linkIndex(scenario, "host-upper"), false) == 1);
    CHECK(map.linkShare(linkIndex(scenario, "upper-lower"), false) == 1);
}

TEST_CASE("tiers: two nodes of SSDs behind different links share the bytes by their rates") {
    auto scenario = gpuAndHost();
    place(scenario, "near", "nvme-ssd", 2);
    place(scenario, "switch", "falcon-4109");
    place(scenario, "far", "nvme-ssd", 3);
    connect(scenario, "host", "near", 2); // 2 x min(3.25, 2) = 4
    connect(scenario, "host", "switch", 5);
    connect(scenario, "switch", "far", 3.5); // min(9.75, 5) = 5
    TierMap map;
    const auto& tiers = map.find(scenario, 0);
    CHECK(tiers.storage.devices == 5);
    CHECK(off(tiers.storage.read, 9e9) < kNear);
    CHECK(off(tiers.storage.write, 5 * 1.04e9) < kNear);
    CHECK(off(tiers.storage.link, 9e9) < kNear);
    CHECK(tiers.storage.linkLimited);
    CHECK(off(map.linkShare(linkIndex(scenario, "host-near"), false), 4.0 / 9) < kNear);
    CHECK(off(map.linkShare(linkIndex(scenario, "host-switch"), false), 5.0 / 9) < kNear);
    CHECK(off(map.linkShare(linkIndex(scenario, "switch-far"), false), 5.0 / 9) < kNear);
}

TEST_CASE("tiers: CSDs and SSDs together, and the CSDs alone") {
    auto scenario = gpuAndHost();
    place(scenario, "switch", "falcon-4109");
    place(scenario, "csd", "smartssd", 2);
    place(scenario, "ssd", "nvme-ssd", 6);
    connect(scenario, "host", "switch", 20);
    connect(scenario, "switch", "csd", 3.5);
    connect(scenario, "switch", "ssd", 3.5);
    TierMap map;
    const auto& tiers = map.find(scenario, 0);
    CHECK(tiers.storage.devices == 8);
    CHECK(tiers.near.devices == 2);
    CHECK(tiers.near.capacity == 2 * 3840e9);
    CHECK(off(tiers.storage.read, 20e9) < kNear); // of 26
    CHECK(tiers.storage.linkLimited);
    CHECK(off(tiers.near.read, 6.5e9) < kNear);
    CHECK(off(tiers.near.link, 7e9) < kNear);
    CHECK(off(tiers.near.write, 2.08e9) < kNear);
    CHECK_FALSE(tiers.near.linkLimited);
    CHECK(off(map.linkShare(linkIndex(scenario, "switch-csd"), false), 0.25) < kNear);
    CHECK(off(map.linkShare(linkIndex(scenario, "switch-ssd"), false), 0.75) < kNear);
    CHECK(map.linkShare(linkIndex(scenario, "switch-csd"), true) == 1);
    CHECK(map.linkShare(linkIndex(scenario, "switch-ssd"), true) == 0);
    CHECK(map.linkShare(linkIndex(scenario, "host-switch"), true) == 1);
}

TEST_CASE("tiers: replicas share host and storage evenly") {
    auto scenario = gpuAndHost();
    place(scenario, "ssd", "nvme-ssd", 4);
    connect(scenario, "host", "ssd", 3.5);
    node(scenario, "gpu").count.value = 4; // a copy on each
    TierMap map;
    auto tiers = map.find(scenario, 0);
    CHECK(tiers.activeReplicas == 4);
    CHECK(tiers.hostMemory == 128 * kGiB);
    CHECK(tiers.hostBandwidth == 409.6e9 / 4);
    CHECK(off(tiers.storage.read, 3.25e9) < kNear);
    CHECK(tiers.storage.capacity == 3840e9);
    CHECK(tiers.deviceLink == 24.5e9); // each device has a link of its own

    node(scenario, "gpu").replicas.value = 1; // one copy over all four
    tiers = map.find(scenario, 0);
    CHECK(tiers.activeReplicas == 1);
    CHECK(tiers.hostMemory == 512 * kGiB);

    place(scenario, "fpga", "u280", 2, "inf2-fpga");
    connect(scenario, "fpga", "host", 12);
    CHECK(map.find(scenario, 0).activeReplicas == 3);
    tiers = map.find(scenario, indexOf(scenario, "fpga"));
    CHECK(tiers.activeReplicas == 3);
    CHECK(tiers.deviceLink == 12e9);
    CHECK(off(tiers.storage.read, 13e9 / 3) < kNear);

    // One that keeps everything on the device takes no part.
    node(scenario, "fpga").runtime = catalog().runtime("glitches-fpga", "").on(node(scenario, "fpga").device);
    CHECK(map.find(scenario, 0).activeReplicas == 1);
}

TEST_CASE("tiers: devices behind a switch share its link to the host") {
    auto scenario = emptySystem();
    place(scenario, "gpu", "a100-40gb", 4, "inf2");
    place(scenario, "switch", "pcie-switch");
    place(scenario, "host", "xeon-6342-host");
    place(scenario, "ssd", "nvme-ssd", 2);
    connect(scenario, "gpu", "switch", 24);
    connect(scenario, "switch", "host", 24);
    connect(scenario, "switch", "ssd", 3.5);
    TierMap map;
    const auto& tiers = map.find(scenario, 0);
    CHECK(tiers.host == 2);
    CHECK(off(tiers.deviceLink, 6e9) < kNear);
    CHECK(map.deviceShare(linkIndex(scenario, "gpu-switch")) == 1);
    CHECK(map.deviceShare(linkIndex(scenario, "switch-host")) == 1);
    CHECK(map.deviceShare(linkIndex(scenario, "switch-ssd")) == 0);
    CHECK(off(tiers.storage.read * tiers.activeReplicas, 6.5e9) < kNear); // through the same switch
    CHECK(map.linkShare(linkIndex(scenario, "switch-host"), false) == 1);
}

TEST_CASE("tiers: no host, and none behind another accelerator or storage") {
    auto scenario = emptySystem();
    place(scenario, "gpu", "a100-40gb", 1, "inf2");
    place(scenario, "ssd", "nvme-ssd", 2);
    connect(scenario, "gpu", "ssd", 3.5);
    TierMap map;
    CHECK(map.find(scenario, 0).host == Tiers::kNone);
    CHECK(map.storageNodes().empty());

    place(scenario, "fpga", "u280", 1, "inf2-fpga");
    place(scenario, "host", "xeon-6342-host");
    connect(scenario, "gpu", "fpga", 12);
    connect(scenario, "fpga", "host", 12);
    CHECK(map.find(scenario, 0).host == Tiers::kNone); // only through the FPGA
    CHECK(map.find(scenario, indexOf(scenario, "fpga")).host == indexOf(scenario, "host"));
    CHECK(map.find(scenario, indexOf(scenario, "fpga")).storage.devices == 0); // only through the GPU

    connect(scenario, "ssd", "host", 3.5);
    CHECK(map.find(scenario, 0).host == Tiers::kNone); // and storage passes nothing on
    CHECK(map.find(scenario, indexOf(scenario, "fpga")).storage.devices == 2);
}

TEST_CASE("tiers: the nearest host, by links") {
    auto scenario = gpuAndHost();
    place(scenario, "switch", "network-switch");
    place(scenario, "other", "xeon-6342-host");
    place(scenario, "ssd", "nvme-ssd", 2);
    connect(scenario, "host", "switch", 25);
    connect(scenario, "switch", "other", 25);
    connect(scenario, "other", "ssd", 3.5);
    TierMap map;
    CHECK(map.find(scenario, 0).host == indexOf(scenario, "host"));
    CHECK(off(map.find(scenario, 0).storage.read, 6.5e9) < kNear); // over the network
    link(scenario, "host-switch").type.bandwidth.value = 1e9;
    CHECK(off(map.find(scenario, 0).storage.read, 1e9) < kNear);
}

TEST_CASE("tiers: links side by side and in a mesh add up; one more never slows") {
    auto scenario = gpuAndHost();
    place(scenario, "switch", "falcon-4109");
    place(scenario, "ssd", "nvme-ssd", 4); // 13 GB/s
    connect(scenario, "host", "switch", 5.54);
    connect(scenario, "switch", "ssd", 3.5);
    TierMap map;
    CHECK(off(map.find(scenario, 0).storage.read, 5.54e9) < kNear);

    auto direct = scenario; // past the switch
    connect(direct, "host", "ssd", 0.1);
    CHECK(off(map.find(direct, 0).storage.read, 5.94e9) < kNear);
    CHECK(off(map.linkShare(linkIndex(direct, "host-ssd"), false), 0.4 / 5.94) < kNear);
    CHECK(off(map.linkShare(linkIndex(direct, "host-switch"), false), 5.54 / 5.94) < kNear);

    auto second = scenario; // another switch beside the first
    place(second, "other", "falcon-4109");
    connect(second, "host", "other", 2);
    connect(second, "other", "ssd", 3.5);
    CHECK(off(map.find(second, 0).storage.read, 7.54e9) < kNear);

    auto across = second; // and a link between them that lets the first use the second's uplink
    link(across, "other-ssd").type.bandwidth.value = 0.25e9; // 4 x 0.25 = 1
    CHECK(off(map.find(across, 0).storage.read, 6.54e9) < kNear);
    connect(across, "switch", "other", 10);
    CHECK(off(map.find(across, 0).storage.read, 7.54e9) < kNear);
}

TEST_CASE("tiers: what first went the wrong way is sent another") {
    // The only way for b leads over the switch that a takes first; a has a second way.
    auto scenario = gpuAndHost();
    place(scenario, "left", "falcon-4109");
    place(scenario, "right", "falcon-4109");
    place(scenario, "a", "nvme-ssd");
    place(scenario, "b", "nvme-ssd");
    connect(scenario, "host", "left", 3.25);
    connect(scenario, "host", "right", 3.25);
    connect(scenario, "left", "a", 10);
    connect(scenario, "right", "a", 10);
    connect(scenario, "left", "b", 10);
    TierMap map;
    CHECK(off(map.find(scenario, 0).storage.read, 6.5e9) < kNear);
}

TEST_CASE("tiers: the fastest way between device and host counts, whatever order links were drawn in") {
    auto scenario = emptySystem();
    place(scenario, "gpu", "a100-40gb", 1, "inf2");
    place(scenario, "host", "xeon-6342-host");
    place(scenario, "switch", "pcie-switch");
    connect(scenario, "gpu", "host", 1);
    connect(scenario, "gpu", "switch", 24);
    connect(scenario, "switch", "host", 24);
    TierMap map;
    CHECK(off(map.find(scenario, 0).deviceLink, 25e9) < kNear);
}
