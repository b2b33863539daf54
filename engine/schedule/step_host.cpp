// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/step.h"

#include "engine/catalog/term.h"

#include <algorithm>

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

StepHost::StepHost(const Server& server, const Model& model, const StepShape& shape, double layers,
                   double stages)
    : m_layers(layers * server.layer.value +
               parallelMixtures(model, shape.layout) * server.expertParallel.valueOr(0.0)),
      m_floor(0.0), m_ofStep(server.step.value), m_ofSequence(server.sequence.value), m_stages(stages) {
    take(shape);
    if (shape.phase != Phase::Prefill)
        return;
    m_floor = layers * eagerOf(server, model);
    if (shape.layout.dp > 1.0)
        m_layers *= server.parallelPrompts.value;
}

void StepHost::take(const StepShape& shape) {
    m_step = m_ofStep + sequencesOf(shape) * m_ofSequence;
}

StepCost StepHost::with(StepCost kernels) const {
    kernels.delay(m_layers);
    if (m_floor > 0.0) {
        StepCost floor;
        floor.add(Bound::LaunchFloor, {m_floor, 0.0});
        kernels.raiseTo(floor, 1.0);
    }
    kernels.delay(m_step);
    return kernels;
}

double StepHost::of(double kernels, double stages) const {
    return std::max(kernels + m_layers / stages, m_floor / stages) + m_step;
}

Term StepHost::with(const Term& kernels) const {
    const auto host = [](const char* name, double seconds) {
        return Term::counted(name, seconds, measures::milliseconds, "the node's server");
    };
    auto run = sum("Kernels and launches", measures::milliseconds,
                   {kernels.named("Kernels", measures::milliseconds), host("Host, all layers", m_layers)});
    if (m_floor > 0.0)
        run = maximum("Longer of kernels and eager launches", measures::milliseconds,
                      {run, host("Eager launches of all layers, at least", m_floor)});
    return sum("Step", measures::milliseconds, {run, host("Host, step and sequences", m_step)});
}

} // namespace heteroscape::engine
