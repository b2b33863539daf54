// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/json.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

std::vector<std::string> offers(const std::string& a, const std::string& b) {
    std::vector<std::string> ids;
    for (const auto* type : catalog().linkOffers(catalog().device(a, ""), catalog().device(b, "")))
        ids.push_back(type->id);
    return ids;
}

bool offered(const std::string& a, const std::string& b, const std::string& type) {
    const auto ids = offers(a, b);
    return std::find(ids.begin(), ids.end(), type) != ids.end();
}

} // namespace

TEST_CASE("a new link between any two shipped devices is of the type that is written down") {
    // Designs and presets were made with these; a device that gets more ports must not change them.
    const auto table = readJsonFile(std::string(heteroscape::places::kTestData) + "/default_links.json");
    CHECK(table.size() == 20);
    for (const auto& [a, row] : table.items()) {
        CHECK(row.size() == table.size());
        for (const auto& [b, id] : row.items()) {
            CAPTURE(a);
            CAPTURE(b);
            const auto* type = catalog().defaultLink(catalog().device(a, ""), catalog().device(b, ""));
            REQUIRE(type);
            CHECK(type->id == id.get<std::string>());
        }
    }
}

TEST_CASE("what both ends can is offered, fastest first, either way round") {
    std::set<std::string> used;
    for (const auto& a : catalog().devices) {
        for (const auto& b : catalog().devices) {
            const auto types = catalog().linkOffers(a, b);
            CHECK(types == catalog().linkOffers(b, a));
            CHECK(std::is_sorted(types.begin(), types.end(), [](const LinkType* one, const LinkType* other) {
                return one->bandwidth.value > other->bandwidth.value;
            }));
            const auto* usual = catalog().defaultLink(a, b);
            if (!usual) {
                CHECK(types.empty());
                CHECK(a.kind == b.kind);
                continue;
            }
            const bool common = std::find(a.ports.begin(), a.ports.end(), usual->id) != a.ports.end() &&
                                std::find(b.ports.begin(), b.ports.end(), usual->id) != b.ports.end();
            CHECK((!common || std::find(types.begin(), types.end(), usual) != types.end()));
        }
        for (const auto* ports : {&a.ports, &a.morePorts})
            used.insert(ports->begin(), ports->end());
        for (const auto& port : a.morePorts) // none is named twice
            CHECK(std::find(a.ports.begin(), a.ports.end(), port) == a.ports.end());
    }
    for (const auto& type : catalog().linkTypes) {
        CAPTURE(type.id);
        CHECK(used.contains(type.id));
    }
}

TEST_CASE("the ports that devices have in the field") {
    CHECK(offers("u280", "network-switch") == std::vector<std::string>{"ethernet-100g"});
    CHECK(offers("a100-80gb", "u280") ==
          std::vector<std::string>{"pcie-gen3-x16", "pcie-gen4-x8", "pcie-gen3-x8"});
    CHECK(offered("host-cpu", "u280", "ethernet-100g"));
    CHECK(offered("host-cpu", "nvme-ssd", "nvme-gen4-x4"));
    CHECK(offered("host-cpu", "smartssd", "nvme-gen3-x4"));
    CHECK(offered("host-cpu", "h100-pcie", "pcie-gen5-x8"));
    CHECK(offered("h100-sxm", "network-switch", "nvlink4"));
    CHECK(offered("h100-sxm", "network-switch", "ethernet-400g"));
    CHECK(offered("ascend-910b", "network-switch", "hccs"));
    CHECK(offered("xeon-6342-host", "host-cpu", "ethernet-25g"));
    CHECK_FALSE(offered("a100-40gb", "a100-40gb", "nvlink3"));
    CHECK(offers("u280", "nvme-ssd").empty());
    CHECK(catalog().linkType("nvme-gen4-x4", "").name.find("NVMe") != std::string::npos);
    CHECK(catalog().linkType("pcie-gen4-x8", "").name == "PCIe 4.0 x8");
}

TEST_CASE("a memory channel joins a host and a memory, not two hosts") {
    CHECK_FALSE(offered("host-cpu", "xeon-6342-host", "ddr4-3200"));
    const auto& module = catalog().device("ddr5-rdimm-128gib", "");
    CHECK_FALSE(catalog().defaultLink(module, module));
    CHECK_FALSE(catalog().defaultLink(module, catalog().device("nvme-ssd", "")));
    CHECK(catalog().defaultLink(module, catalog().device("epyc-9755-host", ""))->id == "ddr5-6400");
    CHECK(offered("epyc-9755-host", "ddr5-rdimm-128gib", "ddr5-6400"));
    Device memory;
    memory.id = memory.name = "memory";
    memory.kind = DeviceKind::Ssd;
    memory.ports = {"ddr5-4800", "ddr4-3200"};
    const auto types = catalog().linkOffers(catalog().device("host-cpu", ""), memory);
    REQUIRE(types.size() == 2);
    CHECK(types[0]->id == "ddr5-4800");
    CHECK(readLinkType(writeLinkType(*types[0]), "again") == *types[0]);
    auto card = catalog().device("u280", "");
    CHECK(readDevice(writeDevice(card), "again").morePorts == card.morePorts);
}

TEST_CASE("a new link is one that both ends can take, where there is any") {
    for (const auto& a : catalog().devices)
        for (const auto& b : catalog().devices) {
            CAPTURE(a.id);
            CAPTURE(b.id);
            const auto offers = catalog().linkOffers(a, b);
            const auto* usual = catalog().defaultLink(a, b);
            if (!offers.empty() && usual)
                CHECK(std::find(offers.begin(), offers.end(), usual) != offers.end());
            const auto* other = catalog().defaultLink(b, a);
            CHECK((usual != nullptr) == (other != nullptr));
            if (usual && other)
                CHECK(usual->bandwidth.value == other->bandwidth.value);
        }
    const auto usual = [](const char* a, const char* b) {
        return catalog().defaultLink(catalog().device(a, ""), catalog().device(b, ""))->id;
    };
    CHECK(usual("h200-sxm", "spectrum-4") == "ethernet-400g");
    CHECK(usual("b300-sxm", "spectrum-4") == "ethernet-800g");
    CHECK(usual("u280", "network-switch") == "ethernet-100g");
    CHECK(usual("h100-nvl", "nvlink-bridge") == "nvlink-bridge-2");
    CHECK(usual("host-cpu", "nvme-ssd") == "pcie-gen4-x4"); // both can: it stays
    CHECK(usual("falcon-4109", "pcie-switch") == "falcon-uplink");
}
