// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped rows against the models: error tables of silicon_kernels.md, section 10, and of an independent
// prototype of moe_parallel.md, section 9.
#include "engine/validation/validation.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <map>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Rows with the tables that they stand in.
struct Answers {
    std::vector<MeasuredTable> tables;
    std::vector<ValidatedRow> rows;

    explicit Answers(MeasuredTable table)
        : tables{std::move(table)}, rows(validateKernels(kernels(), tables)) {}
    const ValidatedRow& operator[](std::size_t i) const { return rows[i]; }
    std::size_t size() const { return rows.size(); }
    bool allAnswered() const {
        return std::all_of(rows.begin(), rows.end(), [](const ValidatedRow& row) { return row.answered(); });
    }
};

Answers answersOf(const std::string& file) {
    return Answers(readMeasured(std::string(heteroscape::places::kPresetsFolder) + "/measured/" + file));
}

Answers answersTo(const std::string& csv) {
    std::istringstream in(csv);
    return Answers(parseMeasured(in, "mine.csv"));
}

struct Stated {
    const char* op;
    std::size_t rows;
    double medianPercent, p90Percent;
};

/// The labels of `op` by the keys, "gemm fp8".
void checkAgainst(const Answers& answers, const std::vector<Stated>& table, double digits,
                  const std::vector<std::string>& keys = {"op"}) {
    const auto groups = groupErrors(answers.rows, keys);
    CHECK(groups.size() == table.size());
    for (const auto& stated : table) {
        CAPTURE(stated.op);
        const auto found = std::find_if(groups.begin(), groups.end(), [&](const ValidationGroup& group) {
            auto label = group.labels.front();
            for (std::size_t i = 1; i < group.labels.size(); ++i)
                label += " " + group.labels[i];
            return label == stated.op;
        });
        REQUIRE(found != groups.end());
        CHECK(found->rows == stated.rows);
        CHECK(std::abs(found->medianPercent - stated.medianPercent) <= digits);
        CHECK(std::abs(found->p90Percent - stated.p90Percent) <= digits);
    }
}

} // namespace

TEST_CASE("errors on the shipped rows of dense kernels are those that the specification states") {
    const auto answers = answersOf("kernels.csv");
    CHECK(answers.allAnswered());
    checkAgainst(answers,
                 {{"gemm", 1300, 6.4, 22.1},
                  {"attention_context", 647, 7.1, 24.8},
                  {"attention_generation", 618, 7.5, 27.2},
                  {"allreduce", 194, 3.4, 13.2},
                  {"nccl_all_reduce", 35, 3.7, 13.8},
                  {"nccl_all_gather", 34, 4.8, 14.4},
                  {"nccl_reduce_scatter", 35, 5.1, 11.9},
                  {"nccl_alltoall", 35, 4.7, 14.1},
                  {"cast_fp8", 52, 4.5, 12.0}},
                 0.05 + 1e-3); // printed with one digit; one of them stands on its edge
}

TEST_CASE("errors on the shipped rows of experts and their kin are those of the prototype") {
    const auto answers = answersOf("experts.csv");
    CHECK(answers.allAnswered());
    checkAgainst(answers,
                 {{"moe", 1398, 8.306, 27.323},
                  {"mla_decode", 200, 7.191, 23.964},
                  {"mla_prefill", 200, 5.671, 21.773},
                  {"mla_bmm_post", 81, 5.173, 21.179},
                  {"mla_bmm_pre", 79, 4.082, 17.237},
                  {"deepep_ll_dispatch", 90, 4.022, 10.211},
                  {"deepep_ll_combine", 90, 4.165, 11.660},
                  {"deepep_normal_dispatch", 90, 8.125, 22.894},
                  {"deepep_normal_combine", 90, 11.353, 29.632},
                  {"gdn_decode_core", 70, 1.646, 8.519},
                  {"gdn_prefill_core", 70, 8.834, 24.481}},
                 0.001);
}

TEST_CASE(
    "errors on the H100 that we measured, which nothing was fitted to, are those of the presets' README") {
    const auto answers = answersOf("h100_own.csv");
    CHECK(answers.allAnswered());
    checkAgainst(answers,
                 {{"gemm bfloat16", 63, 3.0, 12.7},
                  {"gemm fp8", 45, 33.6, 83.1},
                  {"attention_context bfloat16", 15, 45.9, 63.6},
                  {"attention_generation bfloat16", 15, 25.0, 79.0},
                  {"copy bfloat16", 5, 16.3, 20.7}},
                 0.05 + 1e-3, {"op", "precision"});
    // Two standards that the model has to hold by itself; products of 8 bits are a misfit, and are said to
    // be.
    for (const auto& group : groupErrors(answers.rows, std::vector<std::string>{"op", "precision"})) {
        CAPTURE(group.labels.front());
        CHECK((group.medianPercent < group.rooflinePercent) == (group.labels.back() != "fp8"));
        if (group.labels.front() == "gemm" && group.labels.back() == "bfloat16")
            CHECK(group.medianPercent < 6.4); // as on the shipped rows
    }
}

TEST_CASE("a copy reads and writes its bytes from memory that holds nothing of it") {
    const auto answers =
        answersTo(kKernelColumns + "h100_sxm,torch,2,copy,bfloat16,,,,,,,,,,,,1000000000,700\n" +
                  "h100_sxm,torch,2,copy,bfloat16,,,,,,,,,,,,,700\n");
    REQUIRE(answers.size() == 2);
    CHECK(off(answers[0].rooflineUs, 2e9 / 3.35e6) < 1e-12);
    CHECK(answers[0].predictedUs > answers[0].rooflineUs);
    CHECK(contains(answers[1].why, "column bytes: it is empty, and copy needs it"));
}

TEST_CASE("rows without an answer say why, and the others are answered beside them") {
    const auto answers =
        answersTo(kKernelColumns + "h100_sxm,trtllm,1,gemm,bfloat16,64,10240,8192,,,,,,,,,,64\n" +
                  "h900,trtllm,1,gemm,bfloat16,64,10240,8192,,,,,,,,,,64\n" +
                  "h100_sxm,trtllm,1,gemm,nvfp4,64,10240,8192,,,,,,,,,,64\n" +
                  "h100_sxm,trtllm,1,gemm,bfloat16,64,,8192,,,,,,,,,,64\n" +
                  "h100_sxm,trtllm,1,conv2d,bfloat16,64,1,8192,,,,,,,,,,64\n" +
                  "l40s,trtllm,1,gemm,nvfp4,64,10240,8192,,,,,,,,,,64\n" +
                  "a100_sxm,trtllm,1,attention_generation,bfloat16,,,,4,1000,32,8,128,fp8,,,,64\n");
    REQUIRE(answers.size() == 7);
    CHECK(answers[0].answered());
    CHECK(answers[0].predictedUs > 40.0);
    CHECK(answers[0].bound == KernelBound::Memory);
    const std::pair<std::size_t, const char*> reasons[] = {{1, "unknown name \"h900\""},
                                                           {2, "FP4 is not native on Hopper"},
                                                           {3, "column n: it is empty, and gemm needs it"},
                                                           {4, "unknown operation \"conv2d\""},
                                                           {5, "FP4 is not native on Ada"},
                                                           {6, "no constants for ampere, trtllm, fp8, gqa"}};
    for (const auto& [i, why] : reasons) {
        CAPTURE(answers[i].why);
        CHECK_FALSE(answers[i].answered());
        CHECK(answers[i].why.find(why) != std::string::npos);
    }
    const auto groups = groupErrors(answers.rows, std::vector<std::string>{"device", "op"});
    REQUIRE(groups.size() == 1); // one row is a group too
    CHECK(groups[0].labels == std::vector<std::string>{"h100_sxm", "gemm"});
    CHECK(groups[0].rows == 1);
    CHECK(groups[0].medianPercent == groups[0].p90Percent);
    CHECK(errorOf([&] {
              groupErrors(answers.rows, std::vector<std::string>{"colour"});
          }).find("unknown value \"colour\"") != std::string::npos);
}

TEST_CASE("devices that were never fitted are answered by their architecture's constants") {
    const auto answers =
        answersTo(kKernelColumns + "h200_sxm,trtllm,1,allreduce,bfloat16,,,,,,,,,,,8,65536,4.8\n" +
                  "gb300,nccl,2,nccl_alltoall,half,,,,,,,,,,,4,262144,17\n");
    REQUIRE(answers.size() == 2);
    CHECK(answers[0].answered());
    CHECK(off(answers[0].predictedUs, 4.80031) < 1e-5); // as h100's: section 9
    CHECK(off(answers[1].predictedUs, 17.1005) < 1e-5); // as gb200's
}

TEST_CASE("without recorded counts the pairs of a rank follow from the routing") {
    const std::string header = "op,device,kernel,format,odd,tokens,hidden,inter,topk,experts,tp,ep,routing,"
                               "assigned,touched,batch,context,heads,nodes,sms,us\n";
    const auto answers = answersTo(
        header + "moe,h100_sxm,trtllm cutlass bf16,bf16,0,64,4096,1536,8,128,1,1,balanced,,,,,,,,800\n" +
        "moe,h100_sxm,trtllm cutlass bf16,bf16,0,64,4096,1536,8,128,1,1,balanced,512,128,,,,,,800\n" +
        "moe,h100_sxm,trtllm cutlass bf16,bf16,0,64,4096,1536,8,128,1,8,power_law_1.2,,,,,,,,800\n" +
        "moe,h100_sxm,trtllm cutlass bf16,bf16,0,64,4096,1536,8,128,1,8,mine,,,,,,,,800\n" +
        "deepep_normal_combine,h100_sxm,deepep,bf16,0,4096,7168,,8,256,,,,,,,,,2,24,2000\n" +
        "deepep_normal_combine,h100_sxm,deepep,bf16,0,4096,7168,,8,256,,,,,,,,,2,0,2000\n");
    REQUIRE(answers.size() == 6);
    CHECK(answers[0].predictedUs == answers[1].predictedUs);
    CHECK(answers[2].answered());
    CHECK(answers[2].predictedUs < answers[0].predictedUs);
    CHECK(answers[3].why.find("\"mine\" is none") != std::string::npos);
    CHECK(off(answers[4].predictedUs, 2141.6526) < 1e-6); // moe_parallel.md, golden value 65
    CHECK(answers[5].why.find("column sms") != std::string::npos);
    CHECK(validationLabel(answers[0], "framework") == "trtllm");
    CHECK(validationLabel(answers[0], "precision") == "bf16");
    CHECK(validationLabel(answers[4], "version") == "-");
}

TEST_CASE("beside each answer stands what a plain roofline gives, and it is far worse") {
    const auto rooflineOf = [](const std::string& row) {
        return answersTo(kKernelColumns + row)[0].rooflineUs;
    };
    const auto& h100 = kernels().gpu("h100_sxm").figures;
    const double memory = h100.memoryBytesPerUs();
    CHECK(off(rooflineOf("h100_sxm,trtllm,1,gemm,bfloat16,64,10240,8192,,,,,,,,,,64\n"),
              (64.0 * 8192 * 2 + 10240.0 * 8192 * 2 + 64.0 * 10240 * 2) / memory) < 1e-12);
    CHECK(off(rooflineOf("h100_sxm,trtllm,1,gemm,fp8,8192,8192,8192,,,,,,,,,,64\n"),
              2.0 * 8192 * 8192 * 8192 / h100.flopPerUs(Rate::Fp8)) < 1e-12);
    // A window of 512 keys: the first 512 queries see 1, 2, ... of them, the others all.
    CHECK(
        off(rooflineOf("h100_sxm,trtllm,1,attention_context,bfloat16,,,,2,4096,32,8,128,bfloat16,512,,,64\n"),
            4.0 * 2 * 32 * 128 * (512.0 * 513 / 2 + 3584.0 * 512) / h100.flopPerUs(Rate::Bf16)) < 1e-12);
    CHECK(off(rooflineOf("h100_sxm,trtllm,1,attention_generation,bfloat16,,,,8,4096,32,8,128,fp8,,,,64\n"),
              8.0 * (2 * 4096 * 8 * 128 + 4 * 32 * 128) / memory) < 1e-12);
    CHECK(off(rooflineOf("h100_sxm,trtllm,1,allreduce,bfloat16,,,,,,,,,,,8,65536,4.8\n"),
              2.0 * 7 / 8 * 65536 / (h100.linkGbs * 1e3)) < 1e-12);
    CHECK(off(rooflineOf("h100_sxm,nccl,1,nccl_all_gather,half,,,,,,,,,,,4,65536,4.8\n"),
              3.0 / 4 * 65536 / (h100.linkGbs * 1e3)) < 1e-12);
    for (const auto* file : {"kernels.csv", "experts.csv", "attention.csv"}) {
        const auto answers = answersOf(file);
        for (const auto& row : answers.rows)
            CHECK(row.rooflineUs > 0.0);
        for (const auto& group : groupErrors(answers.rows, std::vector<std::string>{"op"})) {
            CAPTURE(group.labels.front());
            CHECK(group.rooflinePercent > 2 * group.medianPercent);
        }
    }
}
