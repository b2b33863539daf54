// SPDX-License-Identifier: GPL-3.0-or-later
// find, seek, and shards of sweep and find, by the real program.
#include "engine/base/file.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::vector<std::string> kFind{"find",   "glitches/a100-7u280",
                                     "--axis", "nodes.fpga.count=1:12",
                                     "--axis", "workload.batch=1:4",
                                     "--max",  "throughput_tok_s",
                                     "--min",  "price_usd"};

std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

} // namespace

TEST_CASE("find tells the front, the best of each, and what cannot be met") {
    const auto found = cli(with(kFind, {"--json", "--limit", "price_usd<=60000"}));
    REQUIRE(found.exitCode == 0);
    const auto json = found.json();
    CHECK(json.at("points") == 48);
    CHECK(json.at("front").size() > 2);
    for (const auto& design : json.at("front"))
        CHECK(design.at("price_usd").get<double>() <= 60000);
    CHECK(json.at("best").at("max throughput_tok_s").size() == 10);
    CHECK(json.at("reached").at("min price_usd").at("nodes.fpga.count").front().at("value") == 1);
    const auto few = cli(with(kFind, {"--json", "--limit", "devices<=3"}));
    REQUIRE(few.exitCode == 0);
    CHECK(few.json().at("within_limits") == 8); // one or two FPGAs beside the GPU, four batches
    const auto unmet = cli(with(kFind, {"--limit", "price_usd<=1"}));
    CHECK(unmet.exitCode == 1);
    CHECK(contains(unmet.out, "price_usd<=1 cannot be met"));
    const auto bred = cli(with(kFind, {"--json", "--method", "evolutionary", "--evaluations", "30"}));
    REQUIRE(bred.exitCode == 0);
    CHECK(bred.json().at("points") == 30);
    CHECK(contains(cli(with(kFind, {"--method", "magic"})).err, "evolutionary"));
    CHECK(contains(cli({"find", "glitches/a100-7u280", "--max", "ttft_s"}).err, "--axis"));
    CHECK(contains(cli(with(kFind, {"--shard", "1/2"})).err, "--part"));
}

TEST_CASE("seek tells the value and what the next breaks") {
    const auto sought = cli(
        {"seek", "glitches/a100-7u280", "workload.batch", "--largest", "--limit", "latency_s<=30", "--json"});
    REQUIRE(sought.exitCode == 0);
    const auto json = sought.json();
    CHECK(json.at("next").get<double>() == json.at("value").get<double>() + 1);
    CHECK(json.at("metrics").at("latency_s").get<double>() <= 30);
    const auto none = cli({"seek", "glitches/a100-7u280", "workload.batch", "--limit", "latency_s<=1e-9"});
    CHECK(none.exitCode == 1);
    CHECK(contains(none.out, "No value meets the limits"));
}

TEST_CASE("shards of find and sweep merge to the bytes of one run") {
    const TemporaryFolder folder;
    const auto file = [&](const std::string& name) { return folder.path() + "/" + name; };
    const auto whole = cli(with(kFind, {"--json"}));
    std::vector<std::string> merge{"merge"};
    for (const std::string i : {"3", "1", "2"}) {
        REQUIRE(cli(with(kFind, {"--shard", i + "/3", "--part", file("part-" + i)})).exitCode == 0);
        merge.push_back(file("part-" + i));
    }
    std::filesystem::remove(file("part-2"));
    CHECK(cli(merge).exitCode == 1);
    REQUIRE(cli(with(kFind, {"--shard", "2/3", "--part", file("part-2")})).exitCode == 0);
    CHECK(cli(with(merge, {"--json"})).out == whole.out);
    const auto missing = cli({"merge", file("part-1"), file("part-3")});
    CHECK(missing.exitCode == 1);
    CHECK(contains(missing.err, "2/3"));

    const std::vector<std::string> sweep{"sweep", "glitches/a100-7u280", "--axis", "nodes.fpga.count=1:9"};
    REQUIRE(cli(with(sweep, {"--db", file("one.sqlite"), "--csv", file("one.csv")})).exitCode == 0);
    std::vector<std::string> stores{"merge"};
    for (const std::string i : {"2", "1"}) {
        REQUIRE(cli(with(sweep, {"--shard", i + "/2", "--db", file(i + ".sqlite")})).exitCode == 0);
        stores.push_back(file(i + ".sqlite"));
    }
    const std::vector<std::string> into{"--db", file("all.sqlite"), "--csv", file("all.csv")};
    CHECK(cli(with({"merge", file("2.sqlite")}, into)).exitCode == 3); // one is missing
    REQUIRE(cli(with(stores, into)).exitCode == 0);
    CHECK(readFile(file("all.csv")) == readFile(file("one.csv")));
    CHECK(contains(cli(with(sweep, {"--shard", "1/2"})).err, "--db"));
}

TEST_CASE("a sweep of a list of points: each row as it is evaluated alone, from shards too") {
    const TemporaryFolder folder;
    const auto file = [&](const std::string& name) { return folder.path() + "/" + name; };
    const auto write = [&](const std::string& text) { std::ofstream(file("points.csv")) << text; };
    write("nodes.fpga.count,model,workload.batch\n7,llama2-7b,1\n9,llama3-8b,4\n7,llama2-7b,1\n3,llama2-7b,"
          "2\n");
    const std::vector<std::string> sweep{"sweep", "glitches/a100-7u280", "--points", file("points.csv")};
    const auto json =
        Json::parse(cli(with(sweep, {"--db", file("one.sqlite"), "--csv", file("one.csv"), "--json"})).out);
    REQUIRE(json.at("rows").size() == 4);
    CHECK(json.at("rows")[0] == json.at("rows")[2]);
    for (const auto& row : json.at("rows")) {
        const auto alone = Json::parse(
            cli({"evaluate", "glitches/a100-7u280", "--set", "model=" + row.at("model").get<std::string>(),
                 "--set", "nodes.fpga.count=" + row.at("nodes.fpga.count").dump(), "--set",
                 "workload.batch=" + row.at("workload.batch").dump(), "--json"})
                .out);
        CHECK(alone.dump().find("\"throughput_tok_s\":" + row.at("throughput_tok_s").dump()) !=
              std::string::npos);
    }
    CHECK(json.at("rows")[1].at("model") == "llama3-8b");
    std::vector<std::string> merge{"merge"};
    for (const std::string i : {"3", "1", "2"}) {
        REQUIRE(cli(with(sweep, {"--shard", i + "/3", "--db", file(i + ".sqlite")})).exitCode == 0);
        merge.push_back(file(i + ".sqlite"));
    }
    REQUIRE(cli(with(merge, {"--db", file("all.sqlite"), "--csv", file("all.csv")})).exitCode == 0);
    CHECK(readFile(file("all.csv")) == readFile(file("one.csv")));
    CHECK(contains(cli(with(sweep, {"--db", file("one.sqlite")})).err, "0 computed"));

    write("nodes.fpga.count,workload.batch\n1,2\n3,x\n");
    const auto bad = cli(with(sweep, {"--db", file("bad.sqlite")}));
    CHECK(bad.exitCode == 1);
    CHECK(contains(bad.err, "points.csv:3: column workload.batch"));
    write("nodes.fpga.count,workload.batch\n1,2\n3,0\n");
    CHECK(contains(cli(with(sweep, {"--db", file("bad.sqlite")})).err, "is outside of its range"));
    write("model\nllama2-7b\nllama3-8b\nllama2-7b\n");
    CHECK(contains(cli(with(sweep, {"--db", file("bad.sqlite")})).err,
                   "points.csv:4: column model: \"llama2-7b\" is given twice"));
    write("nodes.fpga.count,workload.nothing\n1,2\n3,4\n");
    CHECK(contains(cli(with(sweep, {"--db", file("bad.sqlite")})).err, "points.csv:1: workload.nothing: "));
}

TEST_CASE(
    "a find that is killed goes on from its checkpoint, and shards in a folder come to the same bytes") {
    const TemporaryFolder folder;
    const auto file = [&](const std::string& name) { return folder.path() + "/" + name; };
    const std::vector<std::string> many{"find",   "glitches/a100-7u280",
                                        "--axis", "nodes.fpga.count=1:100",
                                        "--axis", "workload.batch=1:20",
                                        "--axis", "nodes.fpga.device.price_usd=1000:6000:200",
                                        "--axis", "nodes.gpu.count=1:10",
                                        "--max",  "throughput_tok_s",
                                        "--min",  "price_usd",
                                        "--json"};
    const auto whole = cli(many);
    REQUIRE(whole.exitCode == 0);
    int killed = 0;
    for (int round = 0; round < 3; ++round) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            const int null = ::open("/dev/null", O_WRONLY);
            ::dup2(null, STDOUT_FILENO);
            ::dup2(null, STDERR_FILENO);
            ::setenv("HETEROSCAPE_PRESETS", heteroscape::places::kPresetsFolder, 1);
            std::vector<std::string> words{CLI_PATH};
            words.insert(words.end(), many.begin(), many.end());
            for (const auto& word : {std::string("--checkpoint"), file("ck"),
                                     std::string("--checkpoint-every"), std::string("0.05")})
                words.push_back(word);
            std::vector<char*> arguments;
            for (auto& word : words)
                arguments.push_back(word.data());
            arguments.push_back(nullptr);
            ::execv(CLI_PATH, arguments.data());
            ::_exit(127);
        }
        // Killed once it has written how far it is, a little further each round.
        const auto before = std::filesystem::exists(file("ck")) ? readFile(file("ck")) : std::string();
        int status = 0;
        bool ended = false;
        while (!ended && (!std::filesystem::exists(file("ck")) || readFile(file("ck")) == before))
            ended = ::waitpid(child, &status, WNOHANG) != 0;
        if (!ended) {
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            killed += WIFSIGNALED(status) ? 1 : 0;
        }
    }
    CHECK(killed > 0);
    const auto rest = cli(with(many, {"--checkpoint", file("ck")}));
    CHECK(rest.exitCode == 0);
    CHECK(rest.out == whole.out);
    CHECK(!std::filesystem::exists(file("ck")));
}

TEST_CASE("what is ideal is marked in every list of points, and a limit leaves it out") {
    const TemporaryFolder folder;
    const auto path = [&](const char* name) { return folder.path() + "/" + name; };
    const auto sweep = [&](const std::vector<std::string>& of, const std::vector<std::string>& more) {
        return cli(
            with(with({"sweep"}, of), with({"--metric", "throughput_tok_s", "--db", path("db")}, more)));
    };
    const std::vector<std::string> mixed{"served/gpt-oss-120b-h100", "--axis",
                                         "nodes.gpu.device=h100-sxm,mi355x"},
        withIdeal{"served/gpt-oss-120b-h100", "--axis", "nodes.gpu.runtime=vllm,ideal"},
        bound{"preserve/llama3-70b-8h100", "--axis", "workload.batch=1,2"},
        served{"served/gpt-oss-120b-h100", "--axis", "workload.batch=1,2"};
    const std::string atBest(kAtBest);
    auto swept = sweep(mixed, {"--csv", path("mixed.csv")});
    CHECK(contains(swept.out, "truth"));
    CHECK(contains(swept.out, "served"));
    CHECK(contains(swept.out, "class: " + std::string(truthRemark(Truth::Class))));
    CHECK(contains(readFile(path("mixed.csv")), ",truth,bound,status,key\n"));
    swept = sweep(mixed, {"--json"});
    CHECK(swept.json().at("rows")[0].at("truth") == "served");
    CHECK(swept.json().at("rows")[1].at("truth") == "class");
    swept = sweep(bound, {"--csv", path("bound.csv")});
    CHECK(contains(swept.out, '\n' + atBest));
    CHECK(
        contains(readFile(path("bound.csv")), ",truth,bound,status,key\n")); // a file goes without the table
    CHECK(sweep(bound, {"--json"}).json().at("truth") == "ideal");
    swept = sweep(served, {"--csv", path("served.csv")});
    CHECK_FALSE(contains(swept.out + readFile(path("served.csv")), "truth"));
    CHECK_FALSE(contains(swept.out, atBest));

    const auto find = with(with({"find"}, withIdeal),
                           {"--axis", "workload.batch=1,8", "--max", "throughput_tok_s", "--min", "power_w"});
    const auto found = cli(find);
    REQUIRE(found.exitCode == 0);
    CHECK(contains(found.out, "truth"));
    CHECK(contains(found.out, "Like for like: --limit measured"));
    const auto front = cli(with(find, {"--json"})).json().at("front");
    CHECK(
        std::any_of(front.begin(), front.end(), [](const auto& one) { return one.at("truth") == "ideal"; }));
    const auto alike = cli(with(find, {"--limit", "measured", "--csv", path("front.csv")}));
    REQUIRE(alike.exitCode == 0);
    CHECK(contains(alike.out, "2 within the limits")); // the batches of the H100
    CHECK_FALSE(contains(alike.out, "ideal"));
    CHECK_FALSE(contains(readFile(path("front.csv")), ",ideal"));

    CHECK(cli({"evaluate", bound[0], "--json"}).json().at("truth") == "ideal");
    CHECK_FALSE(cli({"evaluate", served[0], "--json"}).json().contains("truth"));
}

TEST_CASE(
    "designs of unlike evidence are compared by the rule on both sides, and inside 1.5 nothing is told") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/amd.hscape";
    const std::string served = "served/deepseek-v3-8h200-tp8";
    saveScenario(with(preset(served), "nodes.gpu.device", "mi300x"), path);
    const auto compared = cli({"compare", served, path, "--json"});
    REQUIRE(compared.exitCode == 0);
    const auto json = compared.json();
    CHECK(json.at("designs")[0].at("truth") == "served");
    CHECK(json.at("designs")[1].at("truth") == "class");
    CHECK(json.at("compared_by") == "class");
    const auto& rate = json.at("metrics").at("throughput_tok_s");
    CHECK(rate.at("own")[0] != rate.at("alike")[0]); // what was measured stands beside
    CHECK(rate.at("own")[1] == rate.at("alike")[1]);
    CHECK(rate.at("no_result")[1] == true); // the H200 is some 1.1 times as fast
    CHECK(json.at("metrics").at("price_usd").at("no_result")[1] == false);
    const auto text = cli({"compare", served, path}).out;
    CHECK(contains(text, "no result: inside 1.5"));
    CHECK(contains(text, "rule, not measured"));
    CHECK(cli({"compare", served, served, "--json"})
              .json()
              .at("metrics")
              .at("throughput_tok_s")
              .at("ratio")[1] == 1.0);
}
