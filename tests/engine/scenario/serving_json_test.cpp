// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "tests/engine/fixtures.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kTrace = "arrival_s,prompt_tokens,output_tokens\n0,100,20\n1,200,30\n2,300,40\n";

/// A folder with a trace in it.
struct Traced : TemporaryFolder {
    std::string file = path() + "/t.csv";
    Traced() { writeFileAtomically(file, kTrace); }
};

Scenario poisson() {
    return presetWith("glitches/a100-7u280", {{"serving.arrivals", "poisson"},
                                              {"serving.batching", "continuous"},
                                              {"serving.requests", "1234"},
                                              {"serving.rate_req_s", "0.25"},
                                              {"serving.seed", "4294967295"},
                                              {"serving.chunk_tokens", "256"},
                                              {"serving.ttft_limit_s", "1.5"},
                                              {"serving.tpot_limit_s", "0.05"}});
}

} // namespace

TEST_CASE("serving json: everything survives saving and loading") {
    const Traced folder;
    const auto design = folder.path() + "/d.hscape";
    for (const auto& scenario :
         {preset("glitches/a100-7u280"), poisson(), with(poisson(), "serving.trace", folder.file),
          with(preset("glitches/8a100"), "serving.arrivals", "backlog")}) {
        saveScenario(scenario, design);
        const auto again = loadScenario(design, catalog());
        CHECK(again == scenario);
        CHECK(again.serving.trace.problem.empty());
        CHECK(scenarioText(again) == readFile(design));
    }
}

TEST_CASE("serving json: where nothing is said arrivals are steady; wrong ones are refused by key") {
    const auto json = writeScenario(poisson());
    auto silent = json;
    silent.erase("serving");
    CHECK(readScenario(silent, catalog(), "d").serving == Serving{});
    const auto message = [&](const std::string& pointer, const Json& value) {
        auto bad = json;
        bad[Json::json_pointer(pointer)] = value;
        return errorOf([&] { readScenario(bad, catalog(), "d"); });
    };
    const auto arrivals = message("/serving/arrivals", "sometimes");
    CHECK(arrivals.rfind("d.serving.arrivals: ", 0) == 0);
    CHECK(arrivals.find("\"sometimes\"") != std::string::npos);
    CHECK(arrivals.find("steady, backlog, poisson, trace") != std::string::npos);
    CHECK(message("/serving/batching", "now").find("static, continuous") != std::string::npos);
    CHECK(message("/serving/requests", 0).rfind("d.serving.requests: 0 is not allowed", 0) == 0);
    CHECK(message("/serving/requests", 1.5).rfind("d.serving.requests: 1.5 is not allowed", 0) == 0);
    CHECK(message("/serving/rate_req_s", -1).rfind("d.serving.rate_req_s: -1 is not allowed", 0) == 0);
    CHECK(message("/serving/seed", 4294967296.0).rfind("d.serving.seed: 4294967296 is not allowed", 0) == 0);
    CHECK(message("/serving/speed", 1).rfind("d.serving.speed: unknown key", 0) == 0);
    CHECK(message("/serving", 1).rfind("d.serving: expected an object", 0) == 0);
    CHECK(message("/serving/trace", 1).rfind("d.serving.trace", 0) == 0);
}

TEST_CASE("serving json: a design carries its trace") {
    const Traced folder;
    const auto design = folder.path() + "/d.hscape";
    const auto scenario = with(preset("glitches/a100-7u280"), "serving.trace", folder.file);
    saveScenario(scenario, design);
    std::filesystem::remove(folder.file);
    const auto opened = loadScenario(design, catalog());
    REQUIRE(opened.serving.trace.requests);
    CHECK(opened.serving.trace.requests->requests == scenario.serving.trace.requests->requests);
    CHECK(opened == scenario);
    CHECK(scenarioKey(opened) == scenarioKey(scenario));
    CHECK(scenarioText(opened) == scenarioText(scenario));

    auto json = writeScenario(scenario);
    json["serving"]["trace"]["csv"] = "garbage\n";
    CHECK(errorOf([&] { readScenario(json, catalog(), "d"); }).find("d.serving.trace.csv:1") == 0);
    json["serving"]["trace"]["csv"] = 7;
    CHECK(errorOf([&] { readScenario(json, catalog(), "d"); }).find("d.serving.trace.csv") == 0);
}

TEST_CASE("serving json: a design that only names its trace opens without it, and says so") {
    const Traced folder;
    const auto design = folder.path() + "/d.hscape";
    const auto scenario = with(preset("glitches/a100-7u280"), "serving.trace", folder.file);
    CHECK(scenario.serving.arrivals == arrivalsNamed("trace"));
    CHECK(scenario.serving["requests"].value == 3.0);
    CHECK_FALSE(hasErrors(validate(scenario)));
    auto json = writeScenario(scenario);
    json["serving"]["trace"] = folder.file;
    writeFileAtomically(design, json.dump());

    std::filesystem::remove(folder.file);
    const auto opened = loadScenario(design, catalog());
    CHECK(opened.serving.trace.path == folder.file);
    CHECK_FALSE(opened.serving.trace.requests);
    CHECK(opened.serving.trace.problem.find("no such file") != std::string::npos);
    const auto problems = validate(opened);
    CHECK(hasErrors(problems));
    CHECK(std::any_of(problems.begin(), problems.end(), [&](const Diagnostic& one) {
        return one.subject == "serving.trace" && one.message.find(folder.file) != std::string::npos;
    }));
    CHECK(writeScenario(opened) == json); // nothing is lost by opening and saving it

    // Where the design was moved together with its trace, the bare name beside it is found.
    std::filesystem::create_directory(folder.path() + "/moved");
    std::filesystem::rename(design, folder.path() + "/moved/d.hscape");
    writeFileAtomically(folder.path() + "/moved/t.csv", kTrace);
    const auto moved = loadScenario(folder.path() + "/moved/d.hscape", catalog());
    REQUIRE(moved.serving.trace.requests);
    CHECK(scenarioKey(moved) == scenarioKey(scenario));

    writeFileAtomically(folder.path() + "/moved/t.csv", "garbage\n");
    const auto garbage = loadScenario(folder.path() + "/moved/d.hscape", catalog());
    CHECK(garbage.serving.trace.problem.find("t.csv:1") != std::string::npos);
    CHECK(hasErrors(validate(garbage)));
}

TEST_CASE("serving json: a design opens no file outside its own folder until its user allows it") {
    const TemporaryFolder elsewhere;
    const Traced folder;
    const auto secret = elsewhere.path() + "/secret.csv";
    writeFileAtomically(secret, kTrace);
    std::filesystem::create_symlink(secret, folder.path() + "/link.csv");
    const auto design = folder.path() + "/d.hscape";
    auto json = writeScenario(with(preset("glitches/a100-7u280"), "serving.trace", folder.file));
    const auto opened = [&](const std::string& path) {
        json["serving"]["trace"] = path;
        writeFileAtomically(design, json.dump());
        return loadScenario(design, catalog());
    };
    const auto up = "../" + std::filesystem::path(elsewhere.path()).filename().string() + "/secret.csv";
    for (const std::string& path : {secret, up, std::string("link.csv"), std::string("/dev/stdin")}) {
        CAPTURE(path);
        auto scenario = opened(path);
        CHECK_FALSE(scenario.serving.trace.requests);
        CHECK(scenario.serving.trace.isOutside);
        CHECK(scenario.serving.trace.path == path);
        CHECK(hasErrors(validate(scenario)));
        if (path.starts_with("/dev"))
            continue;
        loadTrace(scenario.serving, folder.path(), TraceRights::Anywhere);
        CHECK(scenario.serving.trace.requests);
        CHECK_FALSE(scenario.serving.trace.isOutside);
    }
    for (const std::string& path : {folder.file, std::string("t.csv"), std::string("./x/../t.csv")}) {
        CAPTURE(path);
        CHECK(opened(path).serving.trace.requests);
    }
}

TEST_CASE("serving json: a trace that is no regular file is refused at once") {
    const Traced folder;
    const auto pipe = folder.path() + "/pipe.csv";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::filesystem::create_directory(folder.path() + "/folder.csv");
    std::filesystem::create_symlink("circle.csv", folder.path() + "/circle.csv");
    auto serving = preset("glitches/a100-7u280").serving;
    const auto problem = [&](const std::string& name) {
        serving.trace = {name, nullptr, {}};
        loadTrace(serving, folder.path());
        CHECK_FALSE(serving.trace.requests);
        return serving.trace.problem;
    };
    CHECK(problem("pipe.csv").find("not a regular file") != std::string::npos);
    CHECK(problem("folder.csv").find("not a regular file") != std::string::npos);
    CHECK(problem("none.csv").find("no such file") != std::string::npos);
    CHECK(problem("circle.csv").find("circle.csv") != std::string::npos);
    writeFileAtomically(folder.path() + "/private.csv", "root:x:0:0:the first line of a file\n");
    const auto message = problem("private.csv");
    CHECK(message.find("private.csv:1") != std::string::npos);
    CHECK(message.find("root:x") == std::string::npos);
}

TEST_CASE("serving edits: by path, refused by path, taken back exactly") {
    const Traced folder;
    const auto base = poisson();
    for (const auto& [path, text] :
         std::vector<std::pair<std::string, std::string>>{{"serving.arrivals", "backlog"},
                                                          {"serving.arrivals", "steady"},
                                                          {"serving.batching", "static"},
                                                          {"serving.requests", "7"},
                                                          {"serving.rate_req_s", "3.5"},
                                                          {"serving.seed", "0"},
                                                          {"serving.chunk_tokens", "none"},
                                                          {"serving.ttft_limit_s", "none"},
                                                          {"serving.tpot_limit_s", "0.5"},
                                                          {"serving.trace", folder.file},
                                                          {"techniques.disaggregation.stage", "3"},
                                                          {"techniques.gpu_assist.preempt", "false"}}) {
        CAPTURE(path);
        auto scenario = base;
        const auto inverse = applyEdit(scenario, setEdit(base, catalog(), path, text));
        CHECK_FALSE(scenario == base);
        const auto redo = applyEdit(scenario, inverse);
        CHECK(scenario == base);
        CHECK(scenario.serving.trace.requests == base.serving.trace.requests);
        applyEdit(scenario, redo);
        CHECK_FALSE(scenario == base);
    }
    CHECK(errorOf([&] {
              setEdit(base, catalog(), "serving.trace", folder.path() + "/none.csv");
          }).find("none.csv") != std::string::npos);
    // Without its trace, arrivals that were one are steady again.
    const auto traced = with(base, "serving.trace", folder.file);
    CHECK(with(traced, "serving.trace", "none").serving.arrivals == arrivalsNamed("steady"));
    CHECK(with(base, "serving.trace", "none").serving.arrivals == arrivalsNamed("poisson"));
}

TEST_CASE("serving key: covers what is simulated and nothing else") {
    const Traced folder;
    const auto steady = preset("glitches/a100-7u280");
    for (const auto& [path, text] :
         std::vector<std::pair<std::string, std::string>>{{"serving.rate_req_s", "9"},
                                                          {"serving.requests", "9"},
                                                          {"serving.seed", "9"},
                                                          {"serving.batching", "continuous"}}) {
        CAPTURE(path);
        CHECK(scenarioKey(with(steady, path, text)) == scenarioKey(steady));
        const auto base = with(steady, "serving.arrivals", "poisson");
        CHECK(scenarioKey(base) != scenarioKey(steady));
        CHECK(scenarioKey(with(base, path, text)) != scenarioKey(base));
    }
    CHECK(scenarioKey(with(steady, "techniques.disaggregation.stage", "3")) != scenarioKey(steady));
    const auto traced = with(steady, "serving.trace", folder.file);
    const auto copy = folder.path() + "/copy.csv", other = folder.path() + "/other.csv";
    writeFileAtomically(copy, kTrace);
    writeFileAtomically(other, kTrace.substr(0, kTrace.size() - 3) + "1\n");
    CHECK(scenarioKey(with(steady, "serving.trace", copy)) == scenarioKey(traced));
    CHECK(scenarioKey(with(steady, "serving.trace", other)) != scenarioKey(traced));
}
