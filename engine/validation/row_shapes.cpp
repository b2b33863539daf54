// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/row_shapes.h"

#include "engine/base/csv_reader.h"
#include "engine/base/error.h"
#include "engine/operators/experts.h"
#include "engine/units/number_text.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

double cacheBytes(std::string_view type) {
    return type == "fp8" ? 1 : 2;
}

template <class Shape>
void readHeads(Shape& shape, const MeasuredRow& row) {
    shape.batch = row.number("batch");
    shape.heads = row.number("heads");
    shape.kvHeads = row.number("kv_heads");
    shape.headSize = row.number("head_dim");
    shape.window = row.number("window", 0);
    shape.kvBytes = cacheBytes(row.text("kv_dtype"));
}

RankLoad loadOf(const MeasuredRow& row) {
    if (row.has("assigned") && row.has("touched"))
        return {row.number("assigned"), row.number("touched")};
    const double experts = row.number("experts"), chosen = row.number("topk"), tokens = row.number("tokens");
    const double ranks = row.number("ep");
    const auto routing = row.text("routing");
    constexpr std::string_view power = "power_law_";
    if (routing.starts_with(power))
        if (const auto alpha = parseNumber(routing.substr(power.size())))
            return skewedRank(experts, chosen, tokens, ranks, *alpha);
    if (routing != "balanced")
        throwInvalid("column routing", quotedPiece(routing) + " is none, and assigned or touched is empty",
                     "Give both numbers, or balanced or power_law_<exponent>");
    return {tokens * chosen / ranks, std::min(experts, tokens * chosen) / ranks};
}

} // namespace

GemmShape measuredGemm(const MeasuredRow& row) {
    return {row.number("m"), row.number("n"), row.number("k")};
}

AttentionContextShape measuredContext(const MeasuredRow& row) {
    AttentionContextShape shape;
    readHeads(shape, row);
    shape.tokens = row.number("seq");
    shape.fp8 = row.text("precision") == "fp8";
    return shape;
}

AttentionGenerationShape measuredGeneration(const MeasuredRow& row) {
    AttentionGenerationShape shape;
    readHeads(shape, row);
    shape.cached = row.number("seq");
    return shape;
}

double measuredCastBytes(const MeasuredRow& row) {
    return 3 * row.number("m") * row.number("k");
}

const MoeFormat& measuredMoeFormat(const KernelCatalog& catalog, const MoeConstants& constants,
                                   const MeasuredRow& row) {
    return catalog.moeFormat(row.has("format") ? row.text("format") : std::string_view(constants.format));
}

MoeShape measuredMoe(const MoeConstants& constants, const MeasuredRow& row) {
    const auto load = loadOf(row);
    MoeShape shape;
    shape.hidden = row.number("hidden");
    shape.width = row.number("inter") / row.number("tp", 1);
    shape.localExperts = row.number("experts") / row.number("ep");
    shape.pairs = load.pairs;
    shape.touched = load.distinct;
    shape.seen = constants.onlyReceived ? load.pairs : row.number("tokens") * row.number("topk");
    return shape;
}

MlaDecodeShape measuredMlaDecode(const MeasuredRow& row) {
    return {
        row.number("batch"), row.number("context"), row.number("heads"), cacheBytes(row.text("format")), {}};
}

MlaPrefillShape measuredMlaPrefill(const MeasuredRow& row) {
    MlaPrefillShape shape;
    shape.batch = row.number("batch");
    shape.tokens = row.number("context");
    shape.heads = row.number("heads");
    shape.kvBytes = cacheBytes(row.text("format"));
    return shape;
}

MlaAbsorptionShape measuredMlaAbsorption(const MeasuredRow& row) {
    MlaAbsorptionShape shape;
    shape.tokens = row.number("tokens");
    shape.heads = row.number("heads");
    shape.fp8 = row.text("format") == "fp8";
    return shape;
}

DeepEpShape measuredDeepEp(const MeasuredRow& row) {
    DeepEpShape shape;
    shape.tokens = row.number("tokens");
    shape.hidden = row.number("hidden");
    shape.chosen = row.number("topk");
    shape.experts = row.number("experts");
    shape.nodes = row.number("nodes");
    shape.dispatch = isDispatch(row);
    return shape;
}

NvlinkAllToAllShape measuredNvlink(const MeasuredRow& row) {
    return {row.number("tokens"), row.number("hidden"), row.number("topk"), row.number("ep"),
            isInLowPrecision(row) ? 1.0 : 2.0};
}

GatedDeltaShape measuredGatedDelta(const MeasuredRow& row) {
    // Key heads stand in the column topk.
    return {row.number("batch"), isDecode(row) ? 1.0 : row.number("context"), row.number("heads"),
            row.number("topk")};
}

bool isDispatch(const MeasuredRow& row) {
    return row.text("op").ends_with("dispatch");
}

bool isDecode(const MeasuredRow& row) {
    return row.text("op").find("decode") != std::string_view::npos;
}

bool isInLowPrecision(const MeasuredRow& row) {
    return row.text("format") != "bf16";
}

} // namespace heteroscape::engine
