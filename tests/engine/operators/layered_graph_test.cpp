// SPDX-License-Identifier: GPL-3.0-or-later
// Operators, experts, collectives and memory of layered models, against the golden values of the
// specification of models of 2026 (moe_parallel, section 12, numbers as there).
#include "engine/operators/experts.h"
#include "engine/operators/layer_memory.h"
#include "engine/operators/operator_graph.h"

#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

bool is(double value, double golden) {
    return off(value, golden) < 1e-6;
}

/// tp / dp / pp / etp / ep, as the golden values are written.
Layout plan(double tp, double dp, double pp, double etp, double ep) {
    Layout layout;
    layout.tp = tp;
    layout.dp = dp;
    layout.pp = pp;
    layout.etp = etp;
    layout.ep = ep;
    return layout;
}

OperatorGraph graphOf(const Model& model, Phase phase, const Layout& layout, double batch, double tokens) {
    StepShape shape;
    shape.phase = phase;
    shape.queryTokens = phase == Phase::Prefill ? tokens : 1.0;
    shape.batch = batch;
    shape.maxTokens = tokens;
    shape.devices = layout.devices();
    shape.layout = layout;
    shape.context = tokens;
    return {model, shape};
}

const Model& model(const char* id) {
    return catalog().model(id, "test");
}

const Operator& find(const OperatorGraph& graph, std::string_view key) {
    for (const auto& op : graph.operators())
        if (op.key == key)
            return op;
    FAIL("no operator " << std::string(key));
    return graph.operators().front();
}

constexpr double kBf16 = 2.0; // B

} // namespace

TEST_CASE("experts: one token meets its own, very many meet all, a rank never has more than it can") {
    CHECK(off(distinctExperts(256, 8, 1), 8.0) < 1e-12);
    CHECK(off(distinctExperts(256, 8, 1e6), 256.0) < 1e-12);
    CHECK(busiestRankPairs(256, 8, 1, 1, 0.0) == 8.0);
    for (const double ep : {2.0, 8.0, 64.0, 256.0})
        for (const double tokens : {1.0, 16.0, 4096.0}) {
            const double even = tokens * 8.0 / ep;
            const double busiest = busiestRankPairs(256, 8, tokens, ep, 0.0);
            CHECK(busiest >= even);
            CHECK(busiest <= tokens * std::min(8.0, 256.0 / ep) * (1.0 + 1e-12));
        }
}

TEST_CASE("operators of DeepSeek-V3, golden values 38 to 46") {
    const auto& deepseek = model("deepseek-v3");
    const auto decode = graphOf(deepseek, Phase::Decode, plan(8, 1, 1, 8, 1), 64, 4096);
    CHECK(is(find(decode, "attention").flops.at(4096), 9.1268055e9));
    CHECK(find(decode, "attention").kv.at(4096) * kBf16 == 301989888.0);
    CHECK(is(find(decode, "experts").storedWeights() * kBf16, 1.2248502e9));
    CHECK(find(decode, "ffn_allreduce").payload * kBf16 == 917504.0);

    const auto wide = graphOf(deepseek, Phase::Decode, plan(1, 32, 1, 1, 32), 4096, 4096);
    CHECK(find(wide, "dispatch").payload * kBf16 == 7332864.0);
    CHECK(is(find(wide, "experts").storedWeights() * kBf16, 352407552.0));

    const auto prefill = graphOf(deepseek, Phase::Prefill, plan(8, 1, 1, 8, 1), 1, 4096);
    CHECK(is(find(prefill, "attention").flops.at(4096), 8.59203174e10));
    CHECK(is(find(prefill, "kv_up").flops.at(4096), 1.71798692e10));
    CHECK(is(prefill.sums().flops.at(4096), 4.92071466e13));
}

TEST_CASE("steps of gpt-oss-120b and of Qwen3-235B over two stages, golden values 47 to 50") {
    const auto decode = graphOf(model("gpt-oss-120b"), Phase::Decode, plan(1, 1, 1, 1, 1), 32, 8192);
    const auto sums = decode.sums();
    CHECK(is(sums.weights * kBf16, 4.19556498e10));
    CHECK(is(sums.kv.at(8192) * kBf16, 9.81467136e9));

    auto qwen = model("qwen3-235b-a22b");
    qwen.weights = &weightRecipe("fp8_block", "test");
    const auto layout = plan(4, 1, 2, 4, 1);
    CHECK(is(graphOf(qwen, Phase::Prefill, layout, 4, 4096).sums().flops.at(4096), 9.93783909e13));
    CHECK(is(rankWeightBytes(qwen, layout, kBf16), 2.95924447e10));
}

TEST_CASE("memory of DeepSeek-V3 over 32 ranks, golden values 51 and 52") {
    const auto memory =
        layerMemory(model("deepseek-v3"), plan(1, 32, 1, 1, 32), 4096, 4096, kBf16, kBf16, true);
    CHECK(is(memory.weights, 3.95197539e10));
    CHECK(is(memory.total(), 8.29391889e10));
}

TEST_CASE("ranks together do the work of one device, and what is replicated") {
    // By name: what every rank does whole. All else adds up.
    const auto replicated = [](const Operator& op) {
        return op.key == "q_down" || op.key == "kv_down" || op.key == "index_q" || op.key == "index_k" ||
               op.key == "index_w" || op.key == "index" || op.key == "router" ||
               op.kind == OperatorKind::Norm || op.key == "embedding";
    };
    for (const auto& one : catalog().models) {
        if (one.isUniform())
            continue;
        for (const auto phase : {Phase::Prefill, Phase::Decode})
            for (const auto& layout : {plan(2, 1, 1, 2, 1), plan(2, 1, 1, 1, 2), plan(1, 2, 1, 1, 2)}) {
                CAPTURE(one.id);
                CAPTURE(layout.dp);
                CAPTURE(layout.ep);
                const auto whole = graphOf(one, phase, Layout{}, 8, 512);
                const auto cut = graphOf(one, phase, layout, 8, 512);
                for (const auto& op : whole.operators()) {
                    if (op.kind == OperatorKind::Attention || op.key == "experts")
                        continue; // KV heads below the ranks; the busiest rank
                    const auto all = cut.operators();
                    const auto part = std::find_if(all.begin(), all.end(), [&](const Operator& other) {
                        return other.key == op.key && other.group == op.group;
                    });
                    REQUIRE(part != all.end());
                    CAPTURE(std::string(op.key));
                    const bool byRequests = layout.dp > 1.0;
                    const double ranks = replicated(op) && !byRequests ? 1.0 : 2.0;
                    if (op.key != "qk_norm" && op.key != "k_proj" && op.key != "v_proj")
                        CHECK(std::fabs(ranks * part->flops.at(512) - op.flops.at(512)) <=
                              1e-12 * op.flops.at(512));
                }
            }
    }
}

TEST_CASE("a window that is full keeps attention as it is, one that is not lets it grow") {
    const auto& gpt = model("gpt-oss-20b");
    const auto below = graphOf(gpt, Phase::Decode, Layout{}, 4, 100);
    const auto above = graphOf(gpt, Phase::Decode, Layout{}, 4, 1000);
    const auto attention = [](const OperatorGraph& graph, double window) {
        for (const auto& op : graph.operators())
            if (op.kind == OperatorKind::Attention && (op.group->mark.empty() ? 0.0 : 128.0) == window)
                return op;
        FAIL("no such attention");
        return Operator();
    };
    CHECK(attention(below, 128).flops.perKey > 0.0);
    CHECK(attention(above, 128).flops.perKey == 0.0);
    CHECK(attention(above, 0).flops.perKey > 0.0);
    CHECK(attention(below, 128).flops.at(128) == attention(above, 128).flops.at(128)); // they meet at it
    CHECK(attention(below, 128).kv.at(128) == attention(above, 128).kv.at(128));
}

TEST_CASE("collectives of the three schemes: which, among how many") {
    const auto& deepseek = model("deepseek-v3");
    const auto kinds = [](const OperatorGraph& graph) {
        std::string text;
        for (const auto& op : graph.operators())
            if (isCollective(op.kind))
                text += std::string(op.key) + ":" + std::to_string(static_cast<int>(op.ranks)) + " ";
        return text;
    };
    CHECK(kinds(graphOf(deepseek, Phase::Decode, Layout{}, 8, 64)).empty());
    CHECK(kinds(graphOf(deepseek, Phase::Decode, plan(8, 1, 1, 8, 1), 8, 64)) ==
          "attention_allreduce:8 ffn_allreduce:8 ffn_allreduce:8 logits_gather:8 ");
    CHECK(kinds(graphOf(deepseek, Phase::Decode, plan(2, 4, 1, 1, 8), 8, 64)) ==
          "ffn_reducescatter:2 dense_gather:2 dense_allreduce:2 ffn_reducescatter:2 dispatch:8 combine:8 "
          "attention_gather:2 logits_gather:2 ");
    CHECK(kinds(graphOf(deepseek, Phase::Decode, plan(2, 4, 1, 8, 1), 8, 64)) ==
          "ffn_reducescatter:2 dense_gather:2 dense_allreduce:2 ffn_reducescatter:2 expert_gather:8 "
          "expert_scatter:8 attention_gather:2 logits_gather:2 ");
    CHECK(kinds(graphOf(deepseek, Phase::Decode, plan(1, 1, 4, 1, 1), 8, 64)) == "stage_send:2 ");
}

TEST_CASE("layers with a state, sparse attention and networks alone: operators, weights and cache by hand") {
    const auto entry =
        readModel(parseJson(R"({"id": "m", "name": "M", "layers": 9, "hidden": 512, "vocab": 1000,
        "ffn": 1024, "ffn_matrices": 2, "kind": "datasheet", "source": "test", "layer_groups": [
        {"count": 4, "attention": {"kind": "none"}},
        {"count": 3, "network": false, "attention": {"kind": "recurrent", "heads": 8, "projected": 2000,
         "inner": 1024, "further": 600, "state": 65536, "tail": 300}},
        {"count": 2, "network": false, "attention": {"kind": "sparse", "heads": 16, "kv_heads": 1, "entry": 64,
         "score": 128, "projected": 800, "inner": 256, "further": 4000, "ratio": 4, "kept": 100, "window": 32,
         "index_dim": 16, "index_heads": 8}}]})",
                            "entry"),
                  "entry");
    CHECK(readModel(writeModel(entry), "again") == entry);
    CHECK(entry.plainLayers() == 4);
    const double recurrent = 512.0 * 3024 + 600, sparse = 512.0 * 1056 + 4000;
    CHECK(entry.elements(ModelPart::Attention) == 3 * recurrent + 2 * sparse);
    CHECK(entry.elements(ModelPart::Dense) == 4.0 * 2 * 512 * 1024);
    // A state in fp32 with its tail; entries for four tokens each with those of the index, and the window.
    CHECK(entry.cacheBytes(1000, 2.0) ==
          3 * (65536.0 * 4 + 300 * 2) + 2 * 2.0 * (32 * 64 + 250 * (64.0 + 16)));
    const auto decode = graphOf(entry, Phase::Decode, Layout{}, 6, 1000);
    CHECK(decode.sums().weights == doctest::Approx(entry.parameters() - 512.0 * 1000).epsilon(1e-12));
    // Beyond 400 tokens a query reads 100 entries, its window, and all entries of the index.
    CHECK(decode.sums().kv.at(1000) ==
          doctest::Approx(6 * (3 * (65536.0 * 4 + 600) / 2 * 2 + 2 * (64.0 * (100 + 32) + 16.0 * 250)))
              .epsilon(1e-12));
    double flops = 0.0;
    for (const auto& op : decode.operators())
        if (op.kind == OperatorKind::Attention || op.kind == OperatorKind::Index)
            flops += op.repeat * op.flops.at(1000);
    CHECK(flops == doctest::Approx(6 * (3 * (6.0 * 65536 + 2 * 600) +
                                        2 * (2.0 * 16 * 128 * (100 + 32) + 2.0 * 16 * 8 * 250)))
                       .epsilon(1e-12));
    CHECK(graphOf(entry, Phase::Decode, plan(2, 1, 1, 1, 1), 6, 1000).sums().weights <
          0.51 * decode.sums().weights);
    CHECK(graphOf(entry, Phase::Prefill, Layout{}, 1, 1000).sums().flops.at(1000) > 0.0);
}
