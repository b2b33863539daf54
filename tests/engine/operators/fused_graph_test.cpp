// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/operator_graph.h"

#include "tests/engine/fixtures.h"
#include "tests/engine/graph_fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// One line of the table of PRESERVE's operators, counted by hand.
struct Row {
    const char* key;
    OperatorKind kind;
    Segment segment;
    double flops;
    double flopsPerKey;
    double weights;
    double activations;
    double kvPerKey;
    double kvAllocated;
    double payload;
};

void checkRows(const OperatorGraph& graph, const std::vector<Row>& rows) {
    REQUIRE(graph.operators().size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& op = graph.operators()[i];
        const auto& row = rows[i];
        CAPTURE(row.key);
        CHECK(op.key == row.key);
        CHECK(op.kind == row.kind);
        CHECK(op.segment == row.segment);
        CHECK(op.repeat == (row.segment == Segment::Head ? 1.0 : graph.model().layers.value));
        CHECK(op.flops.constant == row.flops);
        CHECK(op.flops.perKey == row.flopsPerKey);
        CHECK(op.weights == row.weights);
        CHECK(op.vectorWeights == 0.0);
        CHECK(op.activations.constant == row.activations);
        CHECK(op.activations.perKey == 0.0);
        CHECK(op.kv.constant == 0.0);
        CHECK(op.kv.perKey == row.kvPerKey);
        CHECK(op.kvAllocated == row.kvAllocated);
        CHECK(op.payload == row.payload);
        CHECK_FALSE(op.prefetched);
    }
}

using Op = OperatorKind;
constexpr auto kA = Segment::Attention;
constexpr auto kF = Segment::Ffn;
constexpr auto kH = Segment::Head;

} // namespace

TEST_CASE("fused decode of a dense model: Llama3-70B on 8 devices, batch 4, counted by hand") {
    // One device: 8 query heads and 1 KV head of 128, 28672 / 8 = 3584 FFN columns, 128256 / 8 = 16032 of
    // lm_head.
    const auto graph = fusedGraph("llama3-70b", Phase::Decode, 8, 4, 1, 16384);
    checkRows(graph, {{"attention_allreduce", Op::AllReduce, kA, 0, 0, 0, 0, 0, 0, 32768},
                      {"input_norm", Op::Norm, kA, 0, 0, 0, 131072, 0, 0, 0},
                      {"q_proj", Op::Linear, kA, 67108864, 0, 8388608, 36864, 0, 0, 0},
                      {"k_proj", Op::Linear, kA, 8388608, 0, 1048576, 33280, 0, 0, 0},
                      {"v_proj", Op::Linear, kA, 8388608, 0, 1048576, 33280, 0, 0, 0},
                      {"attention", Op::Attention, kA, 0, 16384, 0, 9216, 1024, 16777216, 0},
                      {"o_proj", Op::Linear, kA, 67108864, 0, 8388608, 36864, 0, 0, 0},
                      {"ffn_allreduce", Op::AllReduce, kF, 0, 0, 0, 0, 0, 0, 32768},
                      {"ffn_norm", Op::Norm, kF, 0, 0, 0, 131072, 0, 0, 0},
                      {"gate_proj", Op::Linear, kF, 234881024, 0, 29360128, 47104, 0, 0, 0},
                      {"up_proj", Op::Linear, kF, 234881024, 0, 29360128, 47104, 0, 0, 0},
                      {"silu_mul", Op::Activation, kF, 0, 0, 0, 43008, 0, 0, 0},
                      {"down_proj", Op::Linear, kF, 234881024, 0, 29360128, 47104, 0, 0, 0},
                      {"head_allreduce", Op::AllReduce, kH, 0, 0, 0, 0, 0, 0, 32768},
                      {"final_norm", Op::Norm, kH, 0, 0, 0, 98304, 0, 0, 0},
                      {"lm_head", Op::Linear, kH, 1050673152, 0, 131334144, 96896, 0, 0, 0}});
}

TEST_CASE("fused prefill of a mixture: Mixtral-8x7B on 4 devices, 2 x 100 tokens, counted by hand") {
    // One device: 8 query and 2 KV heads of 128, 14336 / 4 = 3584 columns of each of 8 experts, 8000 of
    // lm_head. 200 rows, 400 through the experts; the head sees the 2 last ones. Attention is causal: half.
    const auto graph = fusedGraph("mixtral-8x7b", Phase::Prefill, 4, 2, 100, 150);
    const double q = 2.0 * 200 * 4096 * 1024;
    const double k = 2.0 * 200 * 4096 * 256;
    const double expert = 2.0 * 400 * 4096 * 3584;
    checkRows(
        graph,
        {{"attention_allreduce", Op::AllReduce, kA, 0, 0, 0, 0, 0, 0, 200.0 * 4096},
         {"input_norm", Op::Norm, kA, 0, 0, 0, 4.0 * 200 * 4096, 0, 0, 0},
         {"q_proj", Op::Linear, kA, q, 0, 4096.0 * 1024, 200.0 * (4096 + 1024), 0, 0, 0},
         {"k_proj", Op::Linear, kA, k, 0, 4096.0 * 256, 200.0 * (4096 + 256), 0, 0, 0},
         {"v_proj", Op::Linear, kA, k, 0, 4096.0 * 256, 200.0 * (4096 + 256), 0, 0, 0},
         {"attention", Op::Attention, kA, 2.0 * 2 * 100 * 100 * 1024, 0, 0,
          200.0 * (1024 + 2 * 256) + 200.0 * 1024, 0, 0, 0},
         {"o_proj", Op::Linear, kA, q, 0, 4096.0 * 1024, 200.0 * (4096 + 1024), 0, 0, 0},
         {"ffn_allreduce", Op::AllReduce, kF, 0, 0, 0, 0, 0, 0, 200.0 * 4096},
         {"ffn_norm", Op::Norm, kF, 0, 0, 0, 4.0 * 200 * 4096, 0, 0, 0},
         {"gate_proj", Op::Linear, kF, expert, 0, 8.0 * 4096 * 3584, 400.0 * (4096 + 3584), 0, 0, 0},
         {"up_proj", Op::Linear, kF, expert, 0, 8.0 * 4096 * 3584, 400.0 * (4096 + 3584), 0, 0, 0},
         {"silu_mul", Op::Activation, kF, 0, 0, 0, 3.0 * 400 * 3584, 0, 0, 0},
         {"down_proj", Op::Linear, kF, expert, 0, 8.0 * 4096 * 3584, 400.0 * (4096 + 3584), 0, 0, 0},
         {"head_allreduce", Op::AllReduce, kH, 0, 0, 0, 0, 0, 0, 2.0 * 4096},
         {"final_norm", Op::Norm, kH, 0, 0, 0, 3.0 * 2 * 4096, 0, 0, 0},
         {"lm_head", Op::Linear, kH, 2.0 * 2 * 4096 * 8000, 0, 4096.0 * 8000, 2.0 * (4096 + 8000), 0, 0, 0}});
    const auto decode = fusedGraph("mixtral-8x7b", Phase::Decode, 4, 2, 1, 150);
    const auto& gate = operatorOf(decode, "gate_proj");
    CHECK(gate.flops.constant == 2.0 * 4 * 4096 * 3584); // 2 tokens through 2 experts each
    CHECK(gate.weights == 8.0 * 4096 * 3584);            // all experts are read
    CHECK(gate.gemm.rows == 4);
    CHECK(gate.gemm.experts == 8);
    CHECK(operatorOf(decode, "attention").kvAllocated == 2.0 * 2 * 150 * 256);
}

TEST_CASE("one device has nothing to sum up and no other difference") {
    for (const auto* model : {"llama3-8b", "phi3-5-moe"})
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            const auto one = fusedGraph(model, phase, 1, 3, phase == Phase::Prefill ? 50 : 1, 60);
            CHECK(one.operators().size() == 13);
            for (const auto& op : one.operators()) {
                CHECK(op.kind != OperatorKind::AllReduce);
                CHECK(op.payload == 0.0);
            }
            CHECK(operatorOf(one, "input_norm").inputs.empty());
            CHECK(operatorOf(one, "ffn_norm").inputs.contains(5)); // o_proj
        }
}

TEST_CASE("fewer KV heads than devices are replicated, one a device; query heads are rounded up") {
    const auto& model = catalog().model("qwen2-7b", ""); // 28 heads, 4 KV heads
    CHECK(Shard(model, 4).kvHeads == 1);
    CHECK(Shard(model, 8).kvHeads == 1);
    CHECK(Shard(model, 28).kvHeads == 1);
    CHECK(Shard(model, 8).heads == 4); // 28 / 8, rounded up
    CHECK(Shard(model, 64).heads == 1);
    CHECK(Shard(model, 8).ffn == 2368);
    CHECK(Shard(model, 128).ffn == 148);
    const auto& medium = catalog().model("phi3-medium", ""); // 40 heads, 10 KV heads
    CHECK(Shard(medium, 4).kvHeads == 2);
    CHECK(Shard(medium, 4).heads == 10);
    const auto narrow = fusedGraph("qwen2-7b", Phase::Decode, 8, 4, 1, 100);
    CHECK(operatorOf(narrow, "k_proj").gemm.columns == 128);
    CHECK(operatorOf(narrow, "attention").kv.perKey == 2.0 * 4 * 128);
}

TEST_CASE("the shards of a divisor add up to the whole: FLOPs, weights and KV cache") {
    int checked = 0;
    for (const auto& model : catalog().models)
        for (const double n : {2.0, 4.0, 5.0, 7.0, 8.0, 10.0}) {
            if (std::fmod(model.heads.value, n) != 0.0 || std::fmod(model.kvHeads.value, n) != 0.0)
                continue;
            ++checked;
            CAPTURE(model.id);
            CAPTURE(n);
            for (const auto phase : {Phase::Prefill, Phase::Decode}) {
                const double tokens = phase == Phase::Prefill ? 77 : 1;
                const auto whole = fusedGraph(model.id, phase, 1, 3, tokens, 500);
                const auto part = fusedGraph(model.id, phase, n, 3, tokens, 500);
                for (const auto& op : whole.operators()) {
                    if (op.kind != OperatorKind::Linear && op.kind != OperatorKind::Attention)
                        continue;
                    CAPTURE(std::string(op.key));
                    const auto& shard = operatorOf(part, op.key);
                    CHECK(n * shard.flops.at(321) == doctest::Approx(op.flops.at(321)).epsilon(1e-14));
                    CHECK(n * shard.weights == doctest::Approx(op.weights).epsilon(1e-14));
                    CHECK(n * shard.kv.at(321) == op.kv.at(321));
                    CHECK(n * shard.kvAllocated == op.kvAllocated);
                }
                CHECK(n * Shard(model, n).kvElementsPerToken(model) ==
                      Shard(model, 1).kvElementsPerToken(model));
            }
        }
    CHECK(checked > 20);
}

TEST_CASE("eager over several devices: two allreduces a layer between the operators of one device") {
    StepShape shape;
    shape.batch = 3;
    const auto& model = catalog().model("llama3-70b", "");
    const OperatorGraph one(model, shape);
    shape.devices = 8;
    const OperatorGraph eight(model, shape);
    CHECK(one.operators().size() == 22);
    REQUIRE(eight.operators().size() == 24);
    std::vector<std::string_view> keys;
    std::vector<std::string_view> reductions;
    for (std::size_t i = 0; i < eight.operators().size(); ++i) {
        const auto& op = eight.operators()[i];
        if (op.kind != OperatorKind::AllReduce) {
            keys.push_back(op.key);
            continue;
        }
        reductions.push_back(op.key);
        CHECK(op.repeat == 80);
        CHECK(op.payload == 3.0 * 8192);
        CHECK(op.inputs.contains(i - 1)); // sums up o_proj and down_proj
        CHECK(eight.operators()[i - 1].kind == OperatorKind::Linear);
        CHECK(eight.operators()[i + 1].inputs.contains(i)); // the residual takes the sum
    }
    CHECK(reductions == std::vector<std::string_view>{"attention_allreduce", "ffn_allreduce"});
    REQUIRE(keys.size() == one.operators().size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto& op = one.operators()[i];
        CAPTURE(std::string(op.key));
        CHECK(keys[i] == op.key);
        CHECK(8 * operatorOf(eight, op.key).weights == op.weights);
        if (op.kind == OperatorKind::Scores || op.kind == OperatorKind::Linear)
            CHECK(8 * operatorOf(eight, op.key).flops.at(99) == op.flops.at(99));
        if (op.kind == OperatorKind::Norm || op.kind == OperatorKind::Residual)
            CHECK(operatorOf(eight, op.key).flops.at(99) == op.flops.at(99)); // done by every device
    }
}

TEST_CASE("fused prefill in chunks: attention of all chunks is that of the whole prompt") {
    // Every token attends to those before it, in whatever chunk they were: N^2 / 2 pairs of 4 FLOPs for each
    // element of Q, and a chunk reads K and V of what was prefilled before it.
    const auto chunk = [](double tokens, double done) {
        StepShape shape;
        shape.phase = Phase::Prefill;
        shape.batch = 3.0;
        shape.queryTokens = tokens;
        shape.pastTokens = done;
        shape.style = OperatorStyle::Fused;
        const OperatorGraph graph(catalog().model("llama3-8b", ""), shape);
        return operatorOf(graph, "attention");
    };
    const double whole = chunk(700.0, 0.0).flops.constant;
    CHECK(whole == 4.0 * 3.0 * 4096.0 * 700.0 * 700.0 / 2.0);
    double flops = 0.0;
    double done = 0.0;
    for (const double tokens : {100.0, 250.0, 1.0, 349.0}) {
        const auto attention = chunk(tokens, done);
        flops += attention.flops.constant;
        CHECK(attention.kv.constant == 2.0 * 3.0 * 1024.0 * done);
        done += tokens;
    }
    REQUIRE(done == 700.0);
    CHECK(flops == whole);
}
