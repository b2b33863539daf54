// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"
#include "tests/places.h"

#include <filesystem>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// What reading says of the shipped constants with one file changed.
std::string changed(const std::string& file, const std::function<void(Json&)>& change) {
    const TemporaryFolder folder;
    std::filesystem::copy(std::string(heteroscape::places::kPresetsFolder) + "/kernels",
                          folder.path() + "/kernels");
    const auto path = folder.path() + "/kernels/" + file;
    auto json = readJsonFile(path);
    change(json);
    writeFileAtomically(path, json.dump());
    return errorOf([&] { loadKernelCatalog(folder.path()); });
}

bool names(const std::string& message, const std::string& text) {
    CAPTURE(message);
    return message.find(text) != std::string::npos;
}

} // namespace

TEST_CASE("shipped constants say what they were fitted on and how far off they are") {
    const auto& all = kernels();
    CHECK(all.architectures.size() == 5);
    CHECK(all.gpus.size() == 23);
    CHECK(all.gemm.rows.size() == 42);
    CHECK(all.attentionContext.rows.size() == 31);
    CHECK(all.attentionGeneration.rows.size() == 54);
    CHECK(all.moe.rows.size() == 34);
    CHECK(all.gemm.fittedOn.size() == 5);
    for (const auto& row : all.gemm.rows) {
        CAPTURE(row.names[2]);
        CHECK_FALSE(row.heldOut.empty());
    }
    const auto& h100 = all.gemm.require({"hopper", "trtllm", "bfloat16"});
    REQUIRE(h100.heldOut.size() == 2);
    CHECK(h100.heldOut[0].device == "h100_sxm");
    CHECK(h100.heldOut[0].medianPercent == 3.6);
    CHECK(h100.heldOut[1].what == "device");
    CHECK(h100.heldOut[1].p90Percent == 12.6);
    CHECK(off(all.gpu("h100_sxm").figures.clockGhz, 1.8292) < 1e-4);
}

TEST_CASE("another framework stands in where one has no constants, and nothing for a peak") {
    const auto& on = gpu("h100_sxm");
    CHECK(kernels().gemmFor(on, "vllm", "fp8_block").names[1] == "trtllm");
    CHECK(kernels().gemmFor(on, "sglang", "fp8_block").names[1] == "sglang");
    CHECK(
        names(errorOf([&] { kernels().gemmKernel(on, "trtllm", "nvfp4"); }), "FP4 is not native on Hopper"));
    auto without = gpu("b200_sxm");
    without.figures.tflops[2] = 0;
    CHECK(names(errorOf([&] { kernels().gemmKernel(without, "trtllm", "nvfp4"); }), "no fp4 peak"));
    CHECK(names(errorOf([&] { kernels().gpu("h900"); }), "unknown name \"h900\""));
}

TEST_CASE("another architecture stands in where one was not measured, for what the device multiplies") {
    const auto experts = [](const char* device, const char* framework, const char* format) {
        const auto& row = kernels().moeFor(gpu(device), framework, format);
        return row.names[0] + " " + row.names[1];
    };
    CHECK(experts("l40s", "vllm", "bf16") == "ampere sglang triton bf16");
    CHECK(experts("l40s", "trtllm", "fp8") == "hopper trtllm cutlass fp8");
    CHECK(experts("l40s", "sglang", "nvfp4") == "ampere sglang marlin int4"); // unpacked: no FP4 there
    CHECK(experts("rtx_pro_6000_server", "vllm", "nvfp4") == "blackwell vllm flashinfer nvfp4");
    CHECK(experts("rtx_pro_6000_server", "vllm", "int8") == "ampere sglang marlin int4");
    CHECK(experts("b200_sxm", "sglang", "int4_g32") == "blackwell vllm marlin int4");
    CHECK(experts("h20", "sglang", "fp8_block") == "hopper sglang triton fp8_block");
    CHECK(names(errorOf([&] { experts("a100_pcie", "vllm", "fp8"); }), "FP8 is not native on Ampere"));
    const auto linear = [&](const char* device, const char* framework, LinearAttentionOp op, bool decodes) {
        const auto& row = kernels().linearAttentionFor(gpu(device), framework, op, decodes);
        return row.names[0] + " " + row.names[1];
    };
    CHECK(linear("a100_sxm", "vllm", LinearAttentionOp::DeltaRule, true) == "ampere sglang");
    CHECK(linear("a100_sxm", "vllm", LinearAttentionOp::DeltaRule, false) == "hopper vllm"); // not measured
    CHECK(linear("l40s", "trtllm", LinearAttentionOp::DeltaConvolution, false) == "ada trtllm");
    CHECK(kernels().mlaSerialFor(gpu("l40s"), false) == kernels().mlaSerialFor(gpu("a100_sxm"), false));
    CHECK(kernels().mlaSerialFor(gpu("gb200"), true) == nullptr);
    CHECK(kernels().mlaPrefillFor(gpu("l40s"), "vllm", true).names[0] == "ampere");
}

TEST_CASE("bad files of constants are refused with file and key") {
    CHECK(names(changed("gemm.json", [](Json& json) { json["entries"][3].erase("kappa"); }),
                "gemm.json.entries[3]"));
    CHECK(names(changed("gemm.json", [](Json& json) { json["entries"][0]["e_c"] = 0; }), "e_c: 0 is out of"));
    CHECK(names(changed("gemm.json", [](Json& json) { json["entries"][0]["e_c"] = "1"; }),
                "expected a number, found a string"));
    CHECK(names(changed("gemm.json", [](Json& json) { json["entries"][0]["speed"] = 1; }), "speed"));
    CHECK(names(changed("gemm.json", [](Json& json) { json["entries"].push_back(json["entries"][0]); }),
                "there is another entry for hopper, trtllm, bfloat16"));
    CHECK(names(changed("gemm.json", [](Json& json) { json["entries"] = Json::array(); }), "no entry"));
    CHECK(names(changed("gemm.json", [](Json& json) { json["tiles"] = {{0, 4}}; }), "a tile is not a pair"));
    CHECK(names(changed("gemm.json", [](Json& json) { json["id"] = "gem"; }), "not the file's name"));
    CHECK(names(changed("moe.json", [](Json& json) { json["entries"][0]["format"] = "fp3"; }), "fp3"));
    CHECK(names(changed("moe.json", [](Json& json) { json["default_kernels"][0]["kernel"] = "x"; }),
                "no constants for hopper, x"));
    CHECK(names(changed("mla-prefill.json", [](Json& json) { json["entries"][0]["form"] = "new"; }),
                "Allowed: naive, absorbed"));
    CHECK(names(changed("gpus.json", [](Json& json) { json["entries"][1]["sms"] = -1; }), "entries[1].sms"));
    CHECK(names(changed("gpus.json", [](Json& json) { json["entries"][1]["id"] = "a100_sxm"; }),
                "there is another \"a100_sxm\""));
    CHECK(names(changed("gpus.json", [](Json& json) { json["entries"][1]["arch"] = "volta"; }),
                "unknown name \"volta\""));
    CHECK(names(changed("gpus.json", [](Json& json) { json["architectures"][0]["stand_ins"] = {"x"}; }),
                "unknown name \"x\""));
    CHECK(
        names(changed("gpus.json", [](Json& json) { json["architectures"][0]["native"] = {"fp6"}; }), "fp6"));
    CHECK(
        names(changed("nccl.json", [](Json& json) { json["entries"][0]["held_out"][0]["p90_percent"] = 0; }),
              "p90_percent"));
}
