// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/edit.h"

#include "engine/scenario/scenario_json.h"
#include "engine/scenario/technique_specs.h"
#include "tests/engine/fixtures.h"

#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A random edit of any kind; it may not fit the scenario.
GraphEdit randomEdit(const Scenario& s, std::mt19937& random) {
    const auto pick = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
    const auto node = [&]() -> NodeId {
        return s.nodes.empty() ? NodeId{"none"} : s.nodes[pick(s.nodes.size())].id;
    };
    const auto link = [&]() -> LinkId {
        return s.links.empty() ? LinkId{"none"} : s.links[pick(s.links.size())].id;
    };
    const auto& c = catalog();
    switch (pick(13)) {
    case 0: {
        const auto& device = c.devices[pick(c.devices.size())];
        Node added;
        added.id = freshNodeId(s, device.id);
        added.device = device;
        if (const auto* runtime = c.defaultRuntime(device))
            added.runtime = runtime->on(device);
        return AddNode{added, pick(s.nodes.size() + 1)};
    }
    case 1:
        return removeEdit(s, {node()}, {});
    case 2:
        return MoveNode{node(), {double(pick(900)), double(pick(900))}};
    case 3:
        return RenameNode{node(), "name " + std::to_string(pick(9))};
    case 4:
        return SetRole{node(), static_cast<Role>(pick(4))};
    case 5: {
        const auto& device = c.devices[pick(c.devices.size())];
        return SetDevice{node(), device, std::nullopt};
    }
    case 6:
        return AddLink{{freshLinkId(s, "link"), node(), node(), c.linkTypes[pick(c.linkTypes.size())]},
                       pick(9)};
    case 7:
        return RemoveLink{link()};
    case 8:
        return SetLinkType{link(), c.linkTypes[pick(c.linkTypes.size())]};
    case 9:
        return SetModel{c.models[pick(c.models.size())]};
    case 10:
        return SetTechnique{std::string(techniqueSpecs()[pick(techniqueSpecs().size())].id), pick(2) == 1};
    case 11:
        return SetDescription{"design " + std::to_string(pick(9)), ""};
    default: {
        const auto parameters = listParameters(s, c);
        const auto& parameter = parameters[pick(parameters.size())];
        return SetFigure{parameter.path, {double(pick(4000)) - 100, Provenance::User, ""}};
    }
    }
}

} // namespace

TEST_CASE("random edits: inverses are exact, refusals change nothing") {
    std::mt19937 random(20240229);
    auto scenario = preset("glitches/a100-7u280");
    std::vector<Scenario> states{scenario};
    std::vector<GraphEdit> inverses;
    int refused = 0;
    for (int i = 0; i < 4000; ++i) {
        const auto edit = randomEdit(scenario, random);
        const auto before = scenario;
        try {
            describe(scenario, edit);
            inverses.push_back(applyEdit(scenario, edit));
            states.push_back(scenario);
        } catch (const Error&) {
            ++refused;
            REQUIRE(scenario == before);
        }
        while (inverses.size() > 5 && random() % 2 == 0) { // undo, redo, and compare
            states.pop_back();
            const auto redo = applyEdit(scenario, inverses.back());
            inverses.pop_back();
            REQUIRE(scenario == states.back());
            auto again = scenario;
            applyEdit(again, redo);
        }
        if (scenario.nodes.size() > 12)
            applyEdit(scenario, removeEdit(scenario, {scenario.nodes[0].id}, {})), states = {scenario},
                                                                                   inverses.clear();
    }
    CHECK(refused > 100);
    CHECK(refused < 3500);
}

TEST_CASE("removing a node takes its links along and comes back as it was") {
    auto scenario = preset("glitches/a100-7u280");
    const auto before = scenarioText(scenario);
    const auto inverse = applyEdit(scenario, removeEdit(scenario, {{"host"}}, {}));
    CHECK(scenario.nodes.size() == 2);
    CHECK(scenario.links.empty());
    applyEdit(scenario, inverse);
    CHECK(scenarioText(scenario) == before);
}

TEST_CASE("a list of edits is all or nothing") {
    auto scenario = preset("glitches/a100-7u280");
    const auto before = scenario;
    CHECK_THROWS_AS(applyEdit(scenario, EditList{{MoveNode{{"gpu"}, {8, 8}}, RemoveLink{{"none"}}}}), Error);
    CHECK(scenario == before);
}

TEST_CASE("edits have readable names") {
    const auto scenario = preset("glitches/a100-7u280");
    CHECK(describe(scenario, SetFigure{"nodes.fpga.count", {3.0, Provenance::User, ""}}) ==
          "Set Alveo U280 count to 3");
    CHECK(describe(scenario,
                   SetFigure{"nodes.gpu.device.memory_bandwidth_gbps", {2e12, Provenance::User, ""}}) ==
          "Set A100 80GB memory bandwidth to 2000 GB/s");
    CHECK(describe(scenario, removeEdit(scenario, {{"host"}}, {})) == "Remove Host CPU");
    CHECK(describe(scenario, SetTechnique{"load_merging", false}) == "Switch off load merging");
}
