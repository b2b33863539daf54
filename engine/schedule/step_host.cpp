// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/step.h"

#include "engine/catalog/term.h"
#include "engine/units/units.h"

#include <algorithm>
#include <array>

namespace heteroscape::engine {

namespace {

/// Of a rank, all its microbatches together.
double sequencesOf(const StepShape& shape) {
    if (shape.sequences.empty())
        return shape.batch / shape.layout.dp;
    double count = 0.0;
    for (const auto& alike : shape.sequences)
        count += alike.count;
    return count * shape.layout.microbatches;
}

/// Layers whose experts lie whole on some of the devices.
double parallelMixtures(const Model& model, const Layout& layout) {
    return layout.ep > 1.0 ? model.mixtureLayers() : 0.0;
}

} // namespace

StepHost::StepHost(const Server* server, const Model& model, const StepShape& shape, double layers,
                   double stages, std::vector<PayingNode> payers)
    : m_stages(stages), m_payers(std::move(payers)) {
    if (server) {
        m_layers = layers * server->layer.value +
                   parallelMixtures(model, shape.layout) * server->expertParallel.valueOr(0.0);
        m_ofStep = server->step.value;
        m_ofSequence = server->sequence.value;
    }
    take(shape);
    if (!server || shape.phase != Phase::Prefill)
        return;
    m_floor = layers * eagerOf(*server, model);
    if (shape.layout.dp > 1.0)
        m_layers *= server->parallelPrompts.value;
}

void StepHost::take(const StepShape& shape) {
    m_size.sequences = sequencesOf(shape);
    m_step = m_ofStep + m_size.sequences * m_ofSequence;
    m_paid = m_paidByStage = 0.0;
    if (m_payers.empty())
        return;
    m_size.tokens = shape.rows() * shape.layout.microbatches;
    for (const auto& node : m_payers) {
        const auto paid = [&](double layers) {
            const StepSize size{layers, m_size.sequences, m_size.tokens};
            double seconds = 0.0;
            node.runtime->costs.forEachSet(
                [&](const CostKind& kind, std::size_t i, const Quantity& quantity) {
                    seconds += kind.timesOfStep(i, size) * quantity.value;
                });
            return seconds;
        };
        m_paid += paid(node.layers);
        m_paidByStage = std::max(m_paidByStage, paid(node.layers / node.stages));
    }
}

StepCost StepHost::with(StepCost kernels) const {
    kernels.delay(m_layers);
    if (m_floor > 0.0) {
        StepCost floor;
        floor.add(Bound::LaunchFloor, {m_floor, 0.0});
        kernels.raiseTo(floor, 1.0);
    }
    kernels.delay(m_step);
    if (m_paid > 0.0)
        kernels.addFixed(m_paid);
    return kernels;
}

double StepHost::of(double kernels, double stages) const {
    return std::max(kernels + m_layers / stages, m_floor / stages) + m_step;
}

Term StepHost::with(const Term& kernels) const {
    const auto host = [](const char* name, double seconds) {
        return Numbers<Term>::counted(name, seconds, measures::milliseconds, "the node's server");
    };
    auto run = kernels;
    if (m_layers > 0.0 || m_floor > 0.0)
        run = sum("Kernels and launches", measures::milliseconds,
                  {kernels.named("Kernels", measures::milliseconds), host("Host, all layers", m_layers)});
    if (m_floor > 0.0)
        run = maximum("Longer of kernels and eager launches", measures::milliseconds,
                      {run, host("Eager launches of all layers, at least", m_floor)});
    std::vector<Term> paid;
    for (const auto& node : m_payers)
        node.runtime->costs.forEachSet([&](const CostKind& kind, std::size_t i, const Quantity& quantity) {
            const auto& spec = kind.parameters()[i].spec;
            const double times = kind.timesOfStep(i, {node.layers, m_size.sequences, m_size.tokens});
            if (times > 0.0)
                paid.push_back((Term::counted("Times in a step", times, measures::count, node.runtime->name) *
                                Term::quantity(spec, quantity))
                                   .named(std::string(spec.label) + ", all", measures::milliseconds));
        });
    return sum("Step", measures::milliseconds,
               {run, host("Host, step and sequences", m_step),
                sum("Fixed times beside operators", measures::milliseconds, paid)});
}

namespace {

constexpr FieldSpec microseconds(std::string_view key, std::string_view label, std::string_view about) {
    return {key, label, "\u00b5s", units::micro, 0, 1e9, false, false, about};
}
/// Of one sort of operator.
struct OfKind {
    OperatorKind kind;
    FieldSpec spec;
};
constexpr std::array<OfKind, 14> kOfKind{{
    {OperatorKind::Linear,
     microseconds("linear_us", "Fixed time, linear",
                  "Fixed time of each linear operator (a product with weights), besides.")},
    {OperatorKind::Attention,
     microseconds("attention_us", "Fixed time, attention", "Fixed time of each fused attention, besides.")},
    {OperatorKind::Scores, microseconds("scores_us", "Fixed time, scores",
                                        "Fixed time of each product of queries and keys, besides.")},
    {OperatorKind::Softmax,
     microseconds("softmax_us", "Fixed time, softmax", "Fixed time of each softmax of its own, besides.")},
    {OperatorKind::WeightedValues,
     microseconds("weighted_values_us", "Fixed time, weighted values",
                  "Fixed time of each product of weights of attention and values, besides.")},
    {OperatorKind::Norm, microseconds("norm_us", "Fixed time, norm", "Fixed time of each norm, besides.")},
    {OperatorKind::Residual,
     microseconds("residual_us", "Fixed time, residual", "Fixed time of each residual sum, besides.")},
    {OperatorKind::Activation, microseconds("activation_us", "Fixed time, activation",
                                            "Fixed time of each activation function, besides.")},
    {OperatorKind::Rope,
     microseconds("rope_us", "Fixed time, rope", "Fixed time of each rotary embedding, besides.")},
    {OperatorKind::Positions, microseconds("positions_us", "Fixed time, positions",
                                           "Fixed time of each other operator of positions, besides.")},
    {OperatorKind::CacheAppend, microseconds("cache_append_us", "Fixed time, cache append",
                                             "Fixed time of each writing of new keys and values, besides.")},
    {OperatorKind::Index, microseconds("index_us", "Fixed time, index",
                                       "Fixed time of each choice of keys of a sparse attention, besides.")},
    {OperatorKind::Convolution,
     microseconds("convolution_us", "Fixed time, convolution", "Fixed time of each convolution, besides.")},
    {OperatorKind::Embedding,
     microseconds("embedding_us", "Fixed time, embedding", "Fixed time of the embedding, besides.")},
}};

/// Seconds that a step, and what it consists of, takes whatever the rates.
class FixedTimes final : public CostKind {
public:
    FixedTimes()
        : CostKind("fixed", "Fixed times",
                   "Seconds on top of what the timing models say, whatever the rates: of each step, layer, "
                   "sequence, token, collective and operator. Not set: none.") {
        for (std::size_t i = 0; i < kOfKind.size(); ++i)
            m_table[kFirstOfKind + i] = {kOfKind[i].spec};
    }
    std::span<const KindParameter> parameters() const override { return m_table; }

    double timesOfOperator(std::size_t parameter, const Operator& op) const override {
        const bool pays = parameter == kCollective    ? isCollective(op.kind)
                          : parameter == kOperator    ? !isCollective(op.kind)
                          : parameter >= kFirstOfKind ? kOfKind[parameter - kFirstOfKind].kind == op.kind
                                                      : false;
        return pays ? 1.0 : 0.0;
    }
    double timesOfStep(std::size_t parameter, const StepSize& size) const override {
        return parameter == kStep       ? 1.0
               : parameter == kLayer    ? size.layers
               : parameter == kSequence ? size.sequences
               : parameter == kToken    ? size.tokens
                                        : 0.0;
    }

private:
    enum : std::size_t { kStep, kLayer, kSequence, kToken, kCollective, kOperator, kFirstOfKind };

    std::array<KindParameter, kFirstOfKind + kOfKind.size()> m_table{{
        {microseconds("step_us", "Fixed time, step", "Time that each step takes besides.")},
        {microseconds("layer_us", "Fixed time, layer", "Time that each layer of a step takes besides.")},
        {microseconds("sequence_us", "Fixed time, sequence",
                      "Time that a step takes besides for each sequence, or piece of a prompt, in it.")},
        {microseconds(
            "token_us", "Fixed time, token",
            "Time that a step takes besides for each new token in it: of prompts that are worked off token "
            "by token what one takes.")},
        {microseconds("hop_us", "Fixed time, hop",
                      "Time that each collective and each send between devices takes besides.")},
        {microseconds(
            "operator_us", "Fixed time, operator",
            "Time that each operator but collectives takes besides: a launch. That of its sort is added.")},
    }};
};

} // namespace

Registry<CostKind>& costKinds() {
    static const FixedTimes fixed;
    static Registry<CostKind> registry("cost", {&fixed});
    return registry;
}

} // namespace heteroscape::engine
