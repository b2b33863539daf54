// SPDX-License-Identifier: GPL-3.0-or-later
// recommend, by the real program.
#include "engine/base/file.h"
#include "engine/scenario/scenario_json.h"
#include "engine/store/store.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"
#include "tests/shipped_catalog.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::vector<std::string> kAsk{
    "recommend",  "gpt-oss-120b", "--prompt", "1k",       "--output", "128",      "--users", "16",
    "--ttft",     "1,5 s",        "--tpot",   "30ms",     "--power",  "40kW",     "--price", "$1M",
    "--software", "vllm",         "--ready",  "hgx-h200", "--ready",  "dgx-b200", "--ready", "gb200-nvl72"};

std::vector<std::string> with(const std::vector<std::string>& more) {
    auto arguments = kAsk;
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

} // namespace

TEST_CASE("recommend tells systems with bands, the robust best, and why others fell out") {
    const TemporaryFolder folder;
    const auto found = cli(with({"--out", folder.path() + "/buy.hscape", "--store",
                                 folder.path() + "/s.sqlite", "--csv", folder.path() + "/buy.csv"}));
    CAPTURE(found.err);
    REQUIRE(found.exitCode == 0);
    CHECK(contains(found.out, "What to buy to serve gpt-oss-120b to 16 users, 1,000 tokens in and 128 out."));
    CHECK(contains(
        found.out,
        "Limits: TTFT p99 <= 1.50 s, TPOT p99 <= 30.0 ms, rated power <= 40.0 kW, price <= $1.00M."));
    CHECK(contains(found.out, "HGX H200"));
    CHECK(contains(found.out, "Robust best"));
    CHECK(contains(found.out, "GB200 NVL72, 72 GPUs: one costs $3.24M, 3.2 times the limit"));
    const auto all = cli({"recommend", "gpt-oss-120b", "--users", "64", "--ttft", "2s", "--tpot", "50ms"});
    CHECK(contains(all.out, "Too close to call"));
    const auto measured = all.out.find("By measured kernels and server:");
    const auto rule = all.out.find("By the rule of their class (rule, not measured");
    REQUIRE(measured < rule);
    REQUIRE(rule != std::string::npos);
    CHECK(all.out.find("class-rule") > rule);
    CHECK(contains(all.out, "Robust best by measured kernels and server"));
    CHECK(contains(all.out, "The lists are not ranked against each other"));
    CHECK(!contains(found.out, "rule of their class"));
    const auto fast = cli({"recommend", "llama3-1-70b", "--users", "16", "--ttft", "300ms", "--tpot", "12ms",
                           "--price", "$200k"});
    CHECK(contains(fast.out, "By measured kernels and server: none keeps all limits. Nearest is HGX A100"));
    CHECK(contains(fast.out, "Robust best by the rule of their class"));
    std::istringstream lines(found.out + all.out + fast.out);
    for (std::string line; std::getline(lines, line);)
        CHECK_MESSAGE(
            std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }) <= 100, line);
    const auto json = cli(with({"--json"})).json();
    REQUIRE(json.at("lists").size() == 1);
    const auto& list = json.at("lists").front();
    CHECK(list.at("truth") == "served");
    CHECK(list.at("nearest").is_null());
    CHECK(json.at("robust").at("truth") == "served");
    REQUIRE(list.at("systems").size() == 2);
    const auto& first = list.at("systems").front();
    CHECK(first.at("figures").at("ttft_p99_s").at("value").get<double>() <= 1.5);
    CHECK(first.at("figures").at("ttft_p99_s").at("low") < first.at("figures").at("ttft_p99_s").at("high"));
    CHECK(first.at("figures").at("rated_w").at("value").get<double>() <= 40e3);
    CHECK(json.at("limits").at("ttft_p99_s") == 1.5);
    CHECK(json.at("limits").at("price_usd") == 1e6);
    std::map<std::string, Json> others;
    for (const auto& one : json.at("others"))
        others[one.at("ready").is_null() ? "" : one.at("ready").get<std::string>()] = one;
    CHECK(others.at("gb200-nvl72").at("truth") == "served");
    CHECK(others.at("mi300x-platform").at("why") == "not among the ready servers asked for");
    CHECK(contains(others.at("").at("name").get<std::string>(), "Google"));
    const auto unwrapped = std::regex_replace(found.out, std::regex("\n *"), " ");
    for (const std::string why : {"not among the ready servers asked for", "but in no ready server"}) {
        CHECK(contains(unwrapped, why));
        CHECK(unwrapped.find(why) == unwrapped.rfind(why)); // one line
    }
    const auto design = loadScenario(folder.path() + "/buy-served-1.hscape", *heteroscape::shippedCatalog());
    CHECK(design.model.id == "gpt-oss-120b");
    CHECK(std::filesystem::exists(folder.path() + "/buy-served-2.hscape"));
    const auto simulated = cli({"simulate", folder.path() + "/buy-served-1.hscape", "--json"});
    CHECK(simulated.exitCode == 0);
    const auto csv = readFile(folder.path() + "/buy.csv");
    CHECK(csv.starts_with("place,ready,servers"));
    const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
    const auto head = csv.substr(0, csv.find('\n'));
    const auto last = csv.substr(csv.rfind('\n', csv.size() - 2) + 1);
    CHECK(commas(head) <= commas(last)); // words may hold some
    Store store(folder.path() + "/s.sqlite");
    REQUIRE(store.studies().size() == 1);
    CHECK(store.studies().front().points == json.at("simulated"));
}

TEST_CASE("recommend refuses what it cannot read") {
    const auto told = [](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"recommend", "gpt-oss-120b"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto answer = cli(arguments);
        CHECK(answer.exitCode == 1);
        return answer.err;
    };
    CHECK(contains(told({"--tpot", "50"}), "--tpot: \"50\" has no unit. Write it as 50 ms or 1.5 s"));
    CHECK(contains(told({"--ttft", "soon"}), "--ttft: \"soon\" is not a number. Write it as 50 ms or 1.5 s"));
    CHECK(contains(told({"--power", "5 ms"}), "--power"));
    CHECK(contains(told({"--users", "2.5"}), "--users: 2.5 is not whole"));
    CHECK(contains(told({"--price", "$1M", "--rent"}), "--price: what is rented has no price"));
    CHECK(contains(told({"--vendor", "Acme"}), "NVIDIA"));
    CHECK(contains(told({"--ready", "hgx-h200", "--out", "plan.json"}), "--out"));
    CHECK(cli({"recommend"}).exitCode == 2);
}
