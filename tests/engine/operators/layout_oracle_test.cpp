// SPDX-License-Identifier: GPL-3.0-or-later
// A second implementation of what a step on one device does and holds, written from the text of the
// specification of models of 2026 (moe_parallel, sections 3 to 6) and held against the engine at random
// points: model x layout x batch x context x phase. It shares nothing with the engine but the models'
// figures.
#include "engine/operators/layer_memory.h"
#include "engine/operators/operator_graph.h"
#include "engine/scenario/layout_choices.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct Amounts {
    double flops = 0.0;
    double weightBytes = 0.0; ///< read
    double cacheBytes = 0.0;  ///< read and written
    double activationBytes = 0.0;
    std::map<std::string, double> sent; ///< payload, B, by collective
};

/// One layer's attention or network on one device, c times.
class Oracle {
public:
    Oracle(const Model& model, const Layout& layout, bool decodes, double requests, double context,
           double past)
        : m_model(model), m_layout(layout), m_decodes(decodes) {
        m_q = decodes ? 1.0 : context - past;
        m_keys = context;
        m_past = past;
        m_cp = decodes ? 1.0 : layout.cp;
        const double share = requests / layout.microbatches;
        m_b = std::max(std::min(1.0, requests), share / layout.dp);
        m_t = m_b * m_q / m_cp;
        m_all = share * m_q;
        m_stage = std::ceil(model.layers.value / layout.pp) / model.layers.value;
        if (!model.isMixture())
            m_scheme = 'r';
        else if (layout.dp == 1.0 && layout.cp == 1.0)
            m_scheme = 'r';
        else
            m_scheme = layout.etp == 1.0 ? 'a' : 'g';
    }

    Amounts step() {
        if (m_layout.pp == 1.0)
            m_out.activationBytes += m_t * d() * 4.0;
        for (const auto& group : m_model.groups)
            attention(group, group.count * m_stage);
        const double mixed =
            m_model.isMixture() ? m_model.layers.value - m_model.denseLayers.valueOr(0.0) : 0.0;
        if (m_model.layers.value > mixed)
            dense((m_model.layers.value - mixed) * m_stage);
        if (mixed > 0.0)
            mixture(mixed * m_stage);
        const double rows = m_decodes ? m_b * m_q : m_b;
        linear(1.0, ModelPart::Head, rows, d(), m_model.vocab.value / tp());
        gather("all-gather", 1.0, tp(), rows * m_model.vocab.value * 2.0);
        if (m_layout.pp > 1.0)
            gather("send", 1.0, 2.0, m_t * d() * 2.0 / tp());
        return m_out;
    }

    /// Weights and caches of section 6, B.
    double weights() const {
        double bytes = 0.0;
        for (const auto& group : m_model.groups)
            bytes += m_stage * group.count * attentionElements(group) * format(ModelPart::Attention);
        const double mixed =
            m_model.isMixture() ? m_model.layers.value - m_model.denseLayers.valueOr(0.0) : 0.0;
        const double plain = m_model.layers.value - mixed;
        bytes += m_stage * plain * 3.0 * d() * m_model.ffn.valueOr(0.0) / tp() * format(ModelPart::Dense);
        if (mixed > 0.0) {
            const double experts = m_model.experts.value;
            bytes += m_stage * mixed * experts * 3.0 * d() * m_model.expertWidth.value / m_layout.ep /
                     m_layout.etp * format(ModelPart::Experts);
            bytes += m_stage * mixed * 3.0 * d() * m_model.sharedWidth.valueOr(0.0) /
                     (m_scheme == 'r' ? tp() : 1.0) * format(ModelPart::Shared);
            bytes += m_stage * mixed * experts * d() * format(ModelPart::Router);
        }
        const double table = m_model.vocab.value * d() / tp();
        bytes += table * format(ModelPart::Head);
        if (m_layout.pp == 1.0 && m_model.embeddings.valueOr(2.0) > 1.0)
            bytes += table * format(ModelPart::Embedding);
        return bytes;
    }
    double caches(double requests, double tokens) const {
        double bytes = 0.0;
        for (const auto& group : m_model.groups) {
            const auto is = [&](const char* kind) { return group.attention->id() == kind; };
            double one = 0.0;
            if (is("gqa"))
                one = std::min(tokens, figure(group, "window", kEndless)) *
                      std::max(1.0, figure(group, "kv_heads") / tp()) *
                      (figure(group, "head_dim") + valueWidth(group)) * 2.0;
            else if (is("mla"))
                one = tokens * ((figure(group, "kv_rank") + figure(group, "rope_dim")) * 2.0 +
                                figure(group, "index_dim", 0.0) * 33.0 / 32.0);
            else
                one = state(group) * 4.0 + 3.0 * channels(group) * 2.0;
            bytes += m_stage * group.count * one;
        }
        return std::ceil(requests / m_layout.dp) * bytes;
    }

private:
    static constexpr double kEndless = 1e300;

    const Model& m_model;
    Layout m_layout;
    bool m_decodes;
    double m_q, m_keys, m_past, m_cp, m_b, m_t, m_all, m_stage;
    char m_scheme; ///< r: allreduce, g: all-gather, a: all-to-all
    Amounts m_out;

    double d() const { return m_model.hidden.value; }
    double tp() const { return m_layout.tp; }
    double ranks() const { return tp() * m_layout.dp * m_cp; }
    double format(ModelPart part) const { return m_model.weights ? m_model.weights->of(part).bytes : 2.0; }

    static double figure(const LayerGroup& group, const char* key, double otherwise = 0.0) {
        const int i = group.attention->indexOf(key);
        return i < 0 ? otherwise : group.figures.quantity(static_cast<std::size_t>(i)).valueOr(otherwise);
    }
    static bool option(const LayerGroup& group, const char* key) {
        const auto all = group.attention->options();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].key == key)
                return group.figures.isOn(i);
        return false;
    }
    static double valueWidth(const LayerGroup& group) {
        return figure(group, "v_dim", figure(group, "head_dim"));
    }
    double state(const LayerGroup& group) const {
        return figure(group, "v_heads") / tp() * figure(group, "k_dim") * figure(group, "v_dim");
    }
    double channels(const LayerGroup& group) const {
        return 2.0 * std::max(1.0, figure(group, "k_heads") / tp()) * figure(group, "k_dim") +
               figure(group, "v_heads") / tp() * figure(group, "v_dim");
    }

    void work(double c, double flops, double activations) {
        m_out.flops += c * flops;
        m_out.activationBytes += c * activations * 2.0;
    }
    void linear(double c, ModelPart part, double m, double k, double n) {
        work(c, 2.0 * m * n * k, m * k + m * n);
        m_out.weightBytes += c * n * k * format(part);
    }
    void gather(const char* kind, double c, double among, double bytes) {
        if (among > 1.0)
            m_out.sent[kind] += c * bytes;
    }

    /// 4.1: pairs of all queries of this rank with keys of which each sees at most W.
    double pairs(double w) const {
        if (m_decodes)
            return m_b * m_q * std::min(m_keys, w);
        double sum = 0.0; // of one request, query after query
        for (double i = 1.0; i <= m_q; ++i)
            sum += std::min(m_past + i, w);
        return m_b * sum / m_cp;
    }

    double attentionElements(const LayerGroup& group) const {
        const auto is = [&](const char* kind) { return group.attention->id() == kind; };
        if (is("gqa")) {
            const double h = figure(group, "head_dim");
            const double heads = figure(group, "heads") / tp();
            const double kv = std::max(1.0, figure(group, "kv_heads") / tp());
            return d() * heads * h * (option(group, "gate") ? 2.0 : 1.0) + d() * kv * h +
                   (option(group, "k_is_v") ? 0.0 : d() * kv * valueWidth(group)) +
                   heads * valueWidth(group) * d();
        }
        if (is("mla")) {
            const double heads = figure(group, "heads") / tp();
            const double rq = figure(group, "q_rank", 0.0);
            const double latent = figure(group, "kv_rank") + figure(group, "rope_dim");
            const double head = figure(group, "nope_dim") + figure(group, "rope_dim");
            const double in = rq > 0.0 ? rq : d();
            double elements =
                (rq > 0.0 ? d() * rq : 0.0) + in * heads * head + d() * latent +
                figure(group, "kv_rank") * heads * (figure(group, "nope_dim") + figure(group, "v_dim")) +
                heads * figure(group, "v_dim") * d();
            if (const double hi = figure(group, "index_heads", 0.0); hi > 0.0)
                elements +=
                    in * hi * figure(group, "index_dim") + d() * figure(group, "index_dim") + d() * hi;
            return elements;
        }
        const double kk = figure(group, "k_heads") * figure(group, "k_dim");
        const double vv = figure(group, "v_heads") * figure(group, "v_dim");
        return (d() * (2.0 * kk + 2.0 * vv) + d() * 2.0 * figure(group, "v_heads") + vv * d()) / tp() +
               4.0 * channels(group);
    }

    void norm(double c) { work(c, 8.0 * m_t * d(), 4.0 * m_t * d()); }

    void attention(const LayerGroup& group, double c) {
        if (m_scheme == 'r')
            gather("allreduce", c, m_model.isMixture() ? ranks() : tp(), m_t * d() * 2.0);
        norm(c);
        if (group.attention->id() == "gqa")
            grouped(group, c);
        else if (group.attention->id() == "mla")
            latent(group, c);
        else
            delta(group, c);
        if (m_scheme == 'r')
            gather("allreduce", c, tp(), m_t * d() * 2.0);
        else
            gather("reduce-scatter", c, tp(), m_t * d() * 2.0);
    }

    void grouped(const LayerGroup& group, double c) {
        constexpr auto part = ModelPart::Attention;
        const double h = figure(group, "head_dim");
        const double v = valueWidth(group);
        const double heads = figure(group, "heads") / tp();
        const double kv = std::max(1.0, figure(group, "kv_heads") / tp());
        const double w = figure(group, "window", kEndless);
        linear(c, part, m_t, d(), heads * h * (option(group, "gate") ? 2.0 : 1.0));
        linear(c, part, m_t, d(), kv * h);
        if (!option(group, "k_is_v"))
            linear(c, part, m_t, d(), kv * v);
        if (option(group, "qk_norm"))
            work(c, 4.0 * m_t * (heads + kv) * h, 2.0 * m_t * (heads + kv) * h);
        gather("all-gather", c, m_cp, m_b * m_q * kv * (h + v) * 2.0);
        work(c, 2.0 * pairs(w) * heads * (h + v),
             m_t * heads * (h + v) + (m_decodes ? 0.0 : m_b * m_q * kv * (h + v)));
        m_out.cacheBytes += c * 2.0 * m_b * kv * (h + v) *
                            (m_decodes ? std::min(m_keys, w) : std::min(m_past, w) + m_q / m_cp);
        linear(c, part, m_t, heads * v, d());
    }

    void latent(const LayerGroup& group, double c) {
        constexpr auto part = ModelPart::Attention;
        const double n = figure(group, "nope_dim");
        const double r = figure(group, "rope_dim");
        const double v = figure(group, "v_dim");
        const double rank = figure(group, "kv_rank");
        const double rq = figure(group, "q_rank", 0.0);
        const double heads = figure(group, "heads") / tp();
        const double hi = figure(group, "index_heads", 0.0);
        const double di = figure(group, "index_dim", 0.0);
        const double kept = hi > 0.0 ? figure(group, "index_keys") : kEndless;
        const double in = rq > 0.0 ? rq : d();
        if (rq > 0.0)
            linear(c, part, m_t, d(), rq);
        linear(c, part, m_t, in, heads * (n + r));
        linear(c, part, m_t, d(), rank + r);
        gather("all-gather", c, m_cp, m_b * m_q * ((rank + r) * 2.0 + di * 33.0 / 32.0));
        if (hi > 0.0) {
            linear(c, part, m_t, in, hi * di);
            linear(c, part, m_t, d(), di);
            linear(c, part, m_t, d(), hi);
            work(c, 2.0 * pairs(kEndless) * hi * di, 0.0);
            m_out.cacheBytes += c * m_b * m_keys * di * 33.0 / 32.0;
        }
        if (m_decodes || (hi > 0.0 && m_keys > kept)) {
            const auto fold = [&](double width) {
                work(c, m_t * heads * width * rank * 2.0, m_t * heads * (width + rank));
                m_out.weightBytes += c * heads * width * rank * format(part);
            };
            fold(n);
            work(c, 2.0 * pairs(kept) * heads * (2.0 * rank + r), m_t * heads * (2.0 * rank + r));
            m_out.cacheBytes += c * 2.0 * m_b * (rank + r) * (m_decodes ? std::min(m_keys, kept) : m_keys);
            fold(v);
        } else {
            linear(c, part, m_b * m_keys, rank, heads * (n + v));
            work(c, 2.0 * pairs(kept) * heads * (n + r + v), (m_t + m_b * m_keys) * heads * (n + r + v));
            m_out.cacheBytes += c * 2.0 * m_b * (m_past + m_q / m_cp) * (rank + r);
        }
        linear(c, part, m_t, heads * v, d());
    }

    void delta(const LayerGroup& group, double c) {
        constexpr auto part = ModelPart::Attention;
        const double hk = figure(group, "k_dim");
        const double hv = figure(group, "v_dim");
        const double vHeads = figure(group, "v_heads") / tp();
        const double kHeads = figure(group, "k_heads") / tp();
        const double z = channels(group);
        linear(c, part, m_t, d(), 2.0 * kHeads * hk + 2.0 * vHeads * hv);
        linear(c, part, m_t, d(), 2.0 * vHeads);
        work(c, 2.0 * 4.0 * m_t * z, 2.0 * m_t * z);
        m_out.weightBytes += c * 4.0 * z * format(part);
        if (m_decodes)
            work(c, 7.0 * m_t * state(group), m_t * (z + vHeads * hv));
        else
            work(c, m_t * vHeads * (6.0 * hk * hv + 6.0 * 64.0 * hk + 4.0 * 64.0 * hv),
                 m_t * (z + vHeads * hv) + m_t / 64.0 * state(group) * 2.0); // fp32
        m_out.cacheBytes += c * 2.0 * m_b * state(group) * 4.0;
        linear(c, part, m_t, vHeads * hv, d());
    }

    void network(double c, ModelPart part, double rows, double width) {
        linear(c, part, rows, d(), 2.0 * width);
        if (part == ModelPart::Dense)
            work(c, 5.0 * rows * width, 3.0 * rows * width);
        linear(c, part, rows, width, d());
    }

    void dense(double c) {
        norm(c);
        if (m_scheme != 'r')
            gather("all-gather", c, tp(), m_t * d() * 2.0);
        network(c, ModelPart::Dense, m_t, m_model.ffn.value / tp());
        if (m_scheme != 'r')
            gather("allreduce", c, tp(), m_t * d() * 2.0);
    }

    void mixture(double c) {
        const double experts = m_model.experts.value;
        const double k = m_model.expertsPerToken.value;
        const double ep = m_layout.ep;
        const double own = m_scheme == 'r' ? m_t : m_t / tp();
        norm(c);
        linear(c, ModelPart::Router, own, d(), experts);
        // Distinct experts by the chance that each is missed, token after token.
        const double touched = experts * -std::expm1(m_all * std::log1p(-k / experts)) / ep;
        const double even = m_all * k / ep;
        const double busy = std::sqrt(2.0 * std::log(ep) / even * (1.0 - 1.0 / ep));
        const double busiest = even * std::min({1.0 + busy, ep, std::min(k, experts / ep) * ep / k});
        const double w = m_model.expertWidth.value / m_layout.etp;
        work(c, 2.0 * busiest * 3.0 * d() * w, busiest * (2.0 * d() + 3.0 * w));
        m_out.weightBytes += c * touched * 3.0 * d() * w * format(ModelPart::Experts);
        if (m_model.sharedWidth.valueOr(0.0) > 0.0)
            network(c, ModelPart::Shared, own, m_model.sharedWidth.value / (m_scheme == 'r' ? tp() : 1.0));
        if (m_scheme == 'r')
            return;
        if (m_scheme == 'g') {
            gather("all-gather", c, ranks(), m_all * d() * 2.0);
            gather("reduce-scatter", c, ranks(), m_all * d() * 2.0);
        } else {
            const double places = ep * (1.0 - std::pow(1.0 - 1.0 / ep, k));
            const double copies = (m_decodes ? k : places) * (ep - 1.0) / ep;
            gather("all-to-all", c, ep, own * copies * (d() + d() / 32.0));
            gather("all-to-all", c, ep, own * copies * 2.0 * d());
        }
        gather("all-gather", c, tp(), m_t * d() * 2.0);
    }
};

std::string nameOf(OperatorKind kind) {
    switch (kind) {
    case OperatorKind::AllReduce:
        return "allreduce";
    case OperatorKind::AllGather:
        return "all-gather";
    case OperatorKind::ReduceScatter:
        return "reduce-scatter";
    case OperatorKind::AllToAll:
        return "all-to-all";
    default:
        return "send";
    }
}

bool near(double engine, double oracle) {
    return std::fabs(engine - oracle) <= 1e-3 * std::fabs(oracle);
}

} // namespace

TEST_CASE("layouts: a second implementation agrees at random points") {
    std::mt19937 random(20260418);
    const auto below = [&](int end) { return static_cast<double>(random() % static_cast<unsigned>(end)); };
    const auto pick = [&](const auto& all) -> const auto& {
        return all[random() % all.size()];
    };
    // The second implementation has no layers that keep a state of another sort, compress their keys, or take
    // the index of the layer before.
    const auto isKnown = [](const LayerGroup& group) {
        const auto has = [&](const char* key) {
            const int at = group.attention->indexOf(key);
            return at >= 0 && group.figures.quantity(static_cast<std::size_t>(at)).isSet();
        };
        const auto id = group.attention->id();
        return id == "gqa" || id == "gdn" || (id == "mla" && has("index_keys") == has("index_heads"));
    };
    std::vector<Model> models;
    for (const auto& model : catalog().models)
        if (model.hasLayers() && std::all_of(model.groups.begin(), model.groups.end(), isKnown))
            models.push_back(model.isUniform() ? layeredForm(model) : model);
    REQUIRE(models.size() >= 32);
    const std::array devices{1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0};
    for (int point = 0; point < rounds(1500); ++point) {
        const auto& model = pick(models);
        auto layout = pick(validLayouts(model, {pick(devices)}));
        layout.microbatches = 1.0 + below(3);
        const bool decodes = random() % 2 == 0;
        const double requests = std::floor(std::exp2(below(11))) + below(7);
        const double context = 2.0 + below(6000);
        const double past = decodes || random() % 2 == 0 ? 0.0 : std::floor(context / 3.0);
        CAPTURE(point);
        CAPTURE(model.id);
        CAPTURE(layoutWords(layout));
        CAPTURE(layout.microbatches);
        CAPTURE(decodes);
        CAPTURE(requests);
        CAPTURE(context);
        CAPTURE(past);
        StepShape shape;
        shape.phase = decodes ? Phase::Decode : Phase::Prefill;
        shape.queryTokens = decodes ? 1.0 : context - past;
        shape.pastTokens = past;
        shape.batch = requests;
        shape.maxTokens = context;
        shape.devices = layout.devices();
        shape.layout = layout;
        shape.context = context;
        const OperatorGraph graph(model, shape);
        const auto sums = graph.sums();
        Oracle oracle(model, layout, decodes, requests, context, past);
        const auto wanted = oracle.step();
        CHECK(near(sums.flops.at(context), wanted.flops));
        CHECK(near(sums.weights * 2.0, wanted.weightBytes));
        CHECK(near(sums.kv.at(context) * 2.0, wanted.cacheBytes));
        CHECK(near(sums.activations.at(context) * 2.0, wanted.activationBytes));
        std::map<std::string, double> sent;
        for (const auto& op : graph.operators())
            if (isCollective(op.kind))
                sent[nameOf(op.kind)] += op.repeat * op.payload * 2.0;
        CHECK(sent.size() == wanted.sent.size());
        for (const auto& [kind, bytes] : wanted.sent) {
            CAPTURE(kind);
            CHECK(near(sent[kind], bytes));
        }
        CHECK(near(rankWeightBytes(model, layout, 2.0), oracle.weights()));
        CHECK(near(rankCacheBytes(model, layout, requests, context, 2.0), oracle.caches(requests, context)));
    }
}

TEST_CASE("layouts: memory of checkpoints as released, and parameters of all 32 models as published") {
    const auto bytes = [](const char* id) {
        const auto& model = catalog().model(id, "test");
        return model.weightBytes(2.0);
    };
    CHECK(near(bytes("gpt-oss-120b"), 6.51681792e10)); // golden value 22: 60.8 GiB
    CHECK(near(bytes("kimi-k2-5"), 5.94203247e11));    // 21
    CHECK(near(bytes("deepseek-v3"), 6.73148532e11));  // 20
    const std::array<std::pair<const char*, double>, 4> uniform{
        {{"mixtral-8x7b", 46.7}, {"mixtral-8x22b", 140.6}, {"llama3-1-70b", 70.6}, {"llama3-1-405b", 405.8}}};
    for (const auto& [id, billions] : uniform) {
        CAPTURE(std::string(id));
        const auto& model = catalog().model(id, "test");
        CHECK(off(model.parameters(), billions * 1e9) < 1e-2);
        if (model.isUniform())
            CHECK(off(layeredForm(model).parameters(), billions * 1e9) < 1e-2);
    }
}
