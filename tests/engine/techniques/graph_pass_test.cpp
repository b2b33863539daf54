// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/graph_pass.h"

#include "engine/catalog/catalog.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/techniques/built_in.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <random>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A pass that does whatever a test lets it do, and declares only what the test says.
struct Pass : GraphPass {
    std::function<void(OperatorGraph&)> work;
    WorkFactors ofLinears{};
    std::vector<OperatorMark> marks{};

    std::string_view name() const override { return "toy"; }
    bool actsOn(const PassContext&) const override { return true; }
    void apply(OperatorGraph& graph, const PassContext&) const override { work(graph); }
    bool maySet(OperatorMark mark) const override {
        return std::find(marks.begin(), marks.end(), mark) != marks.end();
    }
    WorkFactors declared(const Operator& before, const PassContext&) const override {
        return before.kind == OperatorKind::Linear ? ofLinears : WorkFactors{};
    }
};

Operator& find(OperatorGraph& graph, std::string_view key) {
    for (auto& op : graph.operators())
        if (op.key == key)
            return op;
    throw Error(ErrorCode::NotFound, std::string(key), "no such operator");
}

std::vector<std::string_view> namesOf(const PassContext& context) {
    std::vector<std::string_view> names;
    for (const auto* pass : passesOn(context))
        names.push_back(pass->name());
    return names;
}

} // namespace

TEST_CASE("a pass that changes what it does not declare is caught, with its name and the operator's") {
    const auto scenario = preset("preserve/llama3-70b-8npu");
    const PassContext context{scenario, scenario.nodes.front(), Phase::Decode};
    const OperatorGraph graph(scenario.model, phaseShape(scenario, context.node, Phase::Decode));
    const auto fails = [&](const Pass& pass) {
        auto after = graph;
        return errorOf([&] { applyChecked(pass, after, context); });
    };
    const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    const auto first = std::string(graph.operators()[0].key);

    Pass wrong;
    wrong.work = [](OperatorGraph& g) { find(g, "o_proj").weights *= 0.5; };
    CHECK(has(fails(wrong), "pass toy, operator o_proj: reads other weights than declared"));
    wrong.work = [](OperatorGraph& g) { find(g, "o_proj").flops.constant += 1.0; };
    CHECK(has(fails(wrong), "pass toy, operator o_proj: has other FLOPs than declared"));
    wrong.work = [](OperatorGraph& g) {
        for (auto& op : g.operators())
            op.kv = {};
    };
    CHECK(has(fails(wrong), "moves another KV cache than declared"));
    wrong.work = [](OperatorGraph& g) { find(g, "o_proj").activations = {}; };
    CHECK(has(fails(wrong), "operator o_proj: moves other activations than declared"));
    wrong.work = [](OperatorGraph& g) { std::swap(g.operators()[0], g.operators()[1]); };
    CHECK(has(fails(wrong), "pass toy, operator " + first + ": is not in its place any more"));
    wrong.work = [](OperatorGraph& g) { find(g, "o_proj").repeat = 0.0; };
    CHECK(has(fails(wrong), "operator o_proj: stands in the step more or less often than declared"));
    wrong.work = [](OperatorGraph& g) { find(g, "o_proj").inputs = {}; };
    CHECK(has(fails(wrong), "operator o_proj: is another operator than before"));
    wrong.work = [](OperatorGraph& g) { find(g, "o_proj").prefetched = true; };
    CHECK(has(fails(wrong), "operator o_proj: is prefetched otherwise, which is not declared"));
    wrong.work = [](OperatorGraph& g) { find(g, "o_proj").loadsPerFetch = 2.0; };
    CHECK(has(fails(wrong), "operator o_proj: has other loads per fetch"));
    wrong.work = [](OperatorGraph& g) { find(g, "o_proj").offloaded = true; };
    CHECK(has(fails(wrong), "operator o_proj: is offloaded otherwise"));

    // A graph that has lost an operator is that of a model without gates.
    auto noGate = scenario;
    noGate.model.ffnMatrices.value = 2.0;
    const OperatorGraph shorter(noGate.model, phaseShape(noGate, noGate.nodes.front(), Phase::Decode));
    REQUIRE(shorter.operators().size() < graph.operators().size());
    CHECK(has(errorOf([&] { checkPass(wrong, context, graph, shorter); }), "pass toy, operator "));
    CHECK(has(errorOf([&] { checkPass(wrong, context, shorter, graph); }), "pass toy, operator "));
}

TEST_CASE("a pass may do what it declares, no less and no more") {
    const auto scenario = preset("preserve/llama3-70b-8npu");
    const PassContext context{scenario, scenario.nodes.front(), Phase::Decode};
    const OperatorGraph graph(scenario.model, phaseShape(scenario, context.node, Phase::Decode));
    Pass halves;
    halves.ofLinears.weights = 0.5;
    halves.marks = {OperatorMark::Prefetched};
    halves.work = [](OperatorGraph& g) {
        for (auto& op : g.operators())
            if (op.kind == OperatorKind::Linear) {
                op.weights *= 0.5;
                op.prefetched = true;
            }
    };
    auto after = graph;
    applyChecked(halves, after, context);
    CHECK(after.sums().flops.at(100.0) == graph.sums().flops.at(100.0));
    CHECK(off(after.sums().weights, 0.5 * graph.sums().weights) < 1e-12);
    halves.work = [](OperatorGraph&) {};
    CHECK_THROWS_AS(applyChecked(halves, after, context), Error);
}

TEST_CASE("the passes of every preset keep to what they declare, and give the graph that is evaluated") {
    std::size_t ran = 0;
    for (const auto& info : listPresets(catalog())) {
        auto scenario = preset(info.id);
        for (const bool all : {false, true}) {
            if (all)
                for (const auto* kind : techniqueKinds().all())
                    scenario.techniques[*kind].enabled = true;
            for (const auto& node : scenario.nodes) {
                if (!node.runtime)
                    continue;
                for (const auto phase : {Phase::Prefill, Phase::Decode}) {
                    CAPTURE(info.id);
                    CAPTURE(node.id.value);
                    const PassContext context{scenario, node, phase};
                    OperatorGraph checked(scenario.model, phaseShape(scenario, node, phase));
                    for (const auto* pass : passesOn(context)) {
                        applyChecked(*pass, checked, context);
                        ++ran;
                    }
                    OperatorGraph plain(scenario.model, phaseShape(scenario, node, phase));
                    applyTechniques(plain, scenario, node, phase);
                    for (std::size_t i = 0; i < plain.operators().size(); ++i) {
                        const auto& a = plain.operators()[i];
                        const auto& b = checked.operators()[i];
                        CHECK(a.loadsPerFetch == b.loadsPerFetch);
                        CHECK(a.prefetched == b.prefetched);
                        CHECK(a.offloaded == b.offloaded);
                        CHECK(a.flops.at(100.0) == b.flops.at(100.0));
                    }
                }
            }
        }
    }
    CHECK(ran > 50);
}

TEST_CASE("passes run in a stated order: what is offloaded, then the techniques in theirs") {
    auto scenario = preset("inf2/llama2-7b-4u280-16csd");
    const auto* node = scenario.findNode({"fpga"});
    REQUIRE(node);
    scenario.techniques[loadMerging()].enabled = true;
    CHECK(namesOf({scenario, *node, Phase::Decode}) ==
          std::vector<std::string_view>{"offload_attention", "load_merging"});
    CHECK(namesOf({scenario, *node, Phase::Prefill}).empty());
    scenario.techniques[loadMerging()].enabled = false;
    CHECK(namesOf({scenario, *node, Phase::Decode}) == std::vector<std::string_view>{"offload_attention"});
    std::vector<std::string_view> ids;
    for (const auto* kind : techniqueKinds().all())
        ids.push_back(kind->id());
    CHECK(ids == std::vector<std::string_view>{"disaggregation", "load_merging", "gpu_assist",
                                               "uneven_experts", "l2_prefetch", "attention_near_storage",
                                               "delayed_writeback", "x_cache", "host_kv", "speculation",
                                               "pipeline_over_nodes"});
}

TEST_CASE("what is not known stays unknown through a pass, and is no change") {
    auto scenario = preset("preserve/llama3-70b-8npu");
    scenario.workload.batch = {};
    const PassContext context{scenario, scenario.nodes.front(), Phase::Decode};
    OperatorGraph graph(scenario.model, phaseShape(scenario, context.node, Phase::Decode));
    REQUIRE(std::isnan(find(graph, "attention_allreduce").payload));
    CHECK_NOTHROW(applyTechniques(graph, scenario, context.node, Phase::Decode));
}

TEST_CASE("passes keep to what they declare on random devices, models and layouts") {
    std::mt19937 random(2018);
    const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    std::vector<const Device*> devices;
    for (const auto& device : catalog().devices)
        if (isAccelerator(device.kind))
            devices.push_back(&device);
    std::size_t ran = 0;
    std::size_t runs = 0;
    for (int trial = 0; trial < rounds(1500); ++trial) {
        auto scenario = preset("preserve/llama3-70b-8npu");
        scenario.model = catalog().models[pick(catalog().models.size())];
        auto& node = *std::find_if(scenario.nodes.begin(), scenario.nodes.end(),
                                   [](const Node& one) { return one.runtime.has_value(); });
        const auto& device = *devices[pick(devices.size())];
        std::vector<const RuntimeEntry*> runtimes;
        for (const auto& entry : catalog().runtimes)
            if (runsOn(entry.base, device.kind) && entry.base.seesL2())
                runtimes.push_back(&entry);
        if (runtimes.empty())
            continue;
        const auto& runtime = *runtimes[pick(runtimes.size())];
        node.device = device;
        node.runtime = runtime.on(device);
        if (!node.device.l2Capacity.isSet())
            node.device.l2Capacity = {50e6, Provenance::User, {}};
        node.count.value = std::exp2(static_cast<double>(1 + pick(5)));
        node.replicas = {1.0, Provenance::User, {}};
        for (const auto degree : {&Node::dp, &Node::pp, &Node::cp, &Node::ep, &Node::microbatches})
            if (pick(3) == 0)
                node.*degree = {std::exp2(static_cast<double>(pick(4))), Provenance::User, {}};
        for (const auto* kind : techniqueKinds().all())
            scenario.techniques[*kind].enabled = kind->id() == "l2_prefetch" || pick(3) == 0;
        scenario.workload.batch.value = static_cast<double>(1 + pick(64));
        CAPTURE(scenario.model.id);
        CAPTURE(device.id);
        CAPTURE(runtime.base.id);
        CHECK_NOTHROW(runs += evaluate(scenario).feasible ? 1 : 0);
        ++ran;
    }
    CHECK(ran > scaled(500u));
    CHECK(runs > scaled(20u));
}
