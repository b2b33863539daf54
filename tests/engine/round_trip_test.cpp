// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever can be loaded can be saved and opened again, and is the same then: every reader and its writer.
#include "engine/base/file.h"
#include "engine/catalog/hugging_face.h"
#include "engine/scenario/clip.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/random_edits.h"
#include "tests/places.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A text with some of its bytes changed, doubled or left out.
std::string mutated(std::string text, std::mt19937_64& random) {
    const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
    static constexpr std::string_view kBytes = "0123456789eE+-.,:\"{}[]\n TZ";
    for (auto times = 1 + below(4); times > 0 && !text.empty(); --times) {
        const auto at = below(text.size());
        const auto length = std::min(text.size() - at, 1 + below(12));
        switch (below(4)) {
        case 0:
            text[at] = kBytes[below(kBytes.size())];
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(at, text.substr(at, length));
            break;
        default:
            text.insert(at, 1, kBytes[below(kBytes.size())]);
        }
    }
    return text;
}

std::optional<RequestTrace> traceOf(const std::string& text) {
    try {
        std::istringstream in(text);
        return parseRequestTrace(in, "t");
    } catch (const Error&) {
        return std::nullopt;
    }
}

template <class Part>
void checkPart(const Part& part, Json (*write)(const Part&), Part (*read)(const Json&, const std::string&)) {
    CAPTURE(part.id);
    const auto again = read(parseJson(write(part).dump(), part.id), part.id);
    CHECK(again == part);
}

} // namespace

TEST_CASE("round trip: a trace that spans more than a design can hold is refused when it is loaded") {
    const auto text = [](const char* last) {
        return std::string("TIMESTAMP,ContextTokens,GeneratedTokens\n1970-01-01 00:00:00,1,1\n") + last +
               ",1,1\n";
    };
    CHECK(errorOf([&] {
              std::istringstream in(text("2100-01-01 00:00:00"));
              parseRequestTrace(in, "t.csv");
          }).find("t.csv:3: \"2100-01-01 00:00:00\" is more than 1e9 s") == 0);
    CHECK(traceOf(text("2001-09-09 01:46:39"))); // 1e9 s less one
    CHECK_FALSE(traceOf(text("2001-09-09 01:46:40.000001")));
}

TEST_CASE("round trip: every trace that is read is written and read again") {
    std::mt19937_64 random(20261);
    const std::string seeds[] = {
        "arrival_s,prompt_tokens,output_tokens\n0,100,20\n0.1,1,4194304\n1e-9,3,4\n999999999.5,7,1\n",
        "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.9799600,4808,10\n"
        "2023-11-16T18:17:04.0319600Z,3180,8\n2031-01-01 00:00:00,110,27\n",
    };
    int read = 0;
    for (int i = 0; i < rounds(20'000); ++i) {
        const auto trace = traceOf(mutated(seeds[i % 2], random));
        if (!trace)
            continue;
        ++read;
        const auto again = traceOf(traceText(*trace));
        REQUIRE(again);
        CHECK(again->requests == trace->requests);
    }
    CHECK(read > scaled(200));
}

TEST_CASE("round trip: every mutated config.json that is read is a model that is written and read again") {
    std::mt19937_64 random(20262);
    std::vector<std::string> seeds; // uniform, latent attention with formats, linear layers in a text_config
    for (const auto* name : {"llama-3-8b", "deepseek-v3.2", "qwen3.5-35b-a3b"})
        seeds.push_back(
            readFile(std::string(heteroscape::places::kTestData) + "/hugging_face/" + name + ".json"));
    int read = 0;
    for (int i = 0; i < rounds(6'000); ++i) {
        std::optional<Model> model;
        try {
            model = readModelText(mutated(seeds[static_cast<std::size_t>(i) % seeds.size()], random),
                                  "config.json");
        } catch (const Error&) {
        }
        if (!model)
            continue;
        ++read;
        checkPart<Model>(*model, writeModel, readModel);
    }
    CHECK(read > scaled(100));
}

TEST_CASE("round trip: every mutated design that is read is saved and opened again") {
    std::mt19937_64 random(20266);
    const TemporaryFolder folder;
    const auto file = folder.path() + "/d.hscape";
    const std::string seeds[] = {scenarioText(preset("glitches/a100-7u280")),
                                 scenarioText(preset("inf2/opt-175b-8a100"))};
    int read = 0;
    for (int i = 0; i < rounds(900); ++i) {
        std::optional<Scenario> scenario;
        try {
            scenario = readScenario(parseJson(mutated(seeds[i % 2], random), "d"), catalog(), "d");
        } catch (const Error&) {
        }
        if (!scenario)
            continue;
        ++read;
        CHECK_NOTHROW(saveScenario(*scenario, file));
        CHECK(loadScenario(file, catalog()) == *scenario);
    }
    CHECK(read > scaled(30));
}

TEST_CASE("round trip: what edits make is saved and opened again, and what could not be is refused") {
    RandomEdits edits(catalog(), 20264);
    for (const auto* id :
         {"glitches/a100-7u280", "inf2/llama2-7b-h100-16csd", "preserve/llama3-70b-4npu-measured"}) {
        auto scenario = preset(id);
        for (int i = 0; i < rounds(200); ++i) {
            try {
                applyEdit(scenario, edits.next(scenario));
            } catch (const Error&) { // it did not fit
            }
        }
        // By its text: an edit's number, in SI, may lie between two that its shown unit can say.
        const auto text = scenarioText(scenario);
        CHECK(scenarioText(readScenario(parseJson(text, id), Catalog{}, id)) == text);
    }
    auto scenario = preset("glitches/a100-7u280");
    const auto before = scenario;
    const std::string tooLong(5000, 'x');
    const auto refused = [&](const GraphEdit& edit, const std::string& where) {
        CHECK(errorOf([&] { applyEdit(scenario, edit); }).find(where + ": ") == 0);
        CHECK(scenario == before);
    };
    refused(RenameNode{{"fpga"}, tooLong}, "nodes.fpga.name");
    refused(SetDescription{tooLong, ""}, "name");
    refused(SetDescription{"", tooLong}, "about");
    refused(MoveNode{{"fpga"}, {2e7, 0}}, "nodes.fpga.x");
    refused(MoveNode{{"fpga"}, {0, 0.0 / 0.0}}, "nodes.fpga.y");
    SetSystem many{"many", {}, {}, scenario.techniques};
    many.nodes.assign(10'001, scenario.nodes.front());
    refused(many, "nodes");
}

TEST_CASE("round trip: every shipped part, design and clip") {
    for (const auto& device : catalog().devices)
        checkPart<Device>(device, writeDevice, readDevice);
    for (const auto& model : catalog().models)
        checkPart<Model>(model, writeModel, readModel);
    for (const auto& workload : catalog().workloads)
        checkPart<Workload>(workload, writeWorkload, readWorkload);
    const auto scenario = preset("inf2/llama2-7b-h100-16csd");
    std::vector<NodeId> all;
    for (const auto& node : scenario.nodes)
        all.push_back(node.id);
    const auto clip = readClip(writeClip(scenario, all), "clip");
    CHECK(clip.nodes == scenario.nodes);
    CHECK(clip.links == scenario.links);
}
