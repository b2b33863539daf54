// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/compare_designs.h"

#include "tests/engine/fixtures.h"

#include <algorithm>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const PropertyComparison* find(const std::vector<PropertyComparison>& rows, PropertyGroup group,
                               const std::string& label) {
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const PropertyComparison& row) {
        return row.group == group && row.label == label;
    });
    return at == rows.end() ? nullptr : &*at;
}

/// Without the rows in which all agree.
std::vector<PropertyComparison> differences(const std::vector<Scenario>& designs) {
    auto rows = compareProperties(designs);
    std::erase_if(rows, [](const PropertyComparison& row) { return !row.differs; });
    return rows;
}

} // namespace

TEST_CASE("a design does not differ from itself, nor by where it stands and what it is called") {
    const auto scenario = preset("glitches/a100-7u280");
    auto other = scenario;
    other.name = "Another";
    other.nodes[0].position = {4, 5};
    CHECK(differences(std::vector{scenario, other}).empty());
    CHECK_FALSE(compareProperties(std::vector{scenario, other}).empty());
}

TEST_CASE("one changed property is one row, in its unit") {
    const auto scenario = preset("glitches/a100-7u280");
    const auto changed = [&](const std::string& path, const std::string& text) {
        return differences(std::vector{scenario, with(scenario, path, text)});
    };
    auto rows = changed("workload.batch", "4");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].group == PropertyGroup::Workload);
    CHECK(rows[0].values == std::vector<std::string>{"1", "4"});
    rows = changed("nodes.gpu.device.memory_bandwidth_gbps", "1000");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].group == PropertyGroup::System);
    CHECK(rows[0].unit == "GB/s");
    CHECK(rows[0].values[1] == "1000");
    rows = changed("cost.electricity_usd_per_kwh", "0.2");
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].group == PropertyGroup::Cost);
}

TEST_CASE("a technique that is off hides what it is set to") {
    const auto scenario = preset("glitches/a100-7u280");
    const auto rows =
        differences(std::vector{scenario, with(scenario, "techniques.load_merging.enabled", "false")});
    REQUIRE(find(rows, PropertyGroup::Techniques, "Switched"));
    CHECK(find(rows, PropertyGroup::Techniques, "Switched")->values == std::vector<std::string>{"on", "off"});
    REQUIRE(find(rows, PropertyGroup::Techniques, "Prefetch ratio M"));
    CHECK(find(rows, PropertyGroup::Techniques, "Prefetch ratio M")->values ==
          std::vector<std::string>{"4", ""});
}

TEST_CASE("a link that leads to another node is a difference") {
    const auto first = preset("inf2/opt-30b-a100-16csd");
    auto second = first;
    REQUIRE(second.links.size() > 1);
    auto& link = second.links[0];
    const auto other = std::find_if(second.nodes.begin(), second.nodes.end(), [&](const Node& node) {
        return node.id != link.from && node.id != link.to;
    });
    REQUIRE(other != second.nodes.end());
    link.to = other->id;
    const auto rows = differences(std::vector{first, second});
    const auto* row = find(rows, PropertyGroup::Links, "Joins");
    REQUIRE(row);
    CHECK(row->values[0] != row->values[1]);
    CHECK(row->values[1].find(other->shownName()) != std::string::npos);
}

TEST_CASE("nodes are matched by id, else by device and role; what is not there says so once") {
    auto first = preset("glitches/a100-7u280");
    auto second = first;
    for (auto& node : second.nodes)
        if (node.id.value == "fpga")
            node.id.value = "other"; // with its links
    for (auto& link : second.links) {
        if (link.from.value == "fpga")
            link.from.value = "other";
        if (link.to.value == "fpga")
            link.to.value = "other";
    }
    CHECK(differences(std::vector{first, second}).empty());
    auto third = first;
    std::erase_if(third.nodes, [](const Node& node) { return node.id.value == "fpga"; });
    const auto rows = differences(std::vector{first, third});
    const auto* device = find(rows, PropertyGroup::System, "Device");
    REQUIRE(device);
    CHECK(device->values[1] == "not there");
    CHECK_FALSE(find(rows, PropertyGroup::System, "Memory bandwidth"));
}

TEST_CASE("designs of all papers stand side by side") {
    const std::vector designs{preset("glitches/a100-7u280"), preset("preserve/llama3-70b-8npu"),
                              preset("inf2/opt-30b-a100-16csd")};
    const auto rows = compareProperties(designs);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CHECK(rows[i].values.size() == designs.size());
        CHECK(rows[i].differs == (std::adjacent_find(rows[i].values.begin(), rows[i].values.end(),
                                                     std::not_equal_to<>()) != rows[i].values.end()));
        if (i > 0)
            CHECK(rows[i - 1].group <= rows[i].group);
    }
    CHECK(find(rows, PropertyGroup::Model, "Model")->values[1] == "Llama3-70B");
}
