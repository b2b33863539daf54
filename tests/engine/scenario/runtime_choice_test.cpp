// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/runtime_choice.h"

#include "engine/scenario/diagnostics.h"
#include "engine/scenario/edit.h"
#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const Node& nodeOf(const Scenario& scenario, const std::string& id) {
    return *scenario.findNode(NodeId{id});
}

} // namespace

TEST_CASE("a node's runtime stays when its device is replaced by one that it can run on") {
    const auto before = preset("glitches/a100-7u280");
    const auto after = with(before, "nodes.gpu.device", "h100-pcie");
    CHECK(nodeOf(after, "gpu").runtime->id == "hf-eager");
    CHECK(describe(before, setEdit(before, catalog(), "nodes.gpu.device", "h100-pcie")) ==
          "Replace A100 80GB by " + nodeOf(after, "gpu").device.name);
    // With what was calibrated for the new device ...
    CHECK(*nodeOf(after, "gpu").runtime == catalog().runtime("hf-eager", "").on(nodeOf(after, "gpu").device));
    // ... and what was set on the node.
    const auto set = with(with(before, "nodes.gpu.runtime.kv_bits", "8"), "nodes.gpu.device", "h100-pcie");
    CHECK(nodeOf(set, "gpu").runtime->kvBits.value == 8);
    CHECK(nodeOf(set, "gpu").runtime->weightBits.value == 16);
}

TEST_CASE("where the runtime cannot stay the nearest takes its place, keeps the precisions and says so") {
    const auto before = preset("glitches/a100-7u280");
    const auto after = with(before, "nodes.gpu.device", "tpu-v5p");
    const auto& runtime = *nodeOf(after, "gpu").runtime;
    CHECK(runtime.id == "fused-fp16");
    CHECK(runtime.weightBits.value == 16);
    CHECK(runtime.activationBits.value == 16);
    CHECK(runtime.kvBits.value == 16);
    CHECK_FALSE(hasErrors(validate(after)));
    const auto change = runtimeChange(nodeOf(before, "gpu"), runtime);
    CHECK(change == runtime.name + " in place of " + nodeOf(before, "gpu").runtime->name);
    const auto edit = setEdit(before, catalog(), "nodes.gpu.device", "tpu-v5p");
    CHECK(describe(before, edit) ==
          "Replace A100 80GB by " + nodeOf(after, "gpu").device.name + ", " + change);
}

TEST_CASE("precisions that no runtime of the new device has are named") {
    const auto before = preset("glitches/8a100");
    const auto after = with(before, "nodes.gpu.device", "u280");
    CHECK(nodeOf(after, "gpu").runtime->id == "glitches-fpga"); // what is usual there
    CHECK(runtimeChange(nodeOf(before, "gpu"), nodeOf(after, "gpu").runtime)
              .ends_with("(weights 16 to 4 bit, activations 16 to 8 bit, KV cache 16 to 8 bit)"));
}

TEST_CASE("what a runtime needs of a device and does not find keeps it away") {
    auto device = catalog().device("h100-pcie", "");
    const auto runtime = catalog().runtime("fused-fp16", "").on(device);
    CHECK(canRun(runtime, device));
    device.peakFp16 = {};
    REQUIRE(missingQuantities(runtime, device).size() == 1);
    CHECK(missingQuantities(runtime, device)[0].key == "peak_fp16_tflops");
    CHECK_FALSE(canRun(runtime, device));
}

TEST_CASE("a design is ideal where any of its runtimes reaches every peak") {
    const auto ideal = preset("preserve/llama3-70b-8h100");
    CHECK(runsIdeal(ideal));
    CHECK_FALSE(runsIdeal(with(ideal, "nodes.gpu.timing.decode.memory_efficiency", "0.8")));
    CHECK_FALSE(runsIdeal(preset("glitches/a100-7u280")));
    CHECK_FALSE(runsIdeal(Scenario{}));
}
