// SPDX-License-Identifier: GPL-3.0-or-later
// One rule for every search over links: hosts and switches pass on, accelerators and storage do not.
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/link_flow.h"
#include "engine/serving/closed_form.h"
#include "tests/engine/offload_fixtures.h"

#include <algorithm>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// GPU - SSD - FPGA, and nothing else between them.
Scenario throughAnSsd() {
    auto scenario = emptySystem();
    scenario.techniques[disaggregation()].enabled = true;
    place(scenario, "gpu", "a100-80gb", 1, "hf-eager").role = Role::Prefill;
    place(scenario, "ssd", "nvme-ssd");
    place(scenario, "fpga", "u280", 1, "glitches-fpga").role = Role::Decode;
    connect(scenario, "gpu", "ssd", 4);
    connect(scenario, "ssd", "fpga", 4);
    return scenario;
}

} // namespace

TEST_CASE("no KV cache runs through an SSD") {
    auto scenario = throughAnSsd();
    KvPaths paths;
    paths.reset(scenario);
    paths.searchFrom(indexOf(scenario, "gpu"));
    CHECK(paths.linksTo(indexOf(scenario, "fpga")).empty());
    CHECK(paths.linksTo(indexOf(scenario, "ssd")).size() == 1);
    const auto found = validate(scenario);
    CHECK(std::any_of(found.begin(), found.end(),
                      [](const Diagnostic& one) { return one.code == "no_kv_path"; }));
    place(scenario, "host", "host-cpu");
    connect(scenario, "gpu", "host", 20);
    connect(scenario, "host", "fpga", 20);
    paths.reset(scenario);
    paths.searchFrom(indexOf(scenario, "gpu"));
    CHECK(paths.linksTo(indexOf(scenario, "fpga")).size() == 2);
    const auto mended = validate(scenario);
    CHECK(std::none_of(mended.begin(), mended.end(),
                       [](const Diagnostic& one) { return one.code == "no_kv_path"; }));
}

TEST_CASE("what cannot be reached is said once of each node") {
    auto scenario = emptySystem();
    scenario.techniques[disaggregation()].enabled = true;
    for (int i = 0; i < 256; ++i) {
        place(scenario, "gpu" + std::to_string(i), "a100-80gb", 1, "hf-eager").role = Role::Prefill;
        if (i < 255)
            place(scenario, "fpga" + std::to_string(i), "u280", 1, "glitches-fpga").role = Role::Decode;
    }
    const auto paths = [&] {
        std::vector<Diagnostic> found;
        for (auto& one : validate(scenario))
            if (one.code == "no_kv_path")
                found.push_back(std::move(one));
        return found;
    };
    const auto alone = paths();
    REQUIRE(alone.size() == 256);
    CHECK(alone.front().subject == "gpu0");
    CHECK(alone.front().message.find(" and 254 more for the KV cache") != std::string::npos);
    // Joined with each other, it is the decode nodes that are alone.
    place(scenario, "host", "host-cpu");
    for (int i = 0; i < 256; ++i)
        connect(scenario, "gpu" + std::to_string(i), "host", 20);
    const auto joined = paths();
    REQUIRE(joined.size() == 255);
    CHECK(joined.front().subject == "fpga0");
    CHECK(joined.front().message.find(" and 255 more to ") != std::string::npos);
}

TEST_CASE("every search over links finds the same ways") {
    std::mt19937 random(9);
    const char* devices[] = {"a100-80gb", "u280", "nvme-ssd", "smartssd", "host-cpu", "pcie-switch"};
    for (int trial = 0; trial < rounds(200); ++trial) {
        auto scenario = emptySystem();
        const std::size_t count = 2 + random() % 7;
        for (std::size_t i = 0; i < count; ++i)
            place(scenario, "n" + std::to_string(i), devices[random() % 6]);
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t b = a + 1; b < count; ++b)
                if (random() % 3 == 0)
                    connect(scenario, "n" + std::to_string(a), "n" + std::to_string(b), 1);
        const ConnectedParts parts(scenario);
        KvPaths paths;
        paths.reset(scenario);
        LinkFlow flow;
        flow.reset(scenario);
        for (std::size_t from = 0; from < count; ++from) {
            std::vector<char> reached(count, 0);
            flow.forEachReached(from, [&](std::size_t node) {
                reached[node] = 1;
                return false;
            });
            paths.searchFrom(from);
            for (std::size_t to = 0; to < count; ++to) {
                if (to == from)
                    continue;
                CHECK(parts.reaches(from, to) == (reached[to] != 0));
                CHECK(!paths.linksTo(to).empty() == (reached[to] != 0));
            }
        }
    }
}
