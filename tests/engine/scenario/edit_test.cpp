// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/edit.h"

#include "engine/scenario/scenario_json.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/random_edits.h"

#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A design as a window keeps it: with every step that led to it, and back.
struct History {
    Scenario scenario;
    Scenario start;
    std::vector<std::pair<GraphEdit, GraphEdit>> done; ///< edit and inverse
    std::vector<std::pair<GraphEdit, GraphEdit>> undone;

    bool perform(const GraphEdit& edit) {
        try {
            describe(scenario, edit);
            done.emplace_back(edit, applyEdit(scenario, edit));
        } catch (const Error&) {
            return false;
        }
        undone.clear();
        return true;
    }
    void undo() {
        auto step = std::move(done.back());
        done.pop_back();
        step.first = applyEdit(scenario, step.second);
        undone.push_back(std::move(step));
    }
    void redo() {
        auto step = std::move(undone.back());
        undone.pop_back();
        step.second = applyEdit(scenario, step.first);
        done.push_back(std::move(step));
    }
    Scenario replayed() const {
        auto copy = start;
        for (const auto& [edit, inverse] : done)
            applyEdit(copy, edit);
        return copy;
    }
};

} // namespace

TEST_CASE("100,000 random edits, undone and redone: inverses are exact, the design is what its steps say") {
    const int kEdits = rounds(100000);
    RandomEdits edits(catalog(), 20240229);
    History history;
    history.scenario = history.start = preset("glitches/a100-7u280");
    int performed = 0;
    int refused = 0;
    int undone = 0;
    for (int i = 0; i < kEdits; ++i) {
        if (!history.done.empty() && edits.chance(0.3)) {
            const auto before = history.scenario;
            history.undo();
            ++undone;
            if (edits.chance(0.7)) {
                history.redo();
                REQUIRE(history.scenario == before);
            }
        } else if (!history.undone.empty() && edits.chance(0.4)) {
            history.redo();
        } else {
            const auto before = history.scenario;
            const auto edit = edits.next(before);
            if (history.perform(edit)) {
                ++performed;
                auto back = history.scenario;
                applyEdit(back, history.done.back().second);
                REQUIRE(back == before);
                const bool nothing = changesNothing(edit, history.done.back().second);
                const bool same = history.scenario == before; // steps of a list may cancel out
                REQUIRE((nothing == same || (same && edit.as<EditList>())));
            } else {
                ++refused;
                REQUIRE(history.scenario == before);
            }
        }
        if (i % (kEdits / 5) == kEdits / 5 - 1) {
            REQUIRE(history.replayed() == history.scenario);
            const auto text = scenarioText(history.scenario);
            REQUIRE(scenarioText(readScenario(Json::parse(text), catalog(), "again")) == text);
        }
    }
    while (!history.undone.empty()) // the last steps may have been undone
        history.redo();
    const auto end = scenarioText(history.scenario);
    while (!history.done.empty())
        history.undo();
    CHECK(history.scenario == history.start);
    while (!history.undone.empty())
        history.redo();
    CHECK(scenarioText(history.scenario) == end);
    CHECK(performed > kEdits * 3 / 10);
    CHECK(refused > kEdits * 3 / 100);
    CHECK(undone > kEdits / 5);
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

TEST_CASE("a long list does what its edits do one by one, and goes back whole") {
    RandomEdits edits(catalog(), 5);
    auto scenario = preset("glitches/a100-7u280");
    for (int round = 0; round < rounds(50); ++round) {
        const auto before = scenario;
        EditList list;
        while (list.edits.size() < 60) {
            const auto edit = edits.next(scenario, 40);
            try {
                applyEdit(scenario, edit);
                list.edits.push_back(edit);
            } catch (const Error&) {
                continue; // one that does not fit
            }
        }
        auto atOnce = before;
        const auto inverse = applyEdit(atOnce, list);
        REQUIRE(atOnce == scenario);
        applyEdit(atOnce, inverse);
        REQUIRE(atOnce == before);
        for (const GraphEdit& refused : {GraphEdit(RemoveLink{{"none"}}), GraphEdit(RemoveNode{{"none"}}),
                                         GraphEdit(AddLink{Link{{"new"}, {"none"}, {"none"}, {}}, 0})}) {
            auto broken = list;
            broken.edits.push_back(refused);
            REQUIRE_THROWS_AS(applyEdit(atOnce, broken), Error);
            REQUIRE(atOnce == before);
        }
    }
}

TEST_CASE("a long list refuses what its edits would") {
    auto scenario = preset("glitches/a100-7u280");
    const auto before = scenario;
    const auto added = [&](const char* id, int count) {
        auto node = before.nodes.front();
        node.id.value = id + std::to_string(count);
        return AddNode{node, before.nodes.size()};
    };
    const auto refuses = [&](const GraphEdit& last, const std::string& says) {
        EditList list;
        for (int i = 0; i < 40; ++i)
            list.edits.push_back(added("n", i));
        list.edits.push_back(AddLink{Link{{"wire"}, {"n1"}, {"n2"}, before.links.front().type}, 0});
        list.edits.push_back(last);
        try {
            applyEdit(scenario, list);
        } catch (const Error& error) {
            CHECK(std::string(error.what()).find(says) != std::string::npos);
            return scenario == before;
        }
        return false;
    };
    CHECK(refuses(added("n", 7), "is there already"));
    CHECK(refuses(AddLink{Link{{"wire"}, {"n3"}, {"n4"}, before.links.front().type}, 0}, "is there already"));
    CHECK(refuses(RemoveNode{{"n2"}}, "still ends here"));
    CHECK(refuses(EditList{{RemoveLink{{"wire"}}, RemoveNode{{"n2"}}, RemoveNode{{"n2"}}}}, "no such node"));
    CHECK(refuses(AddLink{Link{{"other"}, {"n3"}, {"gone"}, before.links.front().type}, 0}, "no such node"));
}

TEST_CASE("edits have readable names") {
    const auto scenario = preset("glitches/a100-7u280");
    CHECK(describe(scenario, SetQuantity{"nodes.fpga.count", {3.0, Provenance::User, ""}}) ==
          "Set Alveo U280 count to 3");
    CHECK(describe(scenario,
                   SetQuantity{"nodes.gpu.device.memory_bandwidth_gbps", {2e12, Provenance::User, ""}}) ==
          "Set A100 80GB memory bandwidth to 2000 GB/s");
    CHECK(describe(scenario, removeEdit(scenario, {{"host"}}, {})) == "Remove Host CPU");
    CHECK(describe(scenario, SetTechnique{"load_merging", false}) == "Switch off load merging");
}
