// SPDX-License-Identifier: GPL-3.0-or-later
// OPT: a plain feed-forward network and a tied embedding; and INF2's accounting of matrix products alone.
#include "engine/operators/operator_graph.h"

#include "tests/engine/fixtures.h"
#include "tests/engine/graph_fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

OperatorGraph graphOf(const Model& model, OperatorStyle style, Phase phase, double batch, double tokens,
                      double devices = 1) {
    StepShape shape;
    shape.phase = phase;
    shape.queryTokens = phase == Phase::Prefill ? tokens : 1;
    shape.batch = batch;
    shape.maxTokens = tokens + 64;
    shape.devices = devices;
    shape.style = style;
    return {model, shape};
}

bool has(const OperatorGraph& graph, std::string_view key) {
    return std::any_of(graph.operators().begin(), graph.operators().end(),
                       [&](const Operator& op) { return op.key == key; });
}

} // namespace

TEST_CASE("OPT's published parameter counts") {
    // Zhang et al. 2022: 29.97, 65.7 and 174.6 billion; biases and positions are left out.
    CHECK(off(catalog().model("opt-30b", "").parameters(), 29.97e9) < 0.005);
    CHECK(off(catalog().model("opt-66b", "").parameters(), 65.7e9) < 0.005);
    CHECK(off(catalog().model("opt-175b", "").parameters(), 174.6e9) < 0.005);
}

TEST_CASE("a tied embedding is counted once, a plain FFN has two matrices") {
    auto model = catalog().model("opt-30b", "");
    CHECK_FALSE(model.isGated());
    const double tied = model.parameters();
    model.embeddings = {};
    CHECK(model.parameters() - tied == 50272.0 * 7168);
    model.embeddings.value = 2;
    CHECK(model.parameters() - tied == 50272.0 * 7168);
    model.ffnMatrices = {};
    CHECK(model.isGated());
    CHECK(model.parameters() - tied == 50272.0 * 7168 + 48.0 * 7168 * 28672);
    // Weights by hand: 48 layers of 4 h^2 and 2 x 4 h^2, two norm gains; one vocabulary, the last norm.
    CHECK(tied == 48 * (12 * 7168.0 * 7168 + 2 * 7168) + 50272.0 * 7168 + 7168);
}

TEST_CASE("without a gate eager and fused graphs have no gate_proj, and a lm_head of the whole vocabulary") {
    const auto& model = catalog().model("opt-30b", "");
    const double wide = 4 * 7168.0 * 7168;
    for (const auto style : {OperatorStyle::Eager, OperatorStyle::Fused})
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            const auto graph = graphOf(model, style, phase, 2, 100);
            CHECK_FALSE(has(graph, "gate_proj"));
            CHECK(has(graph, "up_proj"));
            CHECK(has(graph, "down_proj"));
            CHECK(has(graph, "lm_head"));
            CHECK_FALSE(has(graph, "silu_mul"));
            CHECK(graph.sums().weights == 48 * (4 * 7168.0 * 7168 + 2 * wide) + 50272.0 * 7168);
            const double rows = phase == Phase::Prefill ? 200 : 2;
            CHECK(operatorOf(graph, "up_proj").flops.constant == 2 * rows * wide);
            CHECK(operatorOf(graph, "down_proj").flops.constant == 2 * rows * wide);
            // Every operator feeds from earlier ones alone.
            for (std::size_t i = 0; i < graph.operators().size(); ++i)
                for (std::size_t j = i; j < graph.operators().size(); ++j)
                    CHECK_FALSE(graph.operators()[i].inputs.contains(j));
        }
    auto gated = model;
    gated.ffnMatrices.value = 3;
    for (const auto style : {OperatorStyle::Eager, OperatorStyle::Fused}) {
        const auto with = graphOf(gated, style, Phase::Decode, 2, 100);
        const auto without = graphOf(model, style, Phase::Decode, 2, 100);
        CHECK(has(with, "gate_proj"));
        CHECK(with.sums().weights - without.sums().weights == 48 * wide);
        CHECK(with.sums().activations.constant > without.sums().activations.constant);
        CHECK(with.operators().size() == without.operators().size() + 1);
    }
}

TEST_CASE("matrices: the products of the layers alone, counted by hand") {
    const auto& model = catalog().model("opt-30b", "");
    const double layer = 12 * 7168.0 * 7168;
    const auto prefill = graphOf(model, OperatorStyle::Matrices, Phase::Prefill, 32, 1000);
    // b s (2 P_l + 4 h s): attention in full.
    CHECK(prefill.sums().flops.at(1000) == 48 * 32000.0 * (2 * layer + 4 * 7168.0 * 1000));
    CHECK(prefill.sums().weights == 48 * layer);
    CHECK(prefill.sums().activations.at(1000) == 0.0);
    CHECK(prefill.sums().kv.at(1000) == 0.0);
    CHECK(prefill.sums().vectorWeights == 0.0);
    const auto decode = graphOf(model, OperatorStyle::Matrices, Phase::Decode, 32, 1000);
    CHECK(decode.sums().flops.at(1000) == 48 * 32.0 * (2 * layer + 4 * 7168.0 * 1000));
    CHECK(decode.sums().kv.at(1000) == 48 * 32.0 * 2 * 7168 * 1000);
    CHECK(decode.sums().weights == 48 * layer);
    REQUIRE(decode.operators().size() == 7);
    const char* keys[] = {"q_proj", "k_proj", "v_proj", "attention", "o_proj", "up_proj", "down_proj"};
    for (std::size_t i = 0; i < 7; ++i)
        CHECK(decode.operators()[i].key == keys[i]);
    CHECK(operatorOf(decode, "attention").kvAllocated == 2 * 32.0 * 1064 * 7168);
}

TEST_CASE("matrices: a gate, grouped queries, experts and several devices") {
    const auto& llama = catalog().model("llama2-70b", "");
    const auto one = graphOf(llama, OperatorStyle::Matrices, Phase::Decode, 4, 1000);
    const double layer = 2 * 8192.0 * 8192 + 2 * 8192.0 * 1024 + 3 * 8192.0 * 28672;
    CHECK(one.sums().weights == 80 * layer);
    CHECK(one.sums().kv.perKey == 80 * 4 * 2.0 * 1024);
    CHECK(has(one, "gate_proj"));
    const auto eight = graphOf(llama, OperatorStyle::Matrices, Phase::Decode, 4, 1000, 8);
    CHECK(eight.sums().weights == 80 * layer / 8);
    CHECK(eight.sums().kv.perKey == 80 * 4 * 2.0 * 128);
    CHECK(operatorOf(eight, "attention_allreduce").payload == 4 * 8192);
    CHECK(operatorOf(eight, "ffn_allreduce").payload == 4 * 8192);
    CHECK_FALSE(has(one, "ffn_allreduce"));
    const auto& mixture = catalog().model("mixtral-8x7b", "");
    const auto experts = graphOf(mixture, OperatorStyle::Matrices, Phase::Decode, 4, 1000);
    CHECK(operatorOf(experts, "up_proj").weights == 8.0 * 4096 * 14336);
    CHECK(operatorOf(experts, "up_proj").flops.constant == 2.0 * 4 * 2 * 4096 * 14336);
}

TEST_CASE("a design of INF2's accounting is the sum of its operators' weights") {
    for (const auto* id : {"opt-30b", "opt-66b", "opt-175b", "llama2-7b"}) {
        const auto& model = catalog().model(id, "");
        const auto graph = graphOf(model, OperatorStyle::Matrices, Phase::Decode, 1, 10);
        const double vocabulary = model.embeddings.valueOr(2) * model.vocab.value * model.hidden.value;
        const double norms = (2 * model.layers.value + 1) * model.hidden.value;
        CHECK(graph.sums().weights == model.parameters() - vocabulary - norms);
    }
}
