// SPDX-License-Identifier: GPL-3.0-or-later
// The real command line, given what nobody would give it: it answers, or says what is wrong, at once.
#include "engine/base/file.h"
#include "engine/claims/claims.h"
#include "engine/scenario/scenario_json.h"
#include "tests/app/spawn.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <random>
#include <sys/stat.h>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace fs = std::filesystem;

namespace {

#ifdef __SANITIZE_ADDRESS__ // all takes some ten times as long
constexpr double kMostSeconds = 50.0;
#else
constexpr double kMostSeconds = 5.0;
#endif
constexpr std::chrono::seconds kPatience{static_cast<int>(4 * kMostSeconds)};
constexpr double kMostMebibytes = 1024.0;

class Cli {
public:
    Ended run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), CLI_PATH);
        return spawn(
            arguments,
            {{"HETEROSCAPE_PRESETS", heteroscape::places::kPresetsFolder}, {"XDG_DATA_HOME", m_home.path()}},
            m_folder.path(), kPatience);
    }
    std::string file(const std::string& name) const { return m_folder.path() + "/" + name; }
    std::string write(const std::string& name, const std::string& text) const {
        writeFileAtomically(file(name), text);
        return file(name);
    }

private:
    TemporaryFolder m_folder;
    TemporaryFolder m_home;
};

void checkAnswer(const Ended& ended) {
    CAPTURE(ended.err);
    CAPTURE(ended.seconds);
    CHECK_FALSE(ended.hung);
    CHECK(ended.signal == 0);
    CHECK((ended.exitCode >= 0 && ended.exitCode <= 2));
    CHECK(ended.seconds < kMostSeconds);
    CHECK(ended.mebibytes < kMostMebibytes);
    CHECK((ended.exitCode == 0 || !ended.err.empty()));
}

std::string mutated(std::string text, std::mt19937& random) {
    const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
    static const std::string kPieces[] = {
        "",     "0",   "-1",   "1e999", "nan", "\"",   "{",    "}",    "[]",     "null",
        "true", "..",  "/",    "=",     ",",   "*",    "\x1b", "\xff", "1:9:0",  "'",
        "9e18", "1:0", "lin5", "log7",  "{}",  "%s%n", " ",    "\n",   "models", ":memory:"};
    for (auto times = 1 + below(3); times > 0; --times) {
        const auto at = below(text.size() + 1);
        switch (below(4)) {
        case 0:
            text.insert(at, kPieces[below(std::size(kPieces))]);
            break;
        case 1:
            text.erase(at, 1 + below(8));
            break;
        case 2:
            text.insert(at, text.substr(at, 1 + below(20)));
            break;
        default:
            if (at < text.size())
                text[at] = static_cast<char>(1 + below(255)); // no zero: an argument ends there
        }
    }
    return text;
}

} // namespace

TEST_CASE("hostile: 1,000 random command lines") {
    const Cli cli;
    std::mt19937 random(161);
    const std::vector<std::string> seeds[] = {
        {"evaluate", "glitches/a100-7u280", "--set", "nodes.fpga.count=3", "--explain", "ttft_s"},
        {"evaluate", "inf2/opt-30b-a100-uvm", "--set", "workload.batch=4", "--json", "--operators"},
        {"simulate", "glitches/a100-7u280", "--arrivals", "poisson", "--rate", "0.5", "--requests", "50",
         "--seed", "3"},
        {"sweep", "glitches/8u280", "--axis", "workload.batch=1,2,4", "--axis", "nodes.fpga.count=1:4",
         "--metric", "ttft_s", "--db", cli.file("s.sqlite"), "--csv", cli.file("t.csv")},
        {"compare", "glitches", "--json"},
        {"show", "preset", "preserve/llama3-70b-4npu-measured"},
        {"list", "studies", "--db", cli.file("s.sqlite")},
        {"import", "model", std::string(heteroscape::places::kTestData) + "/hugging_face/llama-3-8b.json",
         "--id", "own", "--name", "Own"},
    };
    for (int i = 0; i < rounds(1000); ++i) {
        auto arguments = seeds[random() % std::size(seeds)];
        for (auto times = 1 + random() % 2; times > 0; --times) {
            auto& argument = arguments[random() % arguments.size()];
            argument = mutated(argument, random).substr(0, 2000);
            argument.erase(std::remove(argument.begin(), argument.end(), '\0'), argument.end());
            if (argument.find('/') == 0 && argument.find(cli.file("")) != 0)
                argument.erase(0, 1); // nothing is written outside
        }
        std::string line;
        for (const auto& argument : arguments)
            line += argument + ' ';
        CAPTURE(line);
        checkAnswer(cli.run(arguments));
    }
}

TEST_CASE("hostile: 1,000 random files") {
    const Cli cli;
    std::mt19937 random(162);
    const auto shipped = [](const char* id) {
        return readFile(std::string(heteroscape::places::kPresetsFolder) + "/papers/" + id + ".json");
    };
    const auto saved = scenarioText(preset("glitches/a100-7u280"));
    const std::string designs[] = {saved, shipped("glitches/a100-7u280"), shipped("inf2/opt-30b-a100-uvm")};
    const auto config =
        readFile(std::string(heteroscape::places::kTestData) + "/hugging_face/llama-3-8b.json");
    const auto device =
        readFile(std::string(heteroscape::places::kPresetsFolder) + "/devices/a100-80gb.json");
    const std::string trace = "arrival_s,prompt_tokens,output_tokens\n0,100,20\n1.5,200,30\n2,300,40\n";
    for (int i = 0; i < rounds(1000); ++i) {
        switch (random() % 5) {
        case 0:
            checkAnswer(cli.run({"evaluate", cli.write("d.hscape", mutated(designs[random() % 3], random))}));
            break;
        case 1:
            checkAnswer(cli.run({"simulate", cli.write("d.hscape", mutated(designs[random() % 3], random)),
                                 "--trace", cli.write("t.csv", mutated(trace, random))}));
            break;
        case 2:
            checkAnswer(cli.run({"import", "model", cli.write("config.json", mutated(config, random))}));
            break;
        case 3:
            checkAnswer(cli.run({"import", "device", cli.write("device.json", mutated(device, random))}));
            break;
        default:
            checkAnswer(cli.run({"sweep", cli.write("d.hscape", mutated(designs[random() % 3], random)),
                                 "--axis", "workload.batch=1:4", "--db", cli.file("s.sqlite")}));
        }
    }
}

TEST_CASE("hostile: large, deep and repeated input is told at once") {
    const Cli cli;
    std::string numbers = "[0";
    while (numbers.size() < (63u << 20))
        numbers += ",0";
    std::string objects = "{\"nodes\": [{}";
    while (objects.size() < 900'000)
        objects += ",{}";
    for (const auto& text : {numbers + "]", objects + "]}", std::string(63u << 20, '['),
                             std::string(63u << 20, ' '), "\"" + std::string(63u << 20, 'x') + "\""}) {
        const auto path = cli.write("d.hscape", text);
        const auto ended = cli.run({"evaluate", path});
        checkAnswer(ended);
        CHECK(ended.exitCode == 1);
        CHECK(ended.err.find(path) != std::string::npos);
    }
}

TEST_CASE("hostile: a design at its limits is answered") {
    const Cli cli;
    auto json = parseJson(
        readFile(std::string(heteroscape::places::kPresetsFolder) + "/papers/glitches/a100-7u280.json"),
        "preset");
    auto node = json["nodes"][0];
    auto link = json["links"][0];
    const auto many = [&](std::size_t nodes, std::size_t links) {
        json["nodes"] = Json::array();
        json["links"] = Json::array();
        for (std::size_t i = 0; i < nodes; ++i) {
            node["id"] = "n" + std::to_string(i);
            json["nodes"].push_back(node);
        }
        for (std::size_t i = 0; i < links; ++i) {
            link["id"] = "l" + std::to_string(i);
            link["from"] = "n" + std::to_string(i % nodes);
            link["to"] = "n" + std::to_string((i + 1 + i / nodes) % nodes);
            json["links"].push_back(link);
        }
        return cli.write("large.hscape", json.dump());
    };
    const auto ended = cli.run({"evaluate", many(10'000, 50'000), "--json"});
    checkAnswer(ended);
    CHECK(cli.run({"evaluate", many(10'001, 0)}).err.find("nodes: more than 10,000") != std::string::npos);
    CHECK(cli.run({"evaluate", many(2, 50'001)}).err.find("links: more than 50,000") != std::string::npos);
}

TEST_CASE("hostile: a large table is written and printed by pieces") {
    const Cli cli;
    const auto ended = cli.run({"sweep", "glitches/a100-7u280", "--axis", "workload.prompt_tokens=16:1015",
                                "--axis", "workload.output_tokens=16:115", "--jobs", "2", "--db",
                                cli.file("s.sqlite"), "--csv", cli.file("t.csv")});
    checkAnswer(ended);
    CHECK(ended.exitCode == 0);
    CHECK(ended.out.find("99800 more rows") != std::string::npos);
#ifndef __SANITIZE_ADDRESS__        // which keeps what is given back
    CHECK(ended.mebibytes < 100.0); // all columns at once and their text take 170
#endif
}

TEST_CASE("hostile: what is no file does not hold anybody up") {
    const Cli cli;
    const auto pipe = cli.file("pipe.hscape");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    fs::create_symlink("circle.hscape", cli.file("circle.hscape"));
    for (const auto& path : {pipe, cli.file("circle.hscape"), std::string("/dev/zero"), std::string("/"),
                             cli.file("none.hscape")}) {
        const auto named = path.ends_with(".hscape") ? path : path + ".hscape";
        const auto ended = cli.run({"import", "device", path});
        checkAnswer(ended);
        CHECK(ended.err.find(path) != std::string::npos);
        checkAnswer(cli.run({"evaluate", named}));
        checkAnswer(cli.run({"simulate", "glitches/a100-7u280", "--trace", path}));
    }
    for (const auto* db : {":memory:", "file::memory:", "file:x?mode=memory", ""}) {
        const auto ended = cli.run({"sweep", "glitches/8u280", "--axis", "workload.batch=1:4", "--db", db});
        if (*db != '\0') { // empty: the user's own store
            CHECK(ended.exitCode == 1);
            CHECK(ended.err.find("not the path of a file") != std::string::npos);
        }
    }
}
