// SPDX-License-Identifier: GPL-3.0-or-later
// Drives the real heteroscape-cli as a user would.
#include "engine/base/file.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <map>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("evaluate answers with every metric") {
    const auto answer = cli({"evaluate", "glitches/a100-7u280", "--set", "nodes.fpga.count=3", "--set",
                             "techniques.load_merging.ratio=2", "--json"});
    REQUIRE(answer.exitCode == 0);
    CHECK(answer.err.empty());
    const auto json = answer.json();
    for (const auto* key :
         {"throughput_tok_s", "ttft_s", "tpot_s", "latency_s", "price_usd", "tok_s_per_usd", "power_w",
          "tok_s_per_w", "energy_j_per_tok", "area_mm2", "tok_s_per_mm2", "feasible", "bound"})
        CHECK(json.contains(key));
    CHECK(json["feasible"] == true);
    CHECK(json["price_usd"] == 17000 + 3 * 8000);
    CHECK(json["area_mm2"].is_null());
    CHECK(json["nodes"]["fpga"]["count"] == 3);
    CHECK(contains(json["notes"]["price_usd"], "devices only"));
    CHECK(contains(json["notes"]["power_w"], "devices only"));
    CHECK_FALSE(json["notes"].contains("throughput_tok_s"));
    CHECK(contains(cli({"evaluate", "glitches/a100-7u280"}).out,
                   "power_w, tok_s_per_w, energy_j_per_tok: devices only"));
}

TEST_CASE("evaluate names prefetched operators, what they take of L2, and what the technique gains") {
    const auto answer = cli({"evaluate", "preserve/llama3-70b-8npu", "--operators", "--json"});
    REQUIRE(answer.exitCode == 0);
    const auto json = answer.json();
    CHECK(json["gains"]["l2_prefetch"]["time_per_token"].get<double>() > 1.4);
    for (const auto& step : json["operators"]) {
        if (step["phase"] != "decode")
            continue;
        double left = 192e6;
        for (const auto& op : step["operators"]) {
            if (op["segment"] != "attention" || !op["prefetched"])
                continue;
            CHECK(op["l2_hit"] == true);
            CHECK(op["prefetch_bytes"].get<double>() <= op["l2_bytes"].get<double>());
            left -= op["l2_bytes"].get<double>();
            CHECK(op["l2_left_bytes"] == left);
        }
        CHECK(left == doctest::Approx(192e6 - 35.652e6).epsilon(1e-4)); // weights and KV at its full length
    }
}

TEST_CASE("a timeline's lanes do not overlap and end where the latency says") {
    const TemporaryFolder folder;
    const auto file = folder.path() + "/trace.json";
    for (const auto* id : {"preserve/llama3-405b-32", "preserve/llama3-70b-8h100", "glitches/8u280"}) {
        CAPTURE(id);
        const auto answer = cli({"evaluate", id, "--timeline", file, "--json"});
        REQUIRE(answer.exitCode == 0);
        const auto trace = readJsonFile(file);
        std::map<std::pair<int, int>, double> free; // of each lane
        double end = 0.0;
        for (const auto& event : trace["traceEvents"]) {
            if (event["ph"] != "X")
                continue;
            auto& lane = free[{event["pid"], event["tid"]}];
            CHECK(event["ts"].get<double>() >= lane - 1e-3); // a nanosecond of rounding over a minute
            lane = event["ts"].get<double>() + event["dur"].get<double>();
            end = std::max(end, lane);
        }
        CHECK(off(end * 1e-6, answer.json()["latency_s"]) < 1e-9);
        CHECK(off(trace["otherData"]["latency_s"], answer.json()["latency_s"]) < 1e-12);
    }
}

TEST_CASE("a figure of a paper is swept by its id, choices by name") {
    const TemporaryFolder folder;
    const auto db = folder.path() + "/s.sqlite";
    const auto json = cli({"sweep", "preserve/fig7", "--db", db, "--json"}).json();
    REQUIRE(json["points"] == 10);
    CHECK(json["rows"][0]["techniques.l2_prefetch.enabled"] == "false");
    CHECK(off(json["rows"][4]["latency_s"].get<double>() / json["rows"][5]["latency_s"].get<double>(),
              1.423546) < 0.001);
    const auto models = cli({"sweep", "preserve/llama3-405b-32", "--axis", "model=llama3-8b,mixtral-8x7b",
                             "--db", db, "--csv", folder.path() + "/m.csv"});
    CHECK(models.exitCode == 0);
    CHECK(contains(readFile(folder.path() + "/m.csv"), "\nmixtral-8x7b,1,"));
    CHECK(cli({"sweep", "preserve/llama3-405b-32", "--axis", "model=gpt5", "--db", db}).exitCode == 1);
    CHECK(cli({"sweep", "preserve/llama3-405b-32", "--db", db}).exitCode == 1);
    CHECK(contains(cli({"list", "studies", "--db", db}).out, "preserve/fig9"));
}

TEST_CASE("a config.json becomes a model, or says what is missing") {
    const TemporaryFolder folder;
    const auto file = folder.path() + "/config.json";
    writeFileAtomically(file,
                        R"({"model_type": "mixtral", "_name_or_path": "some/Mix-8x7B", "hidden_size": 4096,
        "intermediate_size": 14336, "num_attention_heads": 32, "num_key_value_heads": 8,
        "num_hidden_layers": 32, "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2})");
    const auto model = cli({"import", "model", file, "--json"}).json();
    CHECK(model["id"] == "mix-8x7b");
    CHECK(model["head_dim"]["value"] == 128);
    CHECK(model["experts"]["value"] == 8);
    const auto own = cli({"evaluate", "preserve/llama3-405b-32", "--model", file, "--json"}).json();
    const auto shipped =
        cli({"evaluate", "preserve/llama3-405b-32", "--set", "model=mixtral-8x7b", "--json"}).json();
    CHECK(own["latency_s"] == shipped["latency_s"]);
    CHECK(cli({"import", file}).json() == model); // a model unless it is said
    CHECK(cli({"import", folder.path()}).json() == model);
    const auto shown = cli({"show", "model", file});
    CHECK(shown.exitCode == 0);
    CHECK(contains(shown.out, "46.7")); // billion parameters
    auto plain = cli({"show", "model", file, "--json"}).json();
    CHECK(plain["together"]["kv_bytes_per_token"] == 32 * 2 * 8 * 128 * 2);
    plain.erase("together");
    CHECK(plain == model);
    CHECK(cli({"import"}).exitCode != 0);
    writeFileAtomically(file, R"({"model_type": "rwkv", "hidden_size": 7168})");
    auto answer = cli({"import", "model", file});
    CHECK(answer.exitCode == 1);
    CHECK(contains(answer.err, "\"rwkv\" needs recurrent layers"));
    CHECK(contains(answer.err, "qwen2"));
    writeFileAtomically(file, R"({"model_type": "llama", "hidden_size": 4096})");
    answer = cli({"evaluate", "preserve/llama3-405b-32", "--model", file});
    CHECK(answer.exitCode == 1);
    CHECK(contains(answer.err, "num_hidden_layers: missing"));
}

TEST_CASE("a config.json whose layers differ becomes a model of layer groups, and is evaluated as one") {
    const auto folder = std::string(heteroscape::places::kTestData) + "/hugging_face/";
    const auto kimi = cli({"import", "model", folder + "kimi-k2.5.json", "--id", "mine"}).json();
    CHECK(kimi["id"] == "mine");
    CHECK(kimi["weights"] == "int4_g32_moe");
    CHECK(kimi["layer_groups"][0]["attention"]["kind"] == "mla");
    CHECK(kimi["layer_groups"][0]["attention"]["kv_rank"]["value"] == 512);
    const auto* system = "preserve/llama3-405b-32";
    const TemporaryFolder temporary; // layers with a state, networks alone, a cache of 8 bits
    const auto file = temporary.path() + "/config.json";
    writeFileAtomically(file, R"({"model_type": "nemotron_h", "num_hidden_layers": 4, "hidden_size": 1024,
        "num_attention_heads": 8, "num_key_value_heads": 8, "intermediate_size": 4096, "vocab_size": 32000,
        "hybrid_override_pattern": "M-*-", "mamba_num_heads": 32, "mamba_head_dim": 64, "ssm_state_size": 128,
        "n_groups": 8, "conv_kernel": 4, "mlp_hidden_act": "relu2", "time_step_limit": [0.0, Infinity],
        "quantization_config": {"quant_method": "modelopt", "quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}})");
    const auto hybrid = cli({"evaluate", system, "--model", file, "--json"}).json();
    CHECK(hybrid["feasible"] == true);
    CHECK(hybrid["latency_s"].get<double>() > 0.0);
    const auto own = cli({"evaluate", system, "--model", folder + "gpt-oss-20b.json", "--json"}).json();
    const auto shipped = cli({"evaluate", system, "--set", "model=gpt-oss-20b", "--json"}).json();
    CHECK(own["latency_s"].get<double>() > 0.0);
    CHECK(own["latency_s"] == shipped["latency_s"]);
}

TEST_CASE("compare holds every claim, misfits marked") {
    const auto json = cli({"compare", "glitches", "--json"}).json();
    CHECK(json["misfits"] == 2);
    CHECK(json["claims"].size() >= 32);
    for (const auto& claim : json["claims"])
        for (const auto* key : {"paper", "model", "error", "kind", "misfit", "scenario"})
            CHECK(claim.contains(key));
    const auto all = cli({"compare", "all", "--json"}).json();
    CHECK(all.is_array());
    CHECK(json["summary"][0]["kind"] == "count");
    CHECK(json["summary"][0]["claims"] == 11);
    CHECK(json["summary"][0]["within_1_percent"] == 11);
    std::size_t claims = 0;
    for (const auto& kind : json["summary"]) {
        claims += kind["claims"].get<std::size_t>();
        CHECK(kind["within_1_percent"] <= kind["within_5_percent"]);
        CHECK(kind["within_5_percent"] <= kind["within_10_percent"]);
    }
    CHECK(claims == json["claims"].size());
    CHECK(contains(cli({"compare", "glitches"}).out, "Count: 11 of 11 within 1 %."));
}

TEST_CASE("values that move together are swept, kept and written with a column for each path, not sought") {
    const TemporaryFolder folder;
    const std::string together = "nodes.fpga.count=1,2,4;nodes.gpu.count=1,1,2";
    const auto csv = folder.path() + "/t.csv", db = folder.path() + "/t.sqlite";
    const auto swept = cli({"sweep", "glitches/a100-7u280", "--axis", together, "--axis",
                            "workload.batch=1,2", "--metric", "tpot_s", "--db", db, "--csv", csv});
    CAPTURE(swept.err);
    REQUIRE(swept.exitCode == 0);
    const auto text = readFile(csv);
    CHECK(contains(text, "nodes.fpga.count"));
    CHECK(contains(text, "nodes.gpu.count"));
    CHECK(std::count(text.begin(), text.end(), '\n') == 7); // six points
    CHECK(contains(text, "\n4,2,2,"));
    const auto again = cli({"sweep", "glitches/a100-7u280", "--axis", together, "--axis",
                            "workload.batch=1,2", "--metric", "tpot_s", "--db", db, "--csv", csv});
    REQUIRE(again.exitCode == 0);
    CHECK(readFile(csv) == text);
    const auto sought = cli({"find", "glitches/a100-7u280", "--axis", together, "--max", "throughput_tok_s"});
    CHECK(sought.exitCode == 1);
    CHECK(contains(sought.err, "move together"));
}

TEST_CASE("a sweep computes once and answers the same bytes again") {
    const TemporaryFolder folder;
    const auto sweep = [&](const std::string& csv, const std::string& jobs) {
        return cli({"sweep", "glitches/a100-7u280", "--axis", "nodes.fpga.count=1:7", "--axis",
                    "techniques.load_merging.ratio=1,2,3,4,6,8,16,32", "--axis",
                    "workload.prompt_tokens=128,512,1024,1536", "--axis",
                    "workload.output_tokens=128,512,1024,1536", "--db", folder.path() + "/s.sqlite", "--csv",
                    folder.path() + "/" + csv, "--jobs", jobs, "--json"});
    };
    const auto first = sweep("a.csv", "2");
    REQUIRE(first.exitCode == 0);
    CHECK(first.json()["computed"] == 896);
    CHECK(first.json()["rows"].size() == 896);
    const auto second = sweep("b.csv", "1");
    CHECK(second.json()["computed"] == 0);
    CHECK(second.json()["reused"] == 896);
    CHECK(readFile(folder.path() + "/a.csv") == readFile(folder.path() + "/b.csv"));
    CHECK(contains(cli({"list", "studies", "--db", folder.path() + "/s.sqlite"}).out, "896 of 896 points"));
}

TEST_CASE("wrong input exits 1 and names the key and what is allowed") {
    const auto refused = [](const std::vector<std::string>& settings, const std::string& place,
                            const std::string& allowed) {
        std::vector<std::string> arguments{"evaluate", "glitches/a100-7u280"};
        for (const auto& setting : settings)
            arguments.insert(arguments.end(), {"--set", setting});
        const auto answer = cli(arguments);
        CAPTURE(answer.err);
        CHECK(answer.exitCode == 1);
        CHECK(answer.out.empty());
        CHECK(contains(answer.err, place));
        CHECK(contains(answer.err, allowed));
    };
    refused({"nodes.fpga.cuont=3"}, "nodes.fpga.cuont",
            "Allowed there: device, role, runtime, server, layout, workers, count");
    refused({"nodes.fpga.count"}, "--set nodes.fpga.count", "path=value");
    refused({"nodes.gpu.role=decode"}, "Nothing prefills", "role prefill or both");
}

TEST_CASE("evaluate says which settings change no figure, and what decides instead") {
    const auto said = [](const std::vector<std::string>& settings) {
        std::vector<std::string> arguments{"evaluate", "glitches/8a100"};
        for (const auto& setting : settings)
            arguments.insert(arguments.end(), {"--set", setting});
        return cli(arguments).err;
    };
    const std::string none = " changes no figure of this design: ";
    CHECK(said({"workload.batch=2"}).empty());
    CHECK(contains(said({"workload.batch=2", "techniques.load_merging.ratio=8"}),
                   "note: techniques.load_merging.ratio" + none + "Load merging is off\n"));
    CHECK(contains(said({"serving.requests=9"}), none + "requests are there whenever"));
    CHECK(said({"nodes.gpu.count=8"}).empty()); // as it was
    // So does a simulation, of what neither the steady state nor the run reads.
    const auto simulated = [](const std::string& setting) {
        return cli({"simulate", "glitches/8a100", "--requests", "20", "--set", setting}).err;
    };
    CHECK(contains(simulated("techniques.load_merging.ratio=8"), none + "Load merging is off\n"));
    CHECK_FALSE(contains(simulated("workload.batch=2"), "note: "));
    CHECK_FALSE(contains(simulated("serving.max_sequences=3"), "note: "));
    // What lets nothing in cannot run.
    CHECK(contains(cli({"evaluate", "glitches/fig4-a100-2u280", "--set", "workload.batch=8", "--set",
                        "workload.prompt_tokens=32768"})
                       .out,
                   "Cannot run: "));
    CHECK(cli({"simulate", "glitches/8a100", "--until", "nan"}).exitCode == 1);
    CHECK(cli({"find", "glitches/8a100", "--axis", "workload.batch=1,2", "--checkpoint-every", "nan"})
              .exitCode == 1);
    // So do sweeps and searches, of settings and of axes, where it is so at both ends of the others.
    const auto swept = [](const std::vector<std::string>& more) {
        const TemporaryFolder folder;
        std::vector<std::string> arguments{"sweep", "glitches/8a100", "--db", folder.path() + "/s.sqlite"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return cli(arguments).err;
    };
    const std::string ratio = "techniques.load_merging.ratio";
    CHECK(contains(swept({"--axis", ratio + "=2,4"}),
                   "note: " + ratio + " changes no figure of these designs: Load merging is off\n"));
    CHECK(contains(swept({"--axis", "workload.batch=1,2", "--set", ratio + "=8"}), "Load merging is off\n"));
    CHECK_FALSE(contains(swept({"--axis", "workload.batch=1,2"}), "note: "));
    CHECK(contains(cli({"find", "glitches/8a100", "--axis", ratio + "=2,4", "--max", "throughput_tok_s"}).err,
                   "Load merging is off\n"));
    // What a later setting takes back, and what the same one is given anew.
    CHECK(
        contains(said({"nodes.gpu.runtime.weight_bits=4", "nodes.gpu.runtime=ideal"}),
                 "note: nodes.gpu.runtime.weight_bits=4 does not stand: a later setting makes it 16. Give"));
    CHECK(said({"workload.batch=2", "workload.batch=4"}).empty());
    // A choice.
    CHECK(contains(said({"nodes.gpu.role=prefill"}), none + "it comes to the same here as both"));
}

TEST_CASE("broken files exit 1 with the place, and stay as they are") {
    const TemporaryFolder folder;
    const auto refused = [&](const std::string& text, const std::string& part) {
        const auto path = folder.path() + "/d.hscape";
        writeFileAtomically(path, text);
        const auto answer = cli({"evaluate", path});
        CAPTURE(answer.err);
        CHECK(answer.exitCode == 1);
        CHECK(contains(answer.err, path));
        CHECK(contains(answer.err, part));
        CHECK(readFile(path) == text);
    };
    refused("", "empty");
    refused("{\"format\": \"heteroscape-scenario\", \"formatVers", "ends too early");
    refused("{\"format\": \"heteroscape-scenario\", \"formatVersion\": 99}", "newer");
    refused(std::string(1000000, '['), "nested deeper");
    refused(std::string("\0\x01\xff", 3), "not valid JSON");
    refused("[1, 2]", "expected an object");
    CHECK(cli({"evaluate", folder.path() + "/none.hscape"}).exitCode == 1);
    CHECK(cli({"evaluate", folder.path()}).exitCode == 1);
}

TEST_CASE("exit codes and axes") {
    CHECK(cli({}).exitCode == 2);
    CHECK(cli({"evaluate"}).exitCode == 2);
    CHECK(cli({"fly"}).exitCode == 2);
    CHECK(cli({"--help"}).exitCode == 0);
    CHECK(cli({"evaluate", "glitches/none"}).exitCode == 1);
    const TemporaryFolder folder;
    const auto axis = [&](const std::string& text) {
        return cli({"sweep", "glitches/a100-7u280", "--db", folder.path() + "/s.sqlite", "--axis", text});
    };
    CHECK(axis("nodes.fpga.count=0:3").exitCode == 1);
    CHECK(axis("nodes.fpga.count=1:3:0").exitCode == 1);
    CHECK(axis("nodes.fpga.count=a,b").exitCode == 1);
    CHECK(axis("nodes.fpga.device=1,2").exitCode == 1);
    CHECK(axis("workload.prompt_tokens=1:1e12:1").exitCode == 1);
}

TEST_CASE("list and show know every kind") {
    for (const auto* kind : {"devices", "models", "runtimes", "workloads", "links", "presets", "papers"}) {
        const auto json = cli({"list", kind, "--json"}).json();
        CHECK(json.size() > 0);
    }
    CHECK(cli({"show", "device", "u280", "--json"}).json()["price_usd"]["source"] == "GLITCHES, Table II");
    const auto shown = cli({"show", "preset", "glitches/a100-7u280", "--json"}).json();
    CHECK(shown["parameters"].size() > 80);
    CHECK(contains(cli({"show", "preset", "glitches/a100-7u280"}).out, "techniques.load_merging.ratio"));
}
