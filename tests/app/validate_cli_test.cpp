// SPDX-License-Identifier: GPL-3.0-or-later
// heteroscape-cli validate, as a user would run it.
#include "engine/base/file.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kRows =
    "device,framework,version,op,precision,m,n,k,batch,seq,heads,kv_heads,head_dim,kv_dtype,"
    "window,ranks,bytes,measured_us\n"
    "h100_sxm,trtllm,1,allreduce,bfloat16,,,,,,,,,,,8,65536,4.80031\n"
    "h100_sxm,trtllm,1,gemm,nvfp4,64,128,256,,,,,,,,,,9\n";

} // namespace

TEST_CASE("validate groups the errors of the shipped rows") {
    const auto text = cli({"validate", "--by", "op,device"});
    REQUIRE(text.exitCode == 0);
    CHECK(contains(text.out, "attention_generation"));
    CHECK(contains(text.out, "rtx_pro_6000_server"));
    CHECK(contains(text.out, "8261 of 8261 measured kernels have an answer"));

    const auto json = cli({"validate", "--json"}).json();
    CHECK(json["files"].size() == 4);
    CHECK(json["serving"]["rows"].size() == 935);
    const auto& worst = json["serving"]["furthest_off"]["ttft"];
    REQUIRE(worst.size() == 3);
    CHECK(worst[0]["median_percent"] >= worst[1]["median_percent"]);
    for (const auto* key : {"set", "precision", "device", "framework", "users", "lengths"})
        CHECK(json["serving"]["errors_by"][key].size() > 1);
    CHECK(json["serving"]["errors_by"]["group"][worst[0]["group"].get<std::string>()]["ttft"]
              ["median_percent"] == worst[0]["median_percent"]);
    CHECK(json["unanswered"].empty());
    CHECK(json["rows"].size() == 8261);
    for (const auto& row : json["rows"]) {
        CHECK(row["measured"].get<double>() > 0.0);
        CHECK(row["predicted"].get<double>() > 0.0);
        CHECK(row["bound"].is_string());
    }
}

TEST_CASE("validate takes a file of one's own and lists what it cannot answer") {
    const TemporaryFolder folder;
    const auto file = folder.path() + "/mine.csv";
    writeFileAtomically(file, kRows);
    const auto answer = cli({"validate", "--measured", file, "--by", "framework", "--json"});
    REQUIRE(answer.exitCode == 0);
    const auto json = answer.json();
    REQUIRE(json["rows"].size() == 1);
    CHECK(json["rows"][0]["measured"] == 4.80031);
    CHECK(json["rows"][0]["predicted"].get<double>() == doctest::Approx(4.80031).epsilon(1e-5));
    CHECK(json["rows"][0]["line"] == 2);
    REQUIRE(json["unanswered"].size() == 1);
    CHECK(json["unanswered"][0]["line"] == 3);
    CHECK(contains(json["unanswered"][0]["why"], "FP4 is not native on Hopper"));
    CHECK(json["groups"][0]["framework"] == "trtllm");
    const auto text = cli({"validate", "--measured", file});
    CHECK(contains(text.out, "1 of 2 measured kernels have an answer"));
    CHECK(contains(text.out, "no answer for 1 row, " + file + ":3"));
}

TEST_CASE("validate answers each row of measured servers") {
    const TemporaryFolder folder;
    const auto file = folder.path() + "/servers.csv";
    writeFileAtomically(file, "id,model,system,backend,precision,mode,lengths,isl,osl,users,tp,"
                              "silicon_ttft_ms,silicon_tpot_ms\n"
                              "one,llama70b,h100_sxm,vllm,fp8,agg,uniform 0.8-1,1024,1024,16,4,121.4,13.19\n"
                              "two,llama70b,h900,vllm,fp8,agg,uniform 0.8-1,1024,1024,16,4,121.4,13.19\n");
    const auto json = cli({"validate", "--measured", file, "--json"}).json();
    REQUIRE(json["rows"].size() == 2);
    CHECK(json["rows"][0]["id"] == "one");
    CHECK(json["rows"][0]["group"] == "llama70b h100_sxm vllm agg");
    CHECK(json["rows"][0]["measured_ttft_ms"] == 121.4);
    CHECK(json["rows"][0]["measured_tpot_ms"] == 13.19);
    const auto design = folder.path() + "/one.hscape";
    cli({"validate", "--measured", file, "--design", "one", "--out", design});
    const auto run = cli({"simulate", design, "--json"}).json();
    CHECK(json["rows"][0]["predicted_ttft_ms"] == 1e3 * run["ttft_s"]["mean"].get<double>());
    CHECK(json["rows"][0]["predicted_tpot_ms"] == 1e3 * run["tpot_s"]["mean"].get<double>());
    CHECK(json["rows"][1]["predicted_tpot_ms"].is_null());
    CHECK(contains(json["rows"][1]["why"], "h900"));
    const auto text = cli({"validate", "--measured", file, "--by", "model"});
    CHECK(contains(text.out, "1 of 2 measured servers have an answer"));
    CHECK(contains(text.out, "no answer for 1 row, " + file + ":3"));
    CHECK(contains(cli({"validate", "--by", "group"}).out, "llama70b h100_sxm vllm agg"));
}

TEST_CASE("validate answers metrics of other people's servers, groups them and writes their designs") {
    const TemporaryFolder folder;
    const auto file = folder.path() + "/metrics.csv";
    const std::string server =
        "somebody,2026-01,H100-SXM,1,llama3-1-8b,bf16,tp1,vLLM 0.11.0,512,128,users 8,";
    writeFileAtomically(file, "source,date,device,count,model,weight_format,layout,framework,isl,osl,"
                              "concurrency_or_batch,metric,measured\n" +
                                  server + "tpot_ms,7\n" + server + "power_w_gpu,500\n" + server +
                                  "mfu,0.4\n");
    const auto json = cli({"validate", "--measured", file, "--json"}).json();
    REQUIRE(json["rows"].size() == 3);
    CHECK(json["rows"][0]["kind"] == "dense");
    CHECK(json["rows"][0]["unit"] == "ms");
    CHECK(json["all"]["rows"] == 1);
    CHECK(json["all_power_and_energy"]["rows"] == 1);
    REQUIRE(json["unanswered"].size() == 1);
    CHECK(json["unanswered"][0]["line"] == 4);
    const auto text = cli({"validate", "--measured", file, "--by", "source,metric"});
    CHECK(contains(text.out, "2 of 3 measured metrics have an answer"));
    CHECK(contains(text.out, "the program gives no \"mfu\""));
    CHECK(cli({"validate", "--measured", file, "--by", "colour"}).exitCode == 1);

    // Its design, by line: what simulating that gives is what was told.
    const auto design = folder.path() + "/one.hscape";
    REQUIRE(cli({"validate", "--measured", file, "--design", file + ":2", "--out", design}).exitCode == 0);
    const auto run = cli({"simulate", design, "--json"}).json();
    CHECK(1e3 * run["metrics"]["tpot_mean_s"].get<double>() == json["rows"][0]["predicted"]);
    CHECK(cli({"validate", "--measured", file, "--design", "3", "--out", design}).exitCode == 0);
    const auto none = cli({"validate", "--measured", file, "--design", "9", "--out", design});
    CHECK(contains(none.err, "no row has the id \"9\""));
}

TEST_CASE("validate names what is wrong with a file or a key") {
    const TemporaryFolder folder;
    const auto file = folder.path() + "/mine.csv";
    writeFileAtomically(file, kRows + "h100_sxm,trtllm,1,allreduce,bfloat16,,,,,,,,,,,0,65536,4.8\n");
    const auto zero = cli({"validate", "--measured", file});
    CHECK(zero.exitCode == 1);
    CHECK(contains(zero.err, "mine.csv:4: column ranks: \"0\" is out of range"));
    const auto key = cli({"validate", "--by", "colour"});
    CHECK(key.exitCode == 1);
    CHECK(contains(key.err, "unknown value \"colour\""));
    CHECK(cli({"validate", "--measured", folder.path() + "/none.csv"}).exitCode != 0);
}
