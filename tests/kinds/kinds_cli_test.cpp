// SPDX-License-Identifier: GPL-3.0-or-later
// A command line that only links the files of some toys shows, evaluates, explains and sweeps them.
#include "engine/base/file.h"
#include "engine/scenario/scenario_json.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"

#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A design whose GPU decodes by the toy timing model, as a file.
std::string design(const TemporaryFolder& folder) {
    auto json = writeScenario(preset("preserve/llama3-70b-8h100"));
    for (auto& node : json["nodes"])
        if (node.contains("runtime")) {
            node["runtime"]["timing"]["decode"] = {{"model", "toy_even"}, {"each_us", 7}};
            node["device"]["clock_mhz"] = 1000;
        }
    const auto path = folder.path() + "/toy.hscape";
    writeFileAtomically(path, json.dump());
    return path;
}

} // namespace

TEST_CASE("toys appear in show, evaluate, explain and sweep") {
    const TemporaryFolder folder;
    const auto path = design(folder);
    const auto shown = cli({"show", "preset", "glitches/a100-7u280"});
    REQUIRE(shown.exitCode == 0);
    for (const auto* word : {"techniques.toy_weight_reuse.kept", "serving.burst", "bursts",
                             "nodes.fpga.runtime.toy_refill.cache_us"}) {
        CAPTURE(word);
        CHECK(contains(shown.out, word));
    }

    const auto slow = cli({"evaluate", path, "--set", "nodes.gpu.timing.decode.each_us=14", "--json"});
    REQUIRE(slow.exitCode == 0);
    const auto fast = cli({"evaluate", path, "--json"});
    REQUIRE(fast.exitCode == 0);
    CHECK(slow.json().at("tpot_s") > fast.json().at("tpot_s"));
    const auto explained = cli({"evaluate", path, "--explain", "tpot_s"});
    REQUIRE(explained.exitCode == 0);
    CHECK(contains(explained.out, "kernel launches"));

    const auto swept = cli({"sweep", path, "--axis", "nodes.gpu.timing.decode.each_us=1,2,4", "--axis",
                            "techniques.toy_weight_reuse.enabled=*", "--db", folder.path() + "/toy.sqlite",
                            "--csv", folder.path() + "/toy.csv"});
    CAPTURE(swept.err);
    REQUIRE(swept.exitCode == 0);
    CHECK(contains(readFile(folder.path() + "/toy.csv"), "each_us"));

    const auto bursts = cli({"simulate", "glitches/a100-7u280", "--set", "serving.arrivals=bursts", "--set",
                             "serving.requests=20", "--set", "serving.period_s=50"});
    CAPTURE(bursts.err);
    CHECK(bursts.exitCode == 0);

    const auto unknown = cli({"evaluate", path, "--set", "nodes.gpu.timing.decode.each_s=1"});
    CHECK(unknown.exitCode == 1);
    CHECK(contains(unknown.err, "each_us"));
}
