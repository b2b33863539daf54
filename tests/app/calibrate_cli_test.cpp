// SPDX-License-Identifier: GPL-3.0-or-later
// heteroscape-cli calibrate, as a user would run it.
#include "engine/base/file.h"
#include "tests/app/run_cli.h"
#include "tests/engine/fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kColumns = "device,framework,version,op,precision,m,n,k,batch,seq,heads,kv_heads,head_dim,"
                             "kv_dtype,window,ranks,bytes,measured_us\n";

std::string reduce(int ranks, long bytes, double us) {
    return "h100_sxm,vllm,1,allreduce,bfloat16,,,,,,,,,,," + std::to_string(ranks) + "," +
           std::to_string(bytes) + "," + std::to_string(us) + "\n";
}

/// All-reduces that start slower than those of the installation.
std::string reduces() {
    std::string rows = kColumns;
    for (const int ranks : {2, 4, 8})
        for (long bytes = 1024; bytes <= (1L << 28); bytes *= 4)
            rows += reduce(ranks, bytes,
                           9.0 + 2.0 * static_cast<double>(ranks - 1) / ranks * static_cast<double>(bytes) /
                                     270e3);
    return rows;
}

struct File {
    explicit File(const std::string& text) : path(folder.path() + "/mine.csv") {
        writeFileAtomically(path, text);
    }
    TemporaryFolder folder;
    std::string path;
};

std::string refused(const std::string& text) {
    const File file(text);
    const auto answer = cli({"calibrate", file.path});
    CHECK(answer.exitCode == 1);
    CHECK(answer.out.empty());
    return answer.err;
}

} // namespace

TEST_CASE("calibrate fits what the rows are of and says how sure it is") {
    const File file(reduces());
    const auto json = cli({"calibrate", file.path, "--json"}).json();
    REQUIRE(json["entries"].size() == 1);
    CHECK(json["entries"][0]["family"] == "all-reduce");
    const auto& fit = json["entries"][0]["fit"];
    CHECK(fit["constants"].size() == 4);
    CHECK(fit["correlations"].size() == 4);
    CHECK(fit["correlations"][0][0] == 1.0);
    CHECK(json["errors"]["held_out"]["after"]["rows"] == 7);
    CHECK(json["errors"]["held_out"]["after"]["median_percent"].get<double>() <
          json["errors"]["held_out"]["before"]["median_percent"].get<double>());
    CHECK(contains(json["calibrated"], "calibrated on mine.csv, 23 rows, "));
    CHECK(json["kernel_constants"]["entries"][0]["names"]["link"] == "nvlink4");

    const auto text = cli({"calibrate", file.path});
    REQUIRE(text.exitCode == 0);
    CHECK(contains(text.out, "all-reduce of nvlink4, vllm"));
    CHECK(contains(text.out, "calibrated on mine.csv, 23 rows, "));
    CHECK(cli({"calibrate", file.path}).out == text.out);
}

TEST_CASE("what was fitted is a runtime that times a design and says where it is from") {
    const File file(reduces());
    const auto runtime = file.folder.path() + "/mine.json";
    const auto written = cli({"calibrate", file.path, "--out", runtime});
    REQUIRE(written.exitCode == 0);
    CHECK(contains(written.out, "runtime vllm-calibrated written"));
    const auto evaluated = [](const std::string& of, const std::string& last) {
        std::vector<std::string> arguments{"evaluate", "preserve/llama3-70b-8h100"};
        for (const auto* setting : {"techniques.l2_prefetch.enabled=false", "nodes.gpu.device=h100-sxm"})
            arguments.insert(arguments.end(), {"--set", setting});
        arguments.insert(arguments.end(),
                         {"--set", "nodes.gpu.runtime=" + of, "--set", "nodes.gpu.server=none", last});
        if (last == "--explain")
            arguments.emplace_back("tpot_s");
        return cli(arguments);
    };
    const auto before = evaluated("vllm", "--json"), after = evaluated(runtime, "--json");
    REQUIRE(before.exitCode == 0);
    REQUIRE(after.exitCode == 0);
    // Two all-reduces a layer start 4.5 us later.
    const auto tpot = [](const Answer& answer) { return answer.json()["tpot_s"].get<double>(); };
    CHECK(tpot(after) > tpot(before) + 80 * 2 * 3e-6);
    CHECK(tpot(after) < tpot(before) + 80 * 2 * 7e-6);
    CHECK(contains(evaluated(runtime, "--explain").out, "calibrated on mine.csv, 23 rows, "));
    CHECK(evaluated("none.json", "--json").exitCode == 1);

    const auto other = cli({"calibrate", file.path, "--out", runtime, "--runtime", "ideal"});
    CHECK(other.exitCode == 1);
    CHECK(contains(other.err, "kernel_constants: "));
    CHECK(cli({"calibrate", file.path, "--out", runtime, "--id", "Not an id"}).exitCode == 1);
    const auto fpga = cli({"evaluate", "glitches/8u280", "--set", "nodes.fpga.runtime=" + runtime});
    CHECK(fpga.exitCode == 1);
    CHECK(contains(fpga.err, "does not run on"));
}

TEST_CASE("calibrate fits quantities of a design to measured times of systems") {
    const File file("workload.batch,tpot_s\n1,0.02\n2,0.021\n4,0.021\n8,0.022\n");
    const auto out = file.folder.path() + "/mine.hscape";
    const std::vector<std::string> arguments{"calibrate", file.path,
                                             "--design",  "preserve/llama3-70b-8h100",
                                             "--set",     "nodes.gpu.runtime=ideal",
                                             "--set",     "techniques.l2_prefetch.enabled=false",
                                             "--fit",     "nodes.gpu.timing.decode.memory_efficiency",
                                             "--out",     out};
    const auto text = cli(arguments);
    REQUIRE(text.exitCode == 0);
    CHECK(contains(text.out, "nodes.gpu.timing.decode.memory_efficiency"));
    auto asJson = arguments;
    asJson.emplace_back("--json");
    const auto json = cli(asJson).json();
    CHECK(json["points"].size() == 4);
    CHECK(json["errors"]["training"]["after"]["median_percent"].get<double>() < 5);
    const auto share = json["set"]["nodes.gpu.timing.decode.memory_efficiency"].get<double>();
    CHECK(share > 0.05);
    CHECK(share < 0.9);
    const auto own = cli({"evaluate", out, "--set", "workload.batch=2", "--json"}).json();
    CHECK(own["tpot_s"].get<double>() ==
          doctest::Approx(json["points"][1]["after"].get<double>()).epsilon(1e-9));
    CHECK(contains(cli({"calibrate", file.path, "--design", "preserve/llama3-70b-8h100"}).err,
                   "there is no quantity of the design to fit"));
}

TEST_CASE("calibrate lists its constants and takes names and bounds") {
    const auto list = cli({"calibrate", "--list"});
    REQUIRE(list.exitCode == 0);
    CHECK(contains(list.out, "t_launch"));
    CHECK(cli({"calibrate", "--list", "--json"}).json()["families"].size() == 17);

    const File file(reduces());
    const auto json =
        cli({"calibrate", file.path, "--fit", "a0,all-reduce.e2", "--bounds", "a0=1:6", "--json"}).json();
    const auto& constants = json["entries"][0]["fit"]["constants"];
    REQUIRE(constants.size() == 2);
    CHECK(constants[0]["standing"] == "at its bound");
    CHECK(constants[0]["after"].get<double>() == doctest::Approx(6));
    CHECK(constants[0]["standard_error_percent"].is_null());

    const auto bounds = cli({"calibrate", file.path, "--bounds", "a0:1=6"});
    CHECK(bounds.exitCode == 1);
    CHECK(contains(bounds.err, "\"a0:1=6\" sets no bounds. Write them like gemm.e_c=0.5:1"));
    CHECK(contains(cli({"calibrate", file.path, "--fit", "speed"}).err, "unknown name \"speed\""));
    CHECK(contains(cli({"calibrate", file.path, "--loss", "cubes"}).err, "unknown value \"cubes\""));
    CHECK(cli({"calibrate", file.path, "--starts", "0"}).exitCode == 1);
    CHECK(contains(cli({"calibrate"}).err, "there is no file of measurements"));
}

TEST_CASE("calibrate refuses a hostile file by name, place and remedy") {
    CHECK(contains(refused("device,op,measured_us\nh100_sxm,gemm,4\n"), "mine.csv:1: columns are missing"));
    CHECK(contains(refused("a,b\n1,2\n"), "the header names no table of measured kernels"));
    CHECK(contains(refused(kColumns), "there is no row after the header"));
    CHECK(contains(refused(kColumns + reduce(8, 65536, 0)), "mine.csv:2: column measured_us: "));
    CHECK(contains(refused(kColumns + reduce(8, 65536, -3)), "is out of range"));
    CHECK(contains(refused(kColumns + "h100_sxm,vllm,1,allreduce,bfloat16,,,,,,,,,,,8,65536,fast\n"),
                   "mine.csv:2: column measured_us: \"fast\" is not a number"));
    CHECK(contains(refused(kColumns + "h100_sxm,vllm,1,allreduce,bfloat16,,,,,,,,,,,8,65536,nan\n"),
                   "column measured_us"));
    CHECK(contains(refused(kColumns + reduce(8, 65536, 9)), "1 row does not determine 4 constants"));
    CHECK(contains(refused(kColumns + "h100_sxm,vllm,1,allreduce,bfloat16,,,,,,,,,,,,65536,9\n"),
                   "column ranks: it is empty"));
    CHECK(contains(refused(""), "mine.csv"));
    CHECK(cli({"calibrate", "/nowhere/mine.csv"}).exitCode == 1);
}

TEST_CASE("calibrate states what collinear rows leave open") {
    std::string rows = kColumns;
    for (int i = 0; i < 12; ++i)
        rows += reduce(8, 65536, 9.0 + 0.1 * (i % 3));
    const File file(rows);
    const auto text = cli({"calibrate", file.path});
    REQUIRE(text.exitCode == 0);
    CHECK(contains(text.out, "is not determined by these rows and is kept: "));
    const auto json = cli({"calibrate", file.path, "--json"}).json();
    CHECK(json["entries"][0]["fit"]["undetermined"].size() == 3);
}
