// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/runtime_choice.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/remedies.h"
#include "engine/evaluation/simulate.h"
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

TEST_CASE("a checkpoint's own KV cache stays with every runtime that has it, whatever is chosen first") {
    auto model = catalog().model("gpt-oss-120b", "test");
    model.kvBits = {8.0, Provenance::Datasheet, "a checkpoint with kv_cache_scheme"};
    auto served = preset("served/gpt-oss-120b-h100");
    for (const auto* runtime : {"vllm", "trtllm", "ideal"}) {
        CAPTURE(runtime);
        auto modelFirst = served;
        applyEdit(modelFirst, takeModel(modelFirst, model));
        CHECK(nodeOf(modelFirst, "gpu").runtime->kvBits.value == 8);
        modelFirst = with(modelFirst, "nodes.gpu.runtime", runtime);
        CHECK(nodeOf(modelFirst, "gpu").runtime->kvBits.value == 8);
        auto runtimeFirst = with(served, "nodes.gpu.runtime", runtime);
        applyEdit(runtimeFirst, takeModel(runtimeFirst, model));
        CHECK(nodeOf(runtimeFirst, "gpu").runtime->kvBits.value == 8);
    }
    CHECK(nodeOf(with(served, "nodes.gpu.runtime", "trtllm"), "gpu").runtime->kvBits.value ==
          nodeOf(served, "gpu").runtime->kvBits.value);
}

TEST_CASE("where the runtime cannot stay the nearest takes its place, keeps the precisions and says so") {
    const auto before = preset("glitches/a100-7u280");
    const auto after = with(before, "nodes.gpu.device", "tpu-v5p");
    const auto& runtime = *nodeOf(after, "gpu").runtime;
    CHECK(runtime.id == "class-rule"); // nobody measured it
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
    CHECK(nodeOf(with(before, "nodes.gpu.runtime", "sglang"), "gpu").server->id == "vllm"); // it was set
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

TEST_CASE("what a design rests on is that of the part that says least") {
    const auto ideal = preset("preserve/llama3-70b-8h100");
    CHECK(truthOf(ideal) == Truth::Ideal);
    CHECK(truthOf(with(ideal, "nodes.gpu.timing.decode.memory_efficiency", "0.8")) == Truth::Modelled);
    CHECK(truthOf(preset("glitches/a100-7u280")) == Truth::Modelled);
    CHECK(truthOf(Scenario{}) == Truth::Modelled);
    auto served = preset("served/gpt-oss-120b-h100");
    CHECK(truthOf(served) == Truth::Served);
    CHECK(truthOf(with(served, "nodes.gpu.server", "none")) == Truth::Kernels);
    auto second = nodeOf(ideal, "gpu"); // beside a measured one, whatever it does
    second.id = NodeId{"second"};
    second.role = Role::Ffn;
    served.nodes.push_back(second);
    CHECK(truthOf(served) == Truth::Ideal);
    served.nodes.back().role = Role::Fabric;
    CHECK(truthOf(served) == Truth::Served);
}

TEST_CASE("kernels of a server that are set by hand bring it where none is set") {
    const auto bare = with(preset("served/gpt-oss-120b-h100"), "nodes.gpu.server", "none");
    for (const auto* id : {"vllm", "sglang", "trtllm"}) {
        CAPTURE(id);
        const auto after = with(bare, "nodes.gpu.runtime", id);
        REQUIRE(nodeOf(after, "gpu").server);
        CHECK(nodeOf(after, "gpu").server->id == id);
        CHECK(truthOf(after) == Truth::Served);
        CHECK(truthOf(with(after, "nodes.gpu.server", "none")) == Truth::Kernels);
    }
    CHECK_FALSE(nodeOf(with(bare, "nodes.gpu.runtime", "best"), "gpu").server); // no server's
    // Not on a device that they were not measured on.
    const auto unmeasured = with(preset("preserve/llama3-70b-8h100"), "nodes.gpu.device", "mi355x");
    CHECK_FALSE(nodeOf(with(unmeasured, "nodes.gpu.runtime", "vllm"), "gpu").server);
}

TEST_CASE("a server with kernels that are not its own is told so, and either can give way") {
    const auto isTold = [](const Scenario& scenario) -> std::optional<Diagnostic> {
        for (const auto& finding : validate(scenario))
            if (finding.code == "server_runtime")
                return finding;
        return std::nullopt;
    };
    const auto agreed = preset("served/gpt-oss-120b-h100");
    CHECK_FALSE(isTold(agreed));
    const auto unlike = with(agreed, "nodes.gpu.runtime", "sglang");
    const auto told = isTold(unlike);
    REQUIRE(told);
    CHECK(told->severity == Severity::Warning);
    CHECK(contains(told->message, "vLLM V1 serves on H100"));
    CHECK(contains(told->remedy, "nodes.gpu.runtime=vllm"));
    CHECK_FALSE(isTold(with(unlike, "nodes.gpu.runtime", "vllm")));
    CHECK_FALSE(isTold(with(unlike, "nodes.gpu.server", "sglang")));
    const auto remedies = candidatesAgainst(unlike, catalog(), *told);
    REQUIRE(remedies.size() == 2);
    for (const auto& remedy : remedies) {
        auto after = unlike;
        applyEdit(after, remedy.edit);
        CHECK_FALSE(isTold(after));
    }
}

TEST_CASE("designs are made of one kind of truth, measured where all can be, at their precisions") {
    const auto made = [](std::vector<Scenario> designs) {
        const auto edits = likeForLike(designs, catalog());
        REQUIRE(edits.size() == designs.size());
        for (std::size_t i = 0; i < designs.size(); ++i)
            applyEdit(designs[i], edits[i]);
        return designs;
    };
    const auto served = preset("served/gpt-oss-120b-h100");
    const auto ideal = with(with(served, "nodes.gpu.runtime", "ideal"), "nodes.gpu.runtime.weight_bits", "8");
    for (const auto& design : made({served, ideal, with(served, "nodes.gpu.server", "none")})) {
        CHECK(truthOf(design) == Truth::Served);
        CHECK_FALSE(hasErrors(validate(design)));
    }
    CHECK(likeForLike(std::vector{served, ideal}, catalog())[0].edits.empty()); // it is so already
    const auto amd = with(served, "nodes.gpu.device", "mi355x"); // no kernels were measured there
    REQUIRE(truthOf(amd) == Truth::Class);
    const auto ruled = made({served, amd});
    for (const auto& design : ruled)
        CHECK(truthOf(design) == Truth::Class);
    CHECK(nodeOf(ruled[0], "gpu").runtime->weightBits == nodeOf(served, "gpu").runtime->weightBits);
    CHECK(ruled[1] == amd);
    const auto bound = truthEdit(amd, Truth::Ideal, catalog());
    REQUIRE(bound);
    auto atPeaks = amd;
    applyEdit(atPeaks, *bound);
    CHECK(truthOf(atPeaks) == Truth::Ideal);
    // What offloads is neither.
    CHECK(likeForLike(std::vector{served, preset("inf2/opt-30b-a100-16csd")}, catalog()).empty());
}

TEST_CASE("requests of served designs are batched as their servers do, unless batching was chosen") {
    const auto before = preset("served/gpt-oss-120b-h100");
    REQUIRE(before.serving.batching->id() == "static");
    const auto edit = setEdit(before, catalog(), "serving.arrivals", "closed_loop");
    CHECK(describe(before, edit) == "Set arrivals to closed_loop, batching to mixed as the server does");
    const auto users = with(before, "serving.arrivals", "closed_loop");
    CHECK(users.serving.batching->id() == "mixed");
    CHECK(with(with(before, "nodes.gpu.server", "trtllm"), "serving.arrivals", "poisson")
              .serving.batching->id() == "whole");
    // Requests wait for no whole batch any more.
    auto evaluation = evaluate(users);
    setServingMetrics(simulate(users, evaluation), evaluation);
    CHECK(evaluation.metric(Metric::FirstTokenP50) < 2.0);
    // Chosen afterwards it stays, with a warning and its remedy; other arrivals leave it alone.
    const auto chosen = with(users, "serving.batching", "static");
    CHECK(with(chosen, "serving.arrivals", "backlog").serving.batching->id() == "static");
    auto slow = evaluate(chosen);
    setServingMetrics(simulate(chosen, slow), slow);
    CHECK(slow.metric(Metric::FirstTokenP50) > 10.0);
    const auto findings = validate(chosen);
    const auto warned = std::find_if(findings.begin(), findings.end(), [](const Diagnostic& finding) {
        return finding.code == "server_batching";
    });
    REQUIRE(warned != findings.end());
    CHECK(warned->severity == Severity::Warning);
    const auto found = remedies(chosen, catalog(), *warned);
    REQUIRE_FALSE(found.empty());
    auto mended = chosen;
    applyEdit(mended, found.front().edit);
    CHECK(mended.serving.batching->id() == "mixed");
    // Without a server nothing comes along.
    CHECK(with(preset("glitches/a100-7u280"), "serving.arrivals", "poisson").serving.batching->id() ==
          "static");
}
