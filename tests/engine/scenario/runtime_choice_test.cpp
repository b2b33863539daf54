// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/runtime_choice.h"

#include "engine/scenario/clip.h"
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

TEST_CASE("a node's runtime stays when its device is replaced by one without kernels that it can run on") {
    const auto before = preset("glitches/a100-7u280");
    const auto after = with(before, "nodes.gpu.device", "v100s");
    CHECK(nodeOf(after, "gpu").runtime->id == "hf-eager");
    CHECK_FALSE(nodeOf(after, "gpu").server);
    CHECK(describe(before, setEdit(before, catalog(), "nodes.gpu.device", "v100s")) ==
          "Replace A100 80GB by " + nodeOf(after, "gpu").device.name);
    // With what was calibrated for the new device ...
    CHECK(*nodeOf(after, "gpu").runtime == catalog().runtime("hf-eager", "").on(nodeOf(after, "gpu").device));
    // ... and what was set on the node.
    const auto set = with(with(before, "nodes.gpu.runtime.kv_bits", "8"), "nodes.gpu.device", "v100s");
    CHECK(nodeOf(set, "gpu").runtime->kvBits.value == 8);
    CHECK(nodeOf(set, "gpu").runtime->weightBits.value == 16);
    // The same device again changes nothing.
    CHECK(with(before, "nodes.gpu.device", "a100-80gb").nodes == before.nodes);
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
    const auto edit = setEdit(before, catalog(), "nodes.gpu.device", "tpu-v5p");
    CHECK(describe(before, edit) == "Replace A100 80GB by " + nodeOf(after, "gpu").device.name + ", " +
                                        runtime.name + " in place of " + nodeOf(before, "gpu").runtime->name);
}

TEST_CASE("precisions that no runtime of the new device has are named") {
    const auto before = preset("glitches/8a100");
    const auto after = with(before, "nodes.gpu.device", "u280");
    CHECK(nodeOf(after, "gpu").runtime->id == "glitches-fpga"); // what is usual there
    CHECK(describe(before, setEdit(before, catalog(), "nodes.gpu.device", "u280"))
              .ends_with("(weights 16 to 4 bit, activations 16 to 8 bit, KV cache 16 to 8 bit)"));
}

TEST_CASE("a freshly placed GPU has a server and its kernels where they were measured, else neither") {
    std::size_t served = 0;
    for (const auto& device : catalog().devices) {
        CAPTURE(device.id);
        Node node;
        node.device = device;
        placeSoftware(node, catalog());
        CHECK(node.runtime.has_value() == isAccelerator(device.kind));
        CHECK(node.server.has_value() == !device.kernels.empty());
        if (!node.server)
            continue;
        CHECK(node.server->id == "vllm");
        CHECK(node.runtime->id == node.server->runtime);
        CHECK(canRun(*node.runtime, device));
        ++served;
    }
    CHECK(served >= 18);
    for (const auto& group : loadGroups(catalog()))
        for (const auto& node : group.clip.nodes) {
            CAPTURE(group.id);
            CHECK(node.server.has_value() == !node.device.kernels.empty());
        }
}

TEST_CASE(
    "a GPU with kernels in place of another is served with measured kernels, in one step that says so") {
    const auto check = [](const Scenario& before, const char* id, const char* device, const char* server) {
        CAPTURE(device);
        const auto edit = setEdit(before, catalog(), std::string("nodes.") + id + ".device", device);
        auto after = before;
        const auto inverse = applyEdit(after, edit);
        const auto& node = nodeOf(after, id);
        REQUIRE(node.server);
        CHECK(node.server->id == server);
        CHECK(timedByKernels(*node.runtime));
        CHECK(contains(describe(before, edit), "served as " + node.server->name) !=
              nodeOf(before, id).server.has_value());
        applyEdit(after, inverse);
        CHECK(after.nodes == before.nodes);
    };
    for (const auto* device : {"a100-80gb", "h100-pcie", "b200-sxm", "l40s"}) {
        check(preset("preserve/llama3-70b-8npu"), "npu", device, "vllm"); // of an NPU
        if (std::string_view(device) != "a100-80gb")
            check(preset("glitches/8a100"), "gpu", device, "vllm"); // of an eager one
        const auto served = with(preset("served/deepseek-v3-8h200-tp8"), "nodes.gpu.server", "sglang");
        check(served, "gpu", device, "sglang");
    }
    // 8 bit that an A100 does not multiply stays where it is kept; no ideal runtime takes its place.
    auto narrow = with(preset("served/gpt-oss-120b-h100"), "nodes.gpu.server", "vllm");
    for (const auto* bits : {"weight_bits", "activation_bits", "kv_bits"})
        narrow = with(narrow, std::string("nodes.gpu.runtime.") + bits, "8");
    check(narrow, "gpu", "a100-80gb", "vllm");
    CHECK(nodeOf(with(narrow, "nodes.gpu.device", "a100-80gb"), "gpu").runtime->weightBits.value == 8);
}

TEST_CASE("a device without kernels takes the server with it") {
    const auto before = with(preset("served/gpt-oss-120b-h100"), "nodes.gpu.server", "vllm");
    const auto edit = setEdit(before, catalog(), "nodes.gpu.device", "mi300x");
    auto after = before;
    const auto inverse = applyEdit(after, edit);
    CHECK_FALSE(nodeOf(after, "gpu").server);
    CHECK(describe(before, edit).ends_with(", no server"));
    applyEdit(after, inverse);
    CHECK(after.nodes == before.nodes);
}

TEST_CASE("a runtime that is not timed by kernels takes the server with it") {
    const auto before = with(preset("served/gpt-oss-120b-h100"), "nodes.gpu.server", "vllm");
    CHECK(nodeOf(with(before, "nodes.gpu.runtime", "sglang"), "gpu").server->id == "vllm");
    CHECK_FALSE(nodeOf(with(before, "nodes.gpu.runtime", "ideal"), "gpu").server);
    CHECK(
        describe(before, setEdit(before, catalog(), "nodes.gpu.runtime", "ideal")).ends_with(", no server"));
}

TEST_CASE("what offloads stays as it is on another GPU: nothing serves it") {
    const auto before = preset("inf2/opt-30b-a100-16csd");
    const auto& gpu = nodeOf(with(before, "nodes.gpu.device", "h100-pcie"), "gpu");
    CHECK(gpu.runtime->id == "inf2");
    CHECK_FALSE(gpu.server);
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
