// SPDX-License-Identifier: GPL-3.0-or-later
// Offloading systems through the real heteroscape-cli: what fits, what does not, sweeps over both.
#include "engine/base/file.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"

#include <cmath>
#include <map>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, by);)
        parts.push_back(part);
    if (!text.empty() && text.back() == by && by == ',')
        parts.emplace_back();
    return parts;
}

} // namespace

TEST_CASE("evaluate answers where an offloading system keeps what, and what its decode waits for") {
    const auto answer = cli({"evaluate", "inf2/opt-30b-a100-16csd", "--json"});
    REQUIRE(answer.exitCode == 0);
    const auto json = answer.json();
    CHECK(json["feasible"] == true);
    CHECK(off(json["throughput_tok_s"], 0.688050) < 1e-4);
    CHECK(off(json["x_cache_share"], 0.28467) < 1e-4);
    CHECK(json["kv_host_share"] == 0);
    double decode = 0.0;
    for (const auto* key :
         {"decode_accelerator_s", "decode_weights_s", "decode_kv_read_s", "decode_kv_write_s",
          "decode_host_attention_s", "decode_csd_attention_s", "decode_qkv_s", "decode_x_cache_s"})
        decode += json[key].get<double>();
    CHECK(off(decode, 2054.685) < 1e-4);
    CHECK(json["usd_per_mtok"].get<double>() > 0.0);
    CHECK(json["gains"]["attention_near_storage"]["throughput"].get<double>() > 2.6);
    CHECK(json["links"]["uplink"]["traffic_gbps"] ==
          doctest::Approx(16 * json["links"]["expansion-storage"]["traffic_gbps"].get<double>()));
    const auto plain = cli({"evaluate", "glitches/a100-7u280", "--json"}).json();
    CHECK(plain["decode_csd_attention_s"].is_null());
    CHECK(plain["kv_host_share"].is_null());
}

TEST_CASE("evaluate says which memory is too small, and still answers") {
    struct Case {
        std::vector<std::string> settings;
        std::vector<std::string> reason;
    };
    for (const auto& [settings, reason] : std::vector<Case>{
             {{"nodes.storage.device.memory_gb=10"}, {"GB of storage for KV cache", "has 160 GB"}},
             {{"nodes.gpu.device.memory_gb=1"}, {"GB of device memory", "weights of one layer"}},
             {{"nodes.gpu.runtime=deepspeed-zero", "workload.prompt_tokens=1024"},
              {}}, // 47 GB of KV cache fit the host
             {{"nodes.gpu.runtime=deepspeed-zero", "workload.prompt_tokens=3000"},
              {"GB of host memory for KV cache", "of it to use"}}}) {
        std::vector<std::string> arguments{"evaluate", "inf2/opt-30b-a100-16csd", "--json"};
        for (const auto& setting : settings)
            arguments.insert(arguments.end(), {"--set", setting});
        const auto answer = cli(arguments);
        CHECK(answer.exitCode == 0); // it cannot run: that is an answer
        const auto json = answer.json();
        CAPTURE(answer.out);
        CHECK(json["feasible"] == reason.empty());
        if (reason.empty())
            continue;
        for (const auto& part : reason)
            CHECK(contains(json["reason"].get<std::string>(), part));
        for (const auto* key : {"throughput_tok_s", "ttft_s", "decode_weights_s", "kv_host_share", "power_w"})
            CHECK(json[key].is_null());
        CHECK(json["nodes"]["gpu"]["fits"] == false);
        arguments.erase(arguments.begin() + 2); // as text
        const auto text = cli(arguments);
        CHECK(text.exitCode == 0);
        CHECK(contains(text.out, "Cannot run: A100 40GB, INF2 needs"));
    }
}

TEST_CASE("a sweep over what fits and what does not leaves cells empty, and never zero") {
    const TemporaryFolder folder;
    const auto answer =
        cli({"sweep", "inf2/opt-30b-a100-16csd", "--axis", "nodes.storage.count=1,2,16", "--axis",
             "nodes.storage.device.memory_gb=20,100,3840", "--axis", "techniques.host_kv.enabled=false,true",
             "--db", folder.path() + "/s.sqlite", "--csv", folder.path() + "/s.csv"});
    CAPTURE(answer.err);
    REQUIRE(answer.exitCode == 0);
    const auto lines = split(readFile(folder.path() + "/s.csv"), '\n');
    REQUIRE(lines.size() == 19);
    const auto header = split(lines[0], ',');
    int fits = 0;
    int fails = 0;
    for (std::size_t row = 1; row < lines.size(); ++row) {
        const auto cells = split(lines[row], ',');
        CAPTURE(lines[row]);
        REQUIRE(cells.size() == header.size());
        std::map<std::string, std::string> at;
        for (std::size_t i = 0; i < header.size(); ++i)
            at[header[i]] = cells[i];
        const bool feasible = at.at("feasible") == "1";
        for (const auto* metric : {"throughput_tok_s", "ttft_s", "latency_s", "power_w",
                                   "decode_csd_attention_s", "kv_storage_share", "usd_per_mtok"}) {
            CAPTURE(metric);
            CHECK(at.at(metric).empty() == !feasible);
            if (feasible)
                CHECK(std::stod(at.at(metric)) > 0.0);
        }
        if (!feasible)
            CHECK(at.at("feasible") == "0");
        feasible ? ++fits : ++fails;
    }
    CHECK(fits >= 6);
    CHECK(fails >= 6);
}

TEST_CASE("the new parts are listed and shown") {
    const auto has = [](const char* kind, const char* id) {
        for (const auto& item : cli({"list", kind, "--json"}).json())
            if (item["id"] == id)
                return true;
        return false;
    };
    CHECK(has("devices", "smartssd"));
    CHECK(has("devices", "xeon-6342-host"));
    CHECK(has("runtimes", "inf2"));
    CHECK(has("models", "opt-175b"));
    CHECK(has("presets", "inf2/llama2-7b-4u280-16csd"));
    CHECK(cli({"show", "device", "smartssd", "--json"}).json()["kernel_gbps"]["value"] == 1.8);
    CHECK(contains(cli({"show", "preset", "inf2/opt-30b-a100-16csd"}).out, "techniques.x_cache.share"));
    const auto compared = cli({"compare", "inf2", "--json"});
    CHECK(compared.exitCode == 0);
    CHECK(contains(compared.out, "inf2/opt-30b-a100-16csd"));
    const auto refused = cli({"evaluate", "inf2/opt-30b-a100-16csd", "--set", "techniques.x_cache.share=2"});
    CHECK(refused.exitCode == 1);
    CHECK(contains(refused.err, "techniques.x_cache.share"));
}
