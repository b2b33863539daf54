// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/graph_pass.h"

#include "engine/base/error.h"
#include "engine/scenario/tiers.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

template <class Visit>
void forEachPass(const PassContext& context, Visit visit) {
    if (const auto& offload = offloadAttentionPass(); offload.actsOn(context))
        visit(offload);
    for (const auto* kind : techniqueKinds().all())
        if (const auto* pass = kind->pass();
            pass && context.scenario.techniques.isOn(*kind) && pass->actsOn(context))
            visit(*pass);
}

} // namespace

std::vector<const GraphPass*> passesOn(const PassContext& context) {
    std::vector<const GraphPass*> passes;
    forEachPass(context, [&](const GraphPass& pass) { passes.push_back(&pass); });
    return passes;
}

void applyTechniques(OperatorGraph& graph, const Scenario& scenario, const Node& node, Phase phase) {
    const PassContext context{scenario, node, phase};
    forEachPass(context, [&](const GraphPass& pass) {
#ifdef NDEBUG
        pass.apply(graph, context);
#else
        applyChecked(pass, graph, context);
#endif
    });
}

void applyChecked(const GraphPass& pass, OperatorGraph& graph, const PassContext& context) {
    const auto before = graph;
    pass.apply(graph, context);
    checkPass(pass, context, before, graph);
}

namespace {

bool touchesKv(const Operator& op) {
    switch (op.kind) {
    case OperatorKind::CacheAppend:
    case OperatorKind::Scores:
    case OperatorKind::Softmax:
    case OperatorKind::WeightedValues:
    case OperatorKind::Attention:
        return true;
    default:
        return false;
    }
}

class OffloadAttention final : public GraphPass {
public:
    std::string_view name() const override { return "offload_attention"; }
    bool actsOn(const PassContext& context) const override {
        return context.phase == Phase::Decode && offloads(context.node);
    }
    void apply(OperatorGraph& graph, const PassContext&) const override { offloadAttention(graph); }
    bool maySet(OperatorMark mark) const override { return mark == OperatorMark::Offloaded; }
    WorkFactors declared(const Operator& before, const PassContext&) const override {
        return touchesKv(before) ? WorkFactors{0.0, 1.0, 0.0, 0.0} : WorkFactors{};
    }
};

} // namespace

void offloadAttention(OperatorGraph& graph) {
    for (auto& op : graph.operators()) {
        if (!touchesKv(op))
            continue;
        op.offloaded = true;
        op.flops = {};
        op.activations = {};
        op.kv = {};
        op.kvAllocated = 0.0;
    }
}

const GraphPass& offloadAttentionPass() {
    static const OffloadAttention pass;
    return pass;
}

namespace {

/// The same to the last bit; what is not known (a quantity that is not set) stays so.
bool kept(double before, double after) {
    return before == after || (std::isnan(before) && std::isnan(after));
}

/// A product may be rounded otherwise than the pass rounds it; what is left alone stays as it is.
bool scaled(double before, double factor, double after) {
    const double wanted = before * factor;
    if (factor == 1.0 || !std::isfinite(wanted))
        return kept(wanted, after);
    return std::fabs(after - wanted) <= 1e-12 * std::fabs(wanted);
}

bool scaled(const Affine& before, double factor, const Affine& after) {
    return scaled(before.constant, factor, after.constant) && scaled(before.perKey, factor, after.perKey);
}

/// Tokens may meet the experts of a mixture otherwise: then its work goes with the rows and experts.
bool sameShape(const Operator& before, const Operator& after) {
    const auto& a = before.gemm;
    const auto& b = after.gemm;
    const bool routed = before.part == ModelPart::Experts;
    return kept(a.inner, b.inner) && kept(a.columns, b.columns) &&
           (routed || (kept(a.rows, b.rows) && kept(a.experts, b.experts)));
}

/// What a pass declares, and what other experts that are met ask.
WorkFactors withRouting(WorkFactors declared, const Operator& before, const Operator& after) {
    if (before.part == ModelPart::Experts && before.gemm.rows > 0.0 && before.gemm.experts > 0.0) {
        const double rows = after.gemm.rows / before.gemm.rows;
        declared.flops *= rows;
        declared.activations *= rows;
        declared.weights *= after.gemm.experts / before.gemm.experts;
    }
    return declared;
}

class PassCheck {
public:
    PassCheck(const GraphPass& pass, const PassContext& context) : m_pass(pass), m_context(context) {}

    void run(std::span<const Operator> before, std::span<const Operator> after) const {
        for (std::size_t i = 0; i < before.size(); ++i) {
            if (i >= after.size())
                fail(before[i], "is gone");
            checkPlace(before[i], after[i]);
            checkWork(before[i], after[i]);
            checkMarks(before[i], after[i]);
        }
        if (after.size() > before.size())
            fail(after[before.size()], "was not there before");
    }

private:
    const GraphPass& m_pass;
    const PassContext& m_context;

    [[noreturn]] void fail(const Operator& op, const std::string& what) const {
        throwInvalid("pass " + std::string(m_pass.name()) + ", operator " + std::string(op.key), what,
                     "Let the pass declare the change, or leave the operator as it is");
    }

    void need(bool holds, const Operator& op, const char* what) const {
        if (!holds)
            fail(op, what);
    }

    void checkPlace(const Operator& before, const Operator& after) const {
        need(before.key == after.key && before.segment == after.segment, before,
             "is not in its place any more");
        need(before.kind == after.kind && before.inputs == after.inputs && sameShape(before, after) &&
                 kept(before.payload, after.payload) && kept(before.ranks, after.ranks) &&
                 kept(before.weightScale, after.weightScale) &&
                 kept(before.vectorWeights, after.vectorWeights),
             before, "is another operator than before");
    }

    void checkWork(const Operator& before, const Operator& after) const {
        const auto declared = withRouting(m_pass.declared(before, m_context), before, after);
        need(scaled(before.flops, declared.flops, after.flops), before, "has other FLOPs than declared");
        need(scaled(before.weights, declared.weights, after.weights), before,
             "reads other weights than declared");
        need(scaled(before.activations, declared.activations, after.activations), before,
             "moves other activations than declared");
        need(scaled(before.kv, declared.kv, after.kv) &&
                 scaled(before.kvAllocated, declared.kv, after.kvAllocated),
             before, "moves another KV cache than declared");
    }

    void checkMarks(const Operator& before, const Operator& after) const {
        need(m_pass.maySet(OperatorMark::Repeated) || kept(before.repeat, after.repeat), before,
             "stands in the step more or less often than declared");
        need(m_pass.maySet(OperatorMark::LoadsPerFetch) || kept(before.loadsPerFetch, after.loadsPerFetch),
             before, "has other loads per fetch, which is not declared");
        need(m_pass.maySet(OperatorMark::Prefetched) ||
                 (before.prefetched == after.prefetched && kept(before.l2Left, after.l2Left)),
             before, "is prefetched otherwise, which is not declared");
        need(m_pass.maySet(OperatorMark::Offloaded) || before.offloaded == after.offloaded, before,
             "is offloaded otherwise, which is not declared");
    }
};

} // namespace

void checkPass(const GraphPass& pass, const PassContext& context, const OperatorGraph& before,
               const OperatorGraph& after) {
    PassCheck(pass, context).run(before.operators(), after.operators());
}

} // namespace heteroscape::engine
