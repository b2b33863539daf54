// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/clip.h"

#include "tests/engine/fixtures.h"

#include <algorithm>
#include <random>
#include <set>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

std::vector<NodeId> idsOf(const Scenario& scenario) {
    std::vector<NodeId> ids;
    for (const auto& node : scenario.nodes)
        ids.push_back(node.id);
    return ids;
}

} // namespace

TEST_CASE("What is copied holds the nodes and only the links among them") {
    const auto scenario = preset("glitches/a100-7u280");
    const auto whole = clipOf(scenario, idsOf(scenario));
    CHECK(whole.nodes == scenario.nodes);
    CHECK(whole.links == scenario.links);
    const auto& link = scenario.links.front();
    const auto half = clipOf(scenario, {link.to, link.from, NodeId{"nobody"}});
    CHECK(half.nodes.size() == 2);
    REQUIRE(half.links.size() == 1);
    CHECK(half.links.front() == link);
    CHECK(clipOf(scenario, {link.from}).links.empty());
}

TEST_CASE("A clip comes back from its text with every value") {
    for (const auto* id : {"glitches/a100-7u280", "preserve/llama3-405b-32", "inf2/opt-30b-a100-16csd"}) {
        const auto scenario = preset(id);
        const auto clip = readClip(writeClip(scenario, idsOf(scenario)), "clipboard");
        CHECK(clip.nodes == scenario.nodes);
        CHECK(clip.links == scenario.links);
    }
}

TEST_CASE("Pasting gives fresh ids, keeps links and values, and is taken back exactly") {
    const auto source = preset("glitches/a100-7u280");
    const auto text = writeClip(source, idsOf(source));
    auto scenario = source;
    for (int round = 1; round <= 3; ++round) {
        const auto before = scenario;
        std::vector<NodeId> pasted;
        const auto edit = pasteEdit(scenario, text, {24.0 * round, 40.0}, pasted);
        const auto inverse = applyEdit(scenario, edit);
        REQUIRE(pasted.size() == source.nodes.size());
        CHECK(scenario.nodes.size() == before.nodes.size() + source.nodes.size());
        CHECK(scenario.links.size() == before.links.size() + source.links.size());
        for (std::size_t i = 0; i < pasted.size(); ++i) {
            auto copy = *scenario.findNode(pasted[i]);
            CHECK(copy.position.x == source.nodes[i].position.x + 24.0 * round);
            CHECK(copy.position.y == source.nodes[i].position.y + 40.0);
            copy.id = source.nodes[i].id;
            copy.position = source.nodes[i].position;
            CHECK(copy == source.nodes[i]);
        }
        for (std::size_t i = 0; i < source.links.size(); ++i) {
            const auto& link = scenario.links[before.links.size() + i];
            CHECK(std::count(pasted.begin(), pasted.end(), link.from) == 1);
            CHECK(std::count(pasted.begin(), pasted.end(), link.to) == 1);
            CHECK(link.type == source.links[i].type);
        }
        auto back = scenario;
        applyEdit(back, inverse);
        CHECK(back == before);
    }
    std::set<std::string> ids;
    for (const auto& node : scenario.nodes)
        ids.insert(node.id.value);
    CHECK(ids.size() == scenario.nodes.size());
}

TEST_CASE("Ids of copies count on from the stem of their original") {
    Scenario scenario;
    Node node;
    node.id.value = "gpu-7";
    scenario.nodes.push_back(node);
    node.id.value = std::string(64, 'x');
    scenario.nodes.push_back(node);
    node.id.value = "77";
    scenario.nodes.push_back(node);
    std::vector<NodeId> pasted;
    auto edit = pasteEdit(scenario, clipOf(scenario, idsOf(scenario)), {}, pasted);
    CHECK(pasted[0].value == "gpu");
    CHECK(pasted[1].value == std::string(48, 'x'));
    CHECK(pasted[2].value == "77-2");
    applyEdit(scenario, edit);
    pasteEdit(scenario, clipOf(scenario, {NodeId{"gpu-7"}}), {}, pasted);
    CHECK(pasted[0].value == "gpu-2");
}

TEST_CASE("What is no clip is refused with its place") {
    const auto scenario = preset("glitches/a100-7u280");
    const auto text = writeClip(scenario, idsOf(scenario));
    const auto with = [&text](const std::string& old, const std::string& now) {
        auto changed = text;
        const auto at = changed.find(old);
        REQUIRE(at != std::string::npos);
        return changed.replace(at, old.size(), now);
    };
    const auto refusal = [](const std::string& bad) {
        return errorOf([&bad] { readClip(bad, "clipboard"); });
    };
    CHECK(refusal("").starts_with("clipboard"));
    CHECK(refusal("[]").starts_with("clipboard"));
    CHECK(refusal("hello").starts_with("clipboard"));
    CHECK(refusal(with("heteroscape-clip", "heteroscape-scenario")).starts_with("clipboard.format"));
    CHECK(
        refusal(with("\"formatVersion\": 1", "\"formatVersion\": 2")).starts_with("clipboard.formatVersion"));
    CHECK(refusal(with("\"links\": [", "\"wires\": [],\n\"links\": [")).find("wires") != std::string::npos);
    CHECK(refusal(with("\"x\": ", "\"x\": 1e9, \"y2\": ")).starts_with("clipboard.nodes[0]"));
    CHECK(refusal(R"({"format": "heteroscape-clip", "formatVersion": 1, "nodes": []})")
              .starts_with("clipboard.nodes"));
    // An id of the catalogue means nothing where there may be another catalogue.
    CHECK(refusal(R"({"format": "heteroscape-clip", "formatVersion": 1,
                      "nodes": [{"id": "a", "device": "a100-80gb", "role": "both"}]})")
              .starts_with("clipboard.nodes[0].device"));
}

TEST_CASE("No mutation of a clip does anything but be read or refused") {
    const auto scenario = preset("inf2/opt-30b-a100-16csd");
    const auto text = writeClip(scenario, idsOf(scenario));
    std::mt19937 random(7);
    const auto pick = [&random](std::size_t n) { return n == 0 ? 0 : random() % n; };
    const std::string bytes = "{}[]\",:0123456789.eE-+ntfx\\ \n\x00\xff";
    std::size_t read = 0;
    std::size_t refused = 0;
    for (int round = 0; round < rounds(4000); ++round) {
        auto mutated = text;
        for (auto changes = 1 + pick(3); changes > 0; --changes) {
            const auto at = pick(mutated.size());
            switch (pick(4)) {
            case 0:
                mutated[at] = bytes[pick(bytes.size())];
                break;
            case 1:
                mutated.erase(at, 1 + pick(40));
                break;
            case 2:
                mutated.insert(at, 1, bytes[pick(bytes.size())]);
                break;
            default: {
                const auto piece = mutated.substr(pick(mutated.size()), pick(200));
                mutated.insert(at, piece);
            }
            }
        }
        try {
            std::vector<NodeId> pasted;
            auto into = scenario;
            applyEdit(into, pasteEdit(into, mutated, {24, 24}, pasted));
            ++read;
            CHECK(into.nodes.size() == scenario.nodes.size() + pasted.size());
        } catch (const Error& error) {
            ++refused;
            CHECK_MESSAGE(error.where().starts_with("clipboard"), error.what());
        }
    }
    CHECK(read > 0); // digits of positions and quantities may change
    CHECK(refused > scaled(1000u));
}
