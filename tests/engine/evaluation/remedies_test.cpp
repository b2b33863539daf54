// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/remedies.h"

#include "engine/evaluation/evaluate.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cctype>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Scenario glitches() {
    return preset("glitches/a100-7u280");
}
Scenario preserve() {
    return preset("preserve/llama3-70b-8npu");
}
Scenario inf2() {
    return preset("inf2/opt-30b-a100-16csd");
}

Scenario without(Scenario scenario, const std::string& link) {
    applyEdit(scenario, RemoveLink{{link}});
    return scenario;
}

Scenario withRole(Scenario scenario, const std::string& node, Role role) {
    scenario.findNode({node})->role = role;
    return scenario;
}

Scenario withRuntime(Scenario scenario, const std::string& node, const std::string& runtime) {
    auto& found = *scenario.findNode({node});
    if (runtime.empty())
        found.runtime.reset();
    else
        found.runtime = catalog().runtime(runtime, "test").on(found.device);
    return scenario;
}

const Diagnostic* findingOf(const std::vector<Diagnostic>& findings, const std::string& code) {
    const auto found = std::find_if(findings.begin(), findings.end(),
                                    [&code](const Diagnostic& finding) { return finding.code == code; });
    return found == findings.end() ? nullptr : &*found;
}

std::size_t errors(const Scenario& scenario) {
    const auto findings = validate(scenario);
    return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), [](const auto& finding) {
        return finding.severity == Severity::Error;
    }));
}

/// Every remedy takes this very finding away and brings no error; gives the labels.
std::vector<std::string> remediesOf(const Scenario& scenario, const Diagnostic& finding) {
    std::vector<std::string> labels;
    for (const auto& remedy : remedies(scenario, catalog(), finding)) {
        CAPTURE(remedy.label);
        CHECK(std::isupper(static_cast<unsigned char>(remedy.label.front())));
        auto after = scenario;
        const auto inverse = applyEdit(after, remedy.edit);
        for (const auto& left : validate(after))
            CHECK_FALSE((left.code == finding.code && left.subject == finding.subject &&
                         left.message == finding.message));
        CHECK(errors(after) <= errors(scenario));
        applyEdit(after, inverse); // one edit takes it back
        CHECK(after == scenario);
        labels.push_back(remedy.label);
    }
    CHECK(labels.size() <= kMostRemedies);
    return labels;
}

std::vector<std::string> against(const Scenario& scenario, const std::string& code) {
    const auto findings = validate(scenario);
    const auto* finding = findingOf(findings, code);
    REQUIRE_MESSAGE(finding, code);
    auto labels = remediesOf(scenario, *finding);
    CHECK_MESSAGE(!labels.empty(), code);
    return labels;
}

bool has(const std::vector<std::string>& labels, const std::string& label) {
    return std::find(labels.begin(), labels.end(), label) != labels.end();
}

} // namespace

TEST_CASE("remedies: runtimes") {
    const auto none = against(withRuntime(glitches(), "gpu", ""), "no_runtime");
    const auto* usual = catalog().defaultRuntime(catalog().device("a100-80gb", "test"));
    CHECK(has(none, "Run " + usual->base.name));
    CHECK(none.size() == kMostRemedies);
    against(withRuntime(glitches(), "gpu", "flightllm"), "runtime_mismatch");
}

TEST_CASE("remedies: roles") {
    CHECK(has(against(withRole(glitches(), "gpu", Role::Fabric), "no_part"),
              "Let A100 80GB prefill and decode"));
    CHECK(
        has(against(withRole(glitches(), "gpu", Role::Decode), "nothing_prefills"), "Let A100 80GB prefill"));
    CHECK(has(against(withRole(glitches(), "fpga", Role::Prefill), "nothing_decodes"),
              "Serve whole requests everywhere"));
    against(withRole(glitches(), "fpga", Role::Prefill), "prefills_for_nobody");
    against(withRole(glitches(), "gpu", Role::Decode), "waits_for_nobody");
}

TEST_CASE("remedies: shards") {
    auto odd = with(preserve(), "nodes.npu.replicas", "3");
    const auto labels = against(odd, "unequal_shards");
    CHECK(has(labels, "Use 2 replicas"));
    CHECK(has(labels, "Use 9 devices"));
    auto narrow = with(with(preserve(), "model.kv_heads", "4"), "model.heads", "4");
    CHECK(has(against(narrow, "too_many_shards"), "Use 2 replicas"));
}

TEST_CASE("remedies: links to what is there") {
    CHECK(has(against(without(preserve(), "npu-switch"), "no_collective"),
              "Link to " + preserve().findNode({"switch"})->shownName() + " over " +
                  preserve().findLink({"npu-switch"})->type.name));
    CHECK(has(against(without(glitches(), "host-fpga"), "no_kv_path"), "Link to Host CPU over PCIe 3.0 x16"));
    against(without(inf2(), "gpu-host"), "no_host");
    against(without(inf2(), "uplink"), "no_storage");
    against(without(inf2(), "uplink"), "unused_storage");
    against(without(without(glitches(), "host-fpga"), "gpu-host"), "unlinked");
}

TEST_CASE("remedies: a part that is missing is added and linked") {
    auto alone = preserve();
    applyEdit(alone, removeEdit(alone, {{"switch"}}, {}));
    for (const auto& node : preserve().nodes)
        if (isFabric(node.device.kind) && node.id.value != "switch")
            applyEdit(alone, removeEdit(alone, {node.id}, {}));
    const auto labels = against(alone, "no_collective");
    CHECK(labels.front().starts_with("Add "));
    auto hostless = inf2();
    applyEdit(hostless, removeEdit(hostless, {{"host"}}, {}));
    CHECK(against(hostless, "no_host").front().starts_with("Add "));
}

TEST_CASE("remedies: switches that do nothing") {
    auto idle = with(preserve(), "techniques.load_merging.enabled", "true");
    const auto findings = validate(idle);
    const auto note = std::find_if(findings.begin(), findings.end(), [](const auto& finding) {
        return finding.subject == "techniques.load_merging.enabled";
    });
    REQUIRE(note != findings.end());
    CHECK(remediesOf(idle, *note) == std::vector<std::string>{"Switch off Load merging"});
    auto lone = with(with(inf2(), "techniques.attention_near_storage.enabled", "false"),
                     "techniques.delayed_writeback.enabled", "true");
    CHECK(has(against(lone, "needs_technique"), "Switch on Attention near storage"));
    auto chunked = with(with(glitches(), "serving.arrivals", "poisson"), "serving.chunk_tokens", "256");
    CHECK(has(against(chunked, "needs_batching"), "Use continuous batching"));
}

TEST_CASE("remedies: nothing is offered where nothing helps") {
    Scenario empty = glitches();
    applyEdit(empty, removeEdit(empty, {{"gpu"}, {"fpga"}}, {}));
    const auto findings = validate(empty);
    const auto* finding = findingOf(findings, "no_accelerator");
    REQUIRE(finding);
    CHECK(remedies(empty, catalog(), *finding).empty());
    CHECK(remediesForShortfall(glitches(), catalog(), evaluate(glitches())).empty());
}

namespace {

std::vector<std::string> againstShortfall(const Scenario& scenario) {
    const auto before = evaluate(scenario);
    REQUIRE_FALSE(before.feasible);
    REQUIRE(before.shortNode < scenario.nodes.size());
    std::vector<std::string> labels;
    for (const auto& remedy : remediesForShortfall(scenario, catalog(), before)) {
        CAPTURE(remedy.label);
        auto after = scenario;
        applyEdit(after, remedy.edit);
        CHECK_FALSE(hasErrors(validate(after)));
        CHECK_FALSE(evaluate(after).nodes[before.shortNode].shortfall);
        labels.push_back(remedy.label);
    }
    CHECK(labels.size() <= kMostRemedies);
    CHECK(!labels.empty());
    return labels;
}

bool hasStart(const std::vector<std::string>& labels, const std::string& start) {
    return std::any_of(labels.begin(), labels.end(),
                       [&start](const auto& label) { return label.starts_with(start); });
}

} // namespace

TEST_CASE("remedies: memory of devices") {
    // 70 billion 16-bit weights on one A100: shared by several, in fewer bits, or kept on the host.
    auto one = with(glitches(), "model", "llama3-70b");
    one = withRole(without(one, "host-fpga"), "gpu", Role::Both);
    applyEdit(one, removeEdit(one, {{"fpga"}}, {}));
    one.techniques[disaggregation()].enabled = false;
    const auto labels = againstShortfall(one);
    CHECK(hasStart(labels, "Share one replica among "));
    CHECK(hasStart(labels, "Run "));
    // The smallest count: one card less does not fit.
    const auto found = remediesForShortfall(one, catalog(), evaluate(one));
    auto after = one;
    applyEdit(after, found.front().edit);
    auto fewer = after;
    fewer.findNode({"gpu"})->count.value -= 1.0;
    if (fewer.findNode({"gpu"})->count.value > 1.0)
        CHECK_FALSE(evaluate(fewer).feasible);
    // Devices that hold a copy each can share one.
    auto four = with(one, "nodes.gpu.count", "4");
    CHECK(has(againstShortfall(four), "Share one replica among its 4 cards"));
}

TEST_CASE("remedies: cards that share a model are joined by the fastest link that both ends have") {
    // Eight cards that hold a copy each, too large for one: what would an architect plug?
    const auto joined = [](const std::string& device) {
        auto alone = with(without(glitches(), "host-fpga"), "nodes.gpu.device", device);
        alone = withRole(alone, "gpu", Role::Both);
        applyEdit(alone, removeEdit(alone, {{"fpga"}, {"host"}}, {}));
        alone.techniques[disaggregation()].enabled = false;
        alone = with(with(alone, "model", "llama3-70b"), "nodes.gpu.count", "8");
        const auto found = remediesForShortfall(alone, catalog(), evaluate(alone));
        REQUIRE(!found.empty());
        CAPTURE(found.front().label);
        CHECK(found.front().label.starts_with("Share one replica among its 8 cards; Add "));
        auto after = alone;
        applyEdit(after, found.front().edit);
        CHECK(evaluate(after).feasible);
        REQUIRE(after.links.size() == 1);
        const auto& link = after.links.front();
        const auto& other = *after.findNode(link.from == NodeId{"gpu"} ? link.to : link.from);
        return other.device.id + " over " + link.type.id;
    };
    CHECK(joined("h100-sxm") == "nvswitch over nvlink4");
    CHECK(joined("h200-sxm") == "nvswitch over nvlink4");
    CHECK(joined("a100-sxm-80gb") == "nvswitch over nvlink3");
    CHECK(joined("h100-pcie") == "pcie-gen5-switch over pcie-gen5-x16");
    CHECK(joined("a100-80gb") == "pcie-switch over pcie-gen4-x16");
}

TEST_CASE("remedies: batches of a size that fits") {
    auto wide = with(preserve(), "workload.batch", "4096");
    const auto labels = againstShortfall(wide);
    const auto found = remediesForShortfall(wide, catalog(), evaluate(wide));
    for (const auto& remedy : found) {
        if (!remedy.label.starts_with("Use batch "))
            continue;
        auto after = wide;
        applyEdit(after, remedy.edit);
        after.workload.batch.value += 1.0; // the largest
        CHECK_FALSE(evaluate(after).feasible);
    }
    CHECK(hasStart(labels, "Use "));
}

TEST_CASE("remedies: another layout for models of equal layers too") {
    // Grouped-query attention of 8 KV heads: tensor parallelism over 16 keeps every cache twice.
    auto wide = presetWith("served/llama3-1-405b-16h100-tp8-pp2", {});
    auto& node = *std::find_if(wide.nodes.begin(), wide.nodes.end(),
                               [](const Node& one) { return one.runtime.has_value(); });
    node.pp = {};
    double batch = wide.workload.batch.value;
    const auto at = [&](double requests) {
        auto design = wide;
        design.workload.batch.value = requests;
        return design;
    };
    while (evaluate(at(batch)).feasible)
        batch *= 1.2;
    const auto full = at(std::ceil(batch));
    const auto labels = againstShortfall(full);
    CHECK(hasStart(labels, "Use tp "));
    const auto found = remediesForShortfall(full, catalog(), evaluate(full));
    auto after = full;
    applyEdit(after, found.front().edit);
    CHECK(evaluate(after).feasible);
}
