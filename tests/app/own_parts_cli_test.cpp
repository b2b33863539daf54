// SPDX-License-Identifier: GPL-3.0-or-later
// Designs and parts of the user's own on axes, frontiers and in tables; what ideal figures are marked with.
#include "engine/base/file.h"
#include "engine/claims/claims.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "engine/store/sqlite.h"
#include "tests/app/run_cli.h"

#include <cstdlib>
#include <filesystem>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr const char* kBase = "glitches/a100-7u280";

/// A folder with a design and a device of somebody's own, and a store.
struct Desk {
    TemporaryFolder folder;
    Desk() {
        auto design = loadPreset(catalog(), kBase, "test");
        design.name = "Three FPGAs";
        applyEdit(design, setEdit(design, catalog(), "nodes.fpga.count", "3"));
        design.own.devices.push_back(device("fpga-of-the-design", 2.0));
        saveScenario(design, file("mine.hscape"));
        writeFileAtomically(file("mine.json"), writeDevice(device("my-fpga", 3.0)).dump());
    }
    std::string file(const std::string& name) const { return folder.path() + "/" + name; }
    std::string db() const { return file("s.sqlite"); }

    static Device device(const std::string& id, double faster) {
        auto device = catalog().device("u280", "test");
        device.id = device.name = id;
        device.memoryBandwidth.value *= faster;
        return device;
    }
};

/// A metric as evaluate tells it.
double evaluated(const std::string& design, const std::vector<std::string>& settings, const char* metric) {
    std::vector<std::string> arguments{"evaluate", design, "--json"};
    for (const auto& setting : settings)
        arguments.insert(arguments.end(), {"--set", setting});
    const auto answer = cli(arguments);
    CAPTURE(answer.err);
    REQUIRE(answer.exitCode == 0);
    return answer.json().at(metric).get<double>();
}

} // namespace

TEST_CASE("an axis takes designs of one's own, and their points stay open") {
    const Desk desk;
    const auto mine = desk.file("mine.hscape");
    const std::vector<std::string> sweep{
        "sweep", kBase, "--db", desk.db(), "--json", "--axis", "system=glitches/8a100," + mine};
    const auto answer = cli(sweep);
    CAPTURE(answer.err);
    REQUIRE(answer.exitCode == 0);
    const auto rows = answer.json().at("rows");
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].at("system") == mine);
    CHECK(rows[1].at("throughput_tok_s") == evaluated(mine, {}, "throughput_tok_s"));
    CHECK(rows[0].at("throughput_tok_s") != rows[1].at("throughput_tok_s"));
    CHECK(contains(cli(sweep).err, "0 computed"));
    REQUIRE(cli({"export", desk.db(), "--out", desk.file("points.csv")}).exitCode == 0);
    CHECK(contains(readFile(desk.file("points.csv")), mine + ",1,"));

    // Another design in that file is another study.
    auto design = loadScenario(mine, catalog());
    applyEdit(design, setEdit(design, catalog(), "nodes.fpga.count", "5"));
    saveScenario(design, mine);
    CHECK(cli(sweep).json().at("rows")[1].at("throughput_tok_s") == evaluated(mine, {}, "throughput_tok_s"));
    std::filesystem::remove(mine);
    const auto gone = cli(sweep);
    CHECK(gone.exitCode == 1);
    CHECK(contains(gone.err, mine));
    CHECK(contains(cli({"sweep", kBase, "--db", desk.db(), "--axis", "system=none"}).err, "FILE.hscape"));
}

TEST_CASE("an axis takes devices from files, of the open design and of the user's library") {
    const Desk desk;
    const auto mine = desk.file("mine.hscape");
    const auto found = cli({"find", mine, "--json", "--max", "throughput_tok_s", "--axis",
                            "nodes.fpga.device=u280,fpga-of-the-design," + desk.file("mine.json")});
    CAPTURE(found.err);
    REQUIRE(found.exitCode == 0);
    const auto best = found.json().at("best").at("max throughput_tok_s");
    REQUIRE(best.size() == 3);
    CHECK(best[0].at("nodes.fpga.device") == desk.file("mine.json"));
    CHECK(best[1].at("nodes.fpga.device") == "fpga-of-the-design");
    CHECK(best[1].at("throughput_tok_s") ==
          evaluated(mine, {"nodes.fpga.device=fpga-of-the-design"}, "throughput_tok_s"));
    CHECK(contains(cli({"evaluate", kBase, "--set", "nodes.fpga.device=my-fpga"}).err, "FILE.json"));
    std::filesystem::create_directories(desk.file("heteroscape/library/devices"));
    std::filesystem::copy_file(desk.file("mine.json"), desk.file("heteroscape/library/devices/my-fpga.json"));
    const char* before = std::getenv("XDG_DATA_HOME");
    const std::string kept = before ? before : "";
    ::setenv("XDG_DATA_HOME", desk.folder.path().c_str(), 1);
    const double own = evaluated(kBase, {"nodes.fpga.device=my-fpga"}, "throughput_tok_s");
    const auto listed = cli({"list", "devices"});
    before ? ::setenv("XDG_DATA_HOME", kept.c_str(), 1) : ::unsetenv("XDG_DATA_HOME");
    CHECK(own == evaluated(kBase, {"nodes.fpga.device=" + desk.file("mine.json")}, "throughput_tok_s"));
    CHECK(contains(listed.out, "my-fpga"));
}

TEST_CASE("a frontier takes designs of one's own") {
    const Desk desk;
    writeFileAtomically(desk.file("frontier.json"),
                        R"({"id": "small", "name": "Small", "model": "llama2-7b", "prompt_tokens": 128,
        "output_tokens": 128, "users": [1], "systems": [{"name": "A100", "design": "glitches/8a100"}]})");
    const auto frontier = [&](const std::string& system) {
        return cli({"frontier", desk.file("frontier.json"), "--json", "--all", "--system", system});
    };
    const auto answer = frontier("Mine=" + desk.file("mine.hscape"));
    CAPTURE(answer.err);
    REQUIRE(answer.exitCode == 0);
    const auto points = answer.json().at("points");
    REQUIRE(points.size() == 2);
    CHECK(points[1].at("system") == "Mine");
    CHECK(points[1].at("output_tok_s_per_device").get<double>() > 0.0);
    CHECK(frontier(desk.file("mine.hscape")).json().at("points")[1].at("system") == "Three FPGAs");
    CHECK(contains(frontier("A100=" + desk.file("mine.hscape")).err, "of that name already"));
}

TEST_CASE("tables of find open in a spreadsheet as text, whatever parts are called") {
    const Desk desk;
    std::filesystem::copy_file(desk.file("mine.hscape"), desk.file("=cmd.hscape"));
    const auto found = cli({"find", kBase, "--axis", "system=" + desk.file("=cmd.hscape") + ",glitches/8a100",
                            "--max", "throughput_tok_s", "--csv", desk.file("f.csv")});
    CAPTURE(found.err);
    REQUIRE(found.exitCode == 0);
    const auto text = readFile(desk.file("f.csv"));
    for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1))
        CHECK_MESSAGE((at > 0 && text[at - 1] != '\n' && text[at - 1] != ','), text);
}

TEST_CASE("find shows the best as text, sweep metrics of nodes") {
    const Desk desk;
    const std::vector<std::string> axis{"--axis", "nodes.fpga.count=1:7"};
    const auto found = cli({"find", kBase, axis[0], axis[1], "--max", "throughput_tok_s", "--best", "3"});
    const auto at = found.out.find("Best by max throughput_tok_s");
    REQUIRE(at != std::string::npos);
    const auto rows = found.out.substr(at);
    CHECK(std::count(rows.begin(), rows.end(), '\n') == 1 + 1 + 3); // title, head, three rows
    const auto swept = [&](const std::string& metric, const std::string& how) {
        return cli({"sweep", kBase, axis[0], axis[1], "--db", desk.db(), "--metric", metric, how});
    };
    const auto json = swept("nodes.fpga.decode_ms", "--json").json();
    REQUIRE(json.at("rows").size() == 7);
    const auto alone = cli({"evaluate", kBase, "--set", "nodes.fpga.count=2", "--json"}).json();
    CHECK(json.at("rows")[1].at("nodes.fpga.decode_ms") == alone.at("nodes").at("fpga").at("decode_ms"));
    CHECK_FALSE(json.at("rows")[1].contains("throughput_tok_s"));
    REQUIRE(swept("nodes.fpga.decode_ms", "--csv=" + desk.file("n.csv")).exitCode == 0);
    CHECK(readFile(desk.file("n.csv")).starts_with("nodes.fpga.count,feasible,nodes.fpga.decode_ms,"));
    const auto wrong = swept("nodes.fpga.magic", "--json");
    CHECK(wrong.exitCode == 1);
    CHECK(contains(wrong.err, "decode_ms"));
    CHECK(contains(swept("magic", "--json").err, "nodes.gpu.decode_ms"));
}

TEST_CASE("tables of ideal designs say so where they go") {
    const Desk desk;
    const std::vector<std::string> sweep{"sweep",  "served/gpt-oss-120b-h100",
                                         "--set",  "nodes.gpu.runtime=ideal",
                                         "--axis", "workload.batch=1,2",
                                         "--db",   desk.db(),
                                         "--name", "ideal ones",
                                         "--csv",  desk.file("t.csv")};
    const auto answer = cli(sweep);
    CAPTURE(answer.err);
    REQUIRE(answer.exitCode == 0);
    const auto csv = readFile(desk.file("t.csv"));
    CHECK(contains(csv, ",truth,bound,"));
    CHECK(contains(csv, ",ideal,"));
    REQUIRE(cli({"export", desk.db(), "--out", desk.file("t.sqlite")}).exitCode == 0);
    Database tables(desk.file("t.sqlite"));
    const auto table = tables.text("SELECT DISTINCT study_table FROM study_columns");
    CHECK(tables.number("SELECT count(*) FROM \"" + table + "\" WHERE truth = 'ideal'") == 2);
    CHECK(tables.number("SELECT count(*) FROM study_columns WHERE name = 'truth'") == 1);
}
