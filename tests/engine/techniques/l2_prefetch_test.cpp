// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/l2_prefetch.h"

#include "engine/schedule/compiled_pool.h"
#include "engine/techniques/graph_pass.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/graph_fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Quantity quantity(double value) {
    return {value, Provenance::User, {}};
}

/// On two devices: 2 query heads and 1 KV head of 10. Elements: q 2000, k 1000, v 1000, o 2000; gate, up and
/// down 10000 each; lm_head 50000. KV cache of 3 requests of 50 tokens: 2 x 3 x 50 x 10 = 3000.
Model smallModel() {
    Model model;
    model.layers = quantity(2);
    model.hidden = quantity(100);
    model.heads = quantity(4);
    model.kvHeads = quantity(2);
    model.headDim = quantity(10);
    model.ffn = quantity(200);
    model.vocab = quantity(1000);
    return model;
}

/// The keys prefetched under a rule, in the order of the graph.
std::vector<std::string> prefetched(const L2PrefetchRule& rule, Phase phase = Phase::Decode,
                                    double devices = 2, double maxTokens = 50) {
    const auto model = smallModel();
    StepShape shape;
    shape.phase = phase;
    shape.queryTokens = phase == Phase::Prefill ? 40 : 1;
    shape.batch = 3;
    shape.maxTokens = maxTokens;
    shape.devices = devices;
    shape.style = OperatorStyle::Fused;
    OperatorGraph graph(model, shape);
    insertPrefetches(graph, rule);
    std::vector<std::string> keys;
    for (const auto& op : graph.operators())
        if (op.prefetched)
            keys.emplace_back(op.key);
    return keys;
}

using Keys = std::vector<std::string>;

} // namespace

TEST_CASE("Algorithm 1 takes q, k, v, attention, o while their sum stays below the budget") {
    CHECK(prefetched({2000}) == Keys{}); // strictly below
    CHECK(prefetched({2001}) == Keys{"q_proj"});
    CHECK(prefetched({3000}) == Keys{"q_proj"});
    CHECK(prefetched({3001}) == Keys{"q_proj", "k_proj"});
    CHECK(prefetched({4001}) == Keys{"q_proj", "k_proj", "v_proj"});
    CHECK(prefetched({7000}) == Keys{"q_proj", "k_proj", "v_proj"});
    CHECK(prefetched({7001}) == Keys{"q_proj", "k_proj", "v_proj", "attention"});
    CHECK(prefetched({9000}) == Keys{"q_proj", "k_proj", "v_proj", "attention"});
    CHECK(prefetched({9001}) == Keys{"q_proj", "k_proj", "v_proj", "attention", "o_proj"});
}

TEST_CASE("the first that does not fit ends the search, though a smaller one behind it would fit") {
    // Without attention's 3000, o_proj would come to 6000.
    CHECK(prefetched({6500}) == Keys{"q_proj", "k_proj", "v_proj"});
}

TEST_CASE("each allreduce has a search of its own, with the whole budget") {
    const Keys attention{"q_proj", "k_proj", "v_proj", "attention", "o_proj"};
    auto expected = attention;
    CHECK(prefetched({10000}) == expected);
    expected.emplace_back("gate_proj");
    CHECK(prefetched({10001}) == expected);
    CHECK(prefetched({20000}) == expected);
    expected.emplace_back("up_proj");
    CHECK(prefetched({20001}) == expected);
    expected.emplace_back("down_proj");
    CHECK(prefetched({30001}) == expected);
    CHECK(prefetched({50000}) == expected);
    expected.emplace_back("lm_head");
    CHECK(prefetched({50001}) == expected);
    // An attention segment that ends its search at once leaves the others theirs.
    CHECK(prefetched({10001, 1, 5}, Phase::Decode, 2, 5000) ==
          Keys{"q_proj", "k_proj", "v_proj", "gate_proj"});
}

TEST_CASE("weights only and KV cache only neither count nor insert the other") {
    CHECK(prefetched({6000, 1, 1, true, false}) == Keys{"q_proj", "k_proj", "v_proj"});
    CHECK(prefetched({6001, 1, 1, true, false}) == Keys{"q_proj", "k_proj", "v_proj", "o_proj"});
    CHECK(prefetched({3000, 1, 1, false, true}) == Keys{});
    CHECK(prefetched({3001, 1, 1, false, true}) == Keys{"attention"});
    CHECK(prefetched({1e9, 1, 1, false, true}) == Keys{"attention"});
    CHECK(prefetched({1e9, 1, 1, false, false}) == Keys{});
}

TEST_CASE("bytes: elements by their precision, KV caches as allocated") {
    CHECK(prefetched({4000, 2, 1}) == Keys{}); // q is 4000 B
    CHECK(prefetched({4001, 2, 1}) == Keys{"q_proj"});
    CHECK(prefetched({6000, 1, 2, false, true}) == Keys{});
    CHECK(prefetched({6001, 1, 2, false, true}) == Keys{"attention"});
    CHECK(prefetched({6000, 1, 1, false, true}, Phase::Decode, 2, 100) == Keys{}); // twice as long
    CHECK(prefetched({6001, 1, 1, false, true}, Phase::Decode, 2, 100) == Keys{"attention"});
    const auto graph = fusedGraph("llama3-70b", Phase::Decode, 8, 4, 1, 16384);
    const L2PrefetchRule rule{192e6, 1, 1, true, true};
    CHECK(l2Need(operatorOf(graph, "attention"), rule) == 16777216);
    CHECK(l2Need(operatorOf(graph, "gate_proj"), rule) == 29360128);
    CHECK(l2Need(operatorOf(graph, "input_norm"), rule) == 0);
}

TEST_CASE("what is left of L2 falls in the order of the search, from each allreduce anew") {
    auto graph = fusedGraph("llama3-70b", Phase::Decode, 8, 4, 1, 16384);
    insertPrefetches(graph, {100e6, 1, 1, true, true});
    const auto left = [&](const char* key) { return operatorOf(graph, key).l2Left; };
    CHECK(left("q_proj") == 100e6 - 8388608);
    CHECK(left("k_proj") == 100e6 - 9437184);
    CHECK(left("v_proj") == 100e6 - 10485760);
    CHECK(left("attention") == 100e6 - 27262976);
    CHECK(left("o_proj") == 100e6 - 35651584);
    CHECK(left("gate_proj") == 100e6 - 29360128);
    CHECK(left("up_proj") == 100e6 - 58720256);
    CHECK(left("down_proj") == 100e6 - 88080384);
    CHECK_FALSE(operatorOf(graph, "lm_head").prefetched); // 131 MB
    CHECK(left("lm_head") == 0);
    CHECK(left("input_norm") == 0);
}

TEST_CASE("a graph without allreduces stays as it is") {
    CHECK(prefetched({1e12}, Phase::Decode, 1) == Keys{});
    CHECK(prefetched({1e12}, Phase::Prefill, 1) == Keys{});
}

TEST_CASE("attention of prefill keeps K and V on the chip: it needs nothing and nothing is read ahead") {
    CHECK(prefetched({6000}, Phase::Prefill) == Keys{"q_proj", "k_proj", "v_proj"});
    CHECK(prefetched({6001}, Phase::Prefill) == Keys{"q_proj", "k_proj", "v_proj", "o_proj"});
    CHECK(prefetched({1e9, 1, 1, false, true}, Phase::Prefill) == Keys{});
}

TEST_CASE("eager linears are prefetched up to the next allreduce; several kernels of attention are not") {
    StepShape shape;
    shape.devices = 2;
    const auto model = smallModel();
    OperatorGraph graph(model, shape);
    insertPrefetches(graph, {1e9, 1, 1, true, true});
    // Nothing opens the attention segment of an eager graph; its first allreduce follows o_proj.
    for (const auto& op : graph.operators())
        CHECK(op.prefetched ==
              (op.key == "gate_proj" || op.key == "up_proj" || op.key == "down_proj" || op.key == "lm_head"));
}

TEST_CASE("a scenario's budget is a share of the device's L2 and its switches choose what is taken") {
    const auto keys = [](const Scenario& scenario) {
        const auto& node = *scenario.findNode({"npu"});
        OperatorGraph graph(scenario.model, phaseShape(scenario, node, Phase::Decode));
        applyTechniques(graph, scenario, node, Phase::Decode);
        Keys found;
        for (const auto& op : graph.operators())
            if (op.prefetched)
                found.emplace_back(op.key);
        return found;
    };
    const auto all = preset("preserve/llama3-70b-8npu"); // 192 MB
    const Keys layer{"q_proj", "k_proj",    "v_proj",  "attention",
                     "o_proj", "gate_proj", "up_proj", "down_proj"};
    auto whole = layer;
    whole.emplace_back("lm_head");
    CHECK(keys(all) == whole);
    CHECK(keys(with(all, "techniques.l2_prefetch.budget", "0.5")) == layer);
    CHECK(keys(with(all, "techniques.l2_prefetch.budget", "0.1")) == Keys{"q_proj", "k_proj", "v_proj"});
    CHECK(keys(with(all, "techniques.l2_prefetch.weights", "false")) == Keys{"attention"});
    CHECK(keys(with(all, "techniques.l2_prefetch.enabled", "false")) == Keys{});
    CHECK(keys(with(all, "nodes.npu.replicas", "8")) == Keys{}); // nobody waits for anybody
}
