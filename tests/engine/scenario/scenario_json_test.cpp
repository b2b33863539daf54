// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/scenario_json.h"

#include "engine/base/file.h"
#include "engine/claims/claims.h"
#include "tests/engine/fixtures.h"
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("every preset survives saving and loading, byte for byte") {
    const TemporaryFolder folder;
    for (const auto& info : listPresets(catalog())) {
        const auto scenario = preset(info.id);
        const auto path = folder.path() + "/design.hscape";
        saveScenario(scenario, path);
        const auto again = loadScenario(path, catalog());
        CHECK(again == scenario);
        CHECK(scenarioText(again) == readFile(path));
    }
}

TEST_CASE("a saved design needs no catalogue") {
    const auto scenario = preset("glitches/a100-7u280");
    const Catalog empty;
    CHECK(readScenario(parseJson(scenarioText(scenario), "f"), empty, "f") == scenario);
}

TEST_CASE("bad designs are refused by key") {
    const auto good = writeScenario(preset("glitches/a100-7u280"));
    const auto message = [&](const std::string& pointer, const Json& value) {
        auto bad = good;
        bad[Json::json_pointer(pointer)] = value;
        return errorOf([&] { readScenario(bad, catalog(), "d"); });
    };
    CHECK(message("/nodes/2/count", -3)
              .find("d.nodes[2].count: -3 is not allowed. Give a whole number from 1") == 0);
    CHECK(message("/nodes/2/count", "seven").find("d.nodes[2].count: expected a number, found a string") ==
          0);
    CHECK(message("/nodes/2/count", 1e300).find("d.nodes[2].count") == 0);
    CHECK(message("/nodes/2/device", "u281").find("d.nodes[2].device: unknown device \"u281\"") == 0);
    CHECK(message("/nodes/2/role", "cook").find("Allowed: both, prefill, decode, fabric") !=
          std::string::npos);
    CHECK(message("/nodes/2/id", "gpu").find("\"gpu\" is used twice") != std::string::npos);
    CHECK(message("/nodes/2/x", 1e300).find("not a coordinate") != std::string::npos);
    CHECK(message("/links/0/to", "nobody").find("d.links[0]: no node \"nobody\"") == 0);
    CHECK(message("/links/0/to", "gpu").find("to itself") != std::string::npos);
    CHECK(message("/techniques/load_merging/ratio", 0)
              .find("d.techniques.load_merging.ratio: 0 is not allowed") == 0);
    CHECK(message("/techniques/teleport", Json::object()).find("d.techniques.teleport: unknown key") == 0);
    CHECK(message("/model/kv_heads", 0).find("d.model.kv_heads: 0 is not allowed") == 0);
    auto before = good; // format 1 under its number of before
    before["formatVersion"] = 7;
    CHECK(readScenario(before, catalog(), "d") == readScenario(good, catalog(), "d"));
    CHECK(message("/formatVersion", kScenarioFormatVersion + 1).find("newer than this program knows") !=
          std::string::npos);
    CHECK(message("/formatVersion", "1").find("d.formatVersion") == 0);
    CHECK(message("/format", "something").find("d.format") == 0);
    CHECK(message("/nodes", Json::object()).find("expected an array") != std::string::npos);
    CHECK(message("/nodes/0", nullptr).find("d.nodes[0]: expected an object, found null") == 0);
}

TEST_CASE("no truncation of a design is accepted or crashes") {
    const auto text = scenarioText(preset("glitches/a100-7u280"));
    for (std::size_t length = 0; length + 2 < text.size(); length += 97)
        CHECK_THROWS_AS(readScenario(parseJson(text.substr(0, length), "cut"), catalog(), "cut"), Error);
}
