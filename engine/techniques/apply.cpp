// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/apply.h"

#include "engine/techniques/offload_attention.h"

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

} // namespace heteroscape::engine
