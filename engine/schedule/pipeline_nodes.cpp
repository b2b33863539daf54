// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/step.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::engine {

void PipelineNodes::add(std::string name, std::shared_ptr<const Model> model, const OperatorGraph& through,
                        const OperatorGraph& fullest, const Machine& machine) {
    m_nodes.push_back(
        std::make_unique<const Timed>(std::move(name), std::move(model), through, fullest, machine, m_phase));
}

std::span<const StepSequences> PipelineNodes::dealt(std::span<const StepSequences> sequences, double share) {
    auto& dealt = m_dealt.emplace_back(sequences.begin(), sequences.end());
    for (auto& one : dealt)
        one.count *= share;
    return dealt;
}

double PipelineNodes::slowestSeconds(double context) const {
    double slowest = 0.0;
    for (const auto& node : m_nodes)
        slowest = std::max(slowest, node->fullest->cost(context, context).at(context));
    return slowest + m_send;
}

StepCost PipelineNodes::cost(double firstContext, double lastContext) const {
    std::vector<StepCost> through;
    std::vector<StepCost> fullest;
    for (const auto& node : m_nodes) {
        through.push_back(node->through->cost(firstContext, lastContext));
        fullest.push_back(node->fullest->cost(firstContext, lastContext));
    }
    const double ways = static_cast<double>(m_nodes.size()) - (m_phase == Phase::Decode ? 0.0 : 1.0);
    const auto endAt = [&](double context) {
        double end = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
            end = std::min({end, through[i].stretchEnd(context), fullest[i].stretchEnd(context)});
        return end;
    };
    return StepCost::overStretches(firstContext, lastContext, endAt, [&](double context) {
        Tangent alone{ways * m_send, 0.0};
        Tangent slowest;
        auto bound = Bound::None;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            alone = alone + through[i].tangentAt(context);
            const auto stage = fullest[i].tangentAt(context);
            if (stage.value > slowest.value)
                bound = fullest[i].boundAt(context);
            slowest = max(slowest, stage);
        }
        slowest.value += m_send;
        return std::pair(m_phase == Phase::Decode ? max(alone, slowest * m_count)
                                                  : alone + slowest * (m_count - 1.0),
                         bound);
    });
}

std::vector<StepPart> PipelineNodes::parts(double context) const {
    std::vector<StepPart> parts;
    const double ways = static_cast<double>(m_nodes.size()) - (m_phase == Phase::Decode ? 0.0 : 1.0);
    for (std::size_t which = 0; which <= m_nodes.size(); ++which) {
        const double send = (which == m_nodes.size() ? 0.5 : 1.0) * m_send;
        double alone = ways * send;
        double slowest = 0.0;
        for (std::size_t i = 0; i < m_nodes.size(); ++i) {
            const double speed = i == which ? 0.5 : 1.0;
            alone += speed * m_nodes[i]->through->cost(context, context).at(context);
            slowest = std::max(slowest, speed * m_nodes[i]->fullest->cost(context, context).at(context));
        }
        parts.push_back({m_phase == Phase::Decode ? std::max(alone, m_count * (slowest + send))
                                                  : alone + (m_count - 1.0) * (slowest + send),
                         which == m_nodes.size()
                             ? Bound::Network
                             : m_nodes[which]->fullest->cost(context, context).boundAt(context)});
    }
    return parts;
}

std::vector<StageTime> stageTimes(const PhaseTiming& timing, const OperatorGraph& graph, double context) {
    double layers = 0.0; // s of all
    double embedding = 0.0;
    double head = 0.0;
    double sends = 0.0;
    const auto blocks = timing.blocks(context);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const auto& block = blocks[i];
        const bool sending = std::any_of(block.segments.begin(), block.segments.end(), [&](const auto& one) {
            return !isFlow(one.work) && graph.operators()[one.op].kind == OperatorKind::Send;
        });
        auto& part = sending ? sends : block.segment != Segment::Head ? layers : i == 0 ? embedding : head;
        part += block.repeat * block.seconds;
    }
    const double count = std::max(1.0, graph.shape().layout.pp);
    const double all = graph.model().layers.value;
    const bool decode = graph.shape().phase == Phase::Decode;
    const double ways = decode ? count : count - 1.0;
    std::vector<StageTime> stages;
    for (double i = 0.0; i < count; ++i) {
        StageTime stage;
        stage.layers = std::floor(all * (i + 1.0) / count) - std::floor(all * i / count);
        stage.seconds =
            layers * stage.layers / all + (i == 0.0 ? embedding : 0.0) + (i + 1.0 == count ? head : 0.0);
        stage.send = i < ways && ways > 0.0 ? sends / ways : 0.0;
        stages.push_back(std::move(stage));
    }
    return stages;
}

std::vector<StageTime> PipelineNodes::stageTimes(double context) const {
    std::vector<StageTime> stages;
    for (const auto& node : m_nodes) {
        for (auto& stage : heteroscape::engine::stageTimes(*node->through, node->throughGraph, context)) {
            stage.name = node->name;
            stages.push_back(std::move(stage));
        }
        if (m_phase == Phase::Decode || &node != &m_nodes.back())
            stages.back().send += m_send;
    }
    return stages;
}

Term PipelineNodes::explain(Contexts contexts, double context) const {
    const auto counted = [](const char* name, double value) {
        return Term::counted(name, value, measures::count, "layout of the first node");
    };
    const auto send = Term::counted("Activations to the next node", m_send, measures::microseconds,
                                    "bytes of a microbatch over the slowest way between two nodes");
    std::vector<Term> through;
    std::vector<Term> fullest;
    for (const auto& node : m_nodes) {
        through.push_back(node->through->explainWithin(contexts, context)
                              .named("Through " + node->name, measures::milliseconds));
        fullest.push_back(node->fullest->explainWithin(contexts, context)
                              .named("Fullest stage of " + node->name, measures::milliseconds));
    }
    const double ways = static_cast<double>(m_nodes.size()) - (m_phase == Phase::Decode ? 0.0 : 1.0);
    through.push_back(
        (counted("Ways between nodes", ways) * send).named("On the way", measures::milliseconds));
    const auto alone = sum("A microbatch through all stages", measures::milliseconds, through);
    const auto slowest = (maximum("Slowest stage", measures::milliseconds, fullest) + send)
                             .named("Slowest stage and its message", measures::milliseconds);
    if (m_phase == Phase::Decode)
        return maximum(
            "Step", measures::milliseconds,
            {alone, (counted("Microbatches", m_count) * slowest)
                        .named("Until all have passed the slowest stage", measures::milliseconds)});
    return sum("Step", measures::milliseconds,
               {alone, (counted("Other microbatches", m_count - 1.0) * slowest)
                           .named("Those that follow", measures::milliseconds)});
}

} // namespace heteroscape::engine
