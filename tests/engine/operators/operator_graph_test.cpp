// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/operator_graph.h"

#include "tests/engine/fixtures.h"

#include <algorithm>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

OperatorGraph eager(const Model& model, double queryTokens, double batch) {
    StepShape shape;
    shape.queryTokens = queryTokens;
    shape.batch = batch;
    shape.phase = queryTokens > 1 ? Phase::Prefill : Phase::Decode;
    return {model, shape};
}

} // namespace

TEST_CASE("GLITCHES Table I: LLaMA2-7B, 1536 tokens of prompt, decode at 1792.5") {
    const auto& model = catalog().model("llama2-7b", "");
    const auto prefill = eager(model, 1536, 1);
    CHECK(off(prefill.sums().flops.at(1536), 21137.01e9) < 5e-7); // to the last digit that the paper prints
    const auto decode = eager(model, 1, 1);
    CHECK(off(decode.sums().flops.at(1792.5), 14.158e9) < 5e-5);
}

TEST_CASE("linears and attention alone give the sum stated without lm_head") {
    const auto graph = eager(catalog().model("llama2-7b", ""), 1536, 1);
    double sum = 0;
    for (const auto& op : graph.operators())
        if ((op.kind == OperatorKind::Linear && op.key != "lm_head") || op.kind == OperatorKind::Scores ||
            op.kind == OperatorKind::WeightedValues)
            sum += op.repeat * op.flops.at(1536);
    CHECK(off(sum, 21131.24e9) < 5e-7);
}

TEST_CASE("grouped-query attention: hand-counted Llama3-8B token") {
    const auto& model = catalog().model("llama3-8b", "");
    const auto graph = eager(model, 1, 1);
    // Weights: 32 layers of 4096x4096 (q, o), 4096x1024 (k, v), 3 x 4096x14336, and 4096x128256.
    const double weights =
        32.0 * (2 * 4096.0 * 4096 + 2 * 4096.0 * 1024 + 3 * 4096.0 * 14336) + 4096.0 * 128256;
    CHECK(graph.sums().weights == weights);
    // Attention FLOPs grow with all 32 query heads, K and V traffic only with the 8 of the cache.
    CHECK(graph.sums().flops.perKey == 32.0 * (4 * 4096.0 + 32));
    CHECK(graph.sums().kv.perKey == 32.0 * 4 * 1024); // append K, append V, read K, read V
}

TEST_CASE("a batch multiplies activations and KV, never weights") {
    const auto& model = catalog().model("llama2-13b", "");
    const auto one = eager(model, 1, 1);
    const auto eight = eager(model, 1, 8);
    CHECK(eight.sums().weights == one.sums().weights);
    CHECK(off(eight.sums().flops.at(1000), 8 * one.sums().flops.at(1000)) < 1e-12);
    CHECK(off(eight.sums().kv.at(1000), 8 * one.sums().kv.at(1000)) < 1e-12);
}

TEST_CASE("the graph is in dependency order and every operator but the first feeds from another") {
    const auto graph = eager(catalog().model("llama2-7b", ""), 1, 1);
    const auto operators = graph.operators();
    CHECK(operators.size() == 22);
    int sources = 0;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        sources += operators[i].inputs.empty() ? 1 : 0;
        for (std::size_t later = i; later < operators.size(); ++later)
            CHECK(!operators[i].inputs.contains(later));
    }
    CHECK(sources == 2); // the positions and the input
}

TEST_CASE("models without rotary positions have no rope, in eager graphs as in others") {
    const auto has = [](const OperatorGraph& graph, OperatorKind kind) {
        return std::any_of(graph.operators().begin(), graph.operators().end(),
                           [&](const Operator& op) { return op.kind == kind; });
    };
    for (const auto& model : catalog().models) {
        if (!model.isUniform())
            continue; // one accounting, which leaves rope out
        const OperatorGraph graph(model, StepShape{});
        const bool rotary = !model.id.starts_with("opt-");
        CAPTURE(model.id);
        CHECK(has(graph, OperatorKind::Rope) == rotary);
        CHECK(has(graph, OperatorKind::Positions) == rotary);
        for (std::size_t i = 0; i < graph.operators().size(); ++i) // each waits for earlier ones only
            for (std::size_t later = i; later < graph.operators().size(); ++later)
                CHECK_FALSE(graph.operators()[i].inputs.contains(later));
    }
    // A head turned in part takes that part of the work.
    auto model = catalog().model("llama2-7b", "");
    const OperatorGraph whole(model, StepShape{});
    model.rotary = {0.25, Provenance::User, {}};
    const OperatorGraph part(model, StepShape{});
    for (std::size_t i = 0; i < whole.operators().size(); ++i)
        if (whole.operators()[i].kind == OperatorKind::Rope)
            CHECK(part.operators()[i].flops.constant == 0.25 * whole.operators()[i].flops.constant);
    model.rotary = {};
    model.positions = {2048, Provenance::User, {}}; // learned positions
    CHECK_FALSE(has(OperatorGraph(model, StepShape{}), OperatorKind::Rope));
}
