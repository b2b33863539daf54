// SPDX-License-Identifier: GPL-3.0-or-later

#include "engine/timing/built_in.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

Tangent tangentOf(const Affine& line, double context) {
    return {line.at(context), line.perKey};
}

bool isZero(const Affine& line) {
    return line.constant == 0.0 && line.perKey == 0.0;
}

} // namespace

TwoStream::TwoStream(const OperatorGraph& graph, const Machine& machine, Phase phase)
    : PhaseTiming(graph, machine, phase), m_panel(machine, phase) {
    const auto operators = graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        auto& item = m_items.add();
        item.cost = m_panel.cost(op);
        item.read = m_panel.readSeconds(op);
        item.collective = machine.collectiveSeconds(op);
        item.prefetches = i;
        if (isCollective(op.kind))
            while (item.prefetches + 1 < operators.size() && !opensBlock(op, operators[item.prefetches + 1]))
                ++item.prefetches;
        m_moved += m_panel.memoryBytes(op) * op.repeat;
    }
}

template <class Visit>
void TwoStream::run(double context, Visit visit) const {
    const auto operators = graph().operators();
    Tangent now;
    Tangent prefetchEnd; // of what is prefetched so far
    Tangent memoryFree;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        const auto& item = m_items[i];
        if (i > 0 && opensBlock(operators[i - 1], op))
            now = prefetchEnd = memoryFree = {};
        if (isCollective(op.kind)) {
            prefetchEnd = memoryFree = now;
            for (std::size_t k = i + 1; k <= item.prefetches; ++k)
                if (operators[k].prefetched)
                    memoryFree = memoryFree + tangentOf(m_items[k].read, context);
        }
        Placed placed{now, now, now, now, false};
        const auto seconds = item.cost.seconds(context);
        if (isCollective(op.kind)) {
            placed.end.value += item.collective;
        } else if (isZero(item.read)) {
            placed.end = now + seconds;
        } else if (op.prefetched) {
            placed.readStart = prefetchEnd;
            placed.readEnd = prefetchEnd = prefetchEnd + tangentOf(item.read, context);
            placed.end = max(now + seconds, prefetchEnd);
            placed.waited = prefetchEnd.value > now.value + seconds.value;
        } else {
            placed.start = max(now, memoryFree);
            placed.end = memoryFree = placed.start + seconds;
            placed.readStart = placed.start;
            placed.readEnd = placed.start + tangentOf(item.read, context);
        }
        now = placed.end;
        visit(i, placed);
    }
}

Bound TwoStream::boundOf(std::size_t index, double context, bool waited) const {
    if (isCollective(graph().operators()[index].kind))
        return Bound::Network;
    return waited ? Bound::Memory : m_items[index].cost.bound(context);
}

TwoStream::Moment TwoStream::at(double context) const {
    const auto operators = graph().operators();
    Moment step;
    std::array<double, kBoundCount> shares{};
    Tangent before; // end of the operator before, in its segment
    run(context, [&](std::size_t i, const Placed& placed) {
        if (i > 0 && opensBlock(operators[i - 1], operators[i]))
            before = {};
        const auto seconds = placed.end + before * -1.0;
        before = placed.end;
        step.seconds = step.seconds + seconds * operators[i].repeat;
        shares[static_cast<std::size_t>(boundOf(i, context, placed.waited))] +=
            seconds.value * operators[i].repeat;
    });
    step.bound = static_cast<Bound>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    return step;
}

void TwoStream::operatorTimes(double context, std::span<OperatorTime> out) const {
    const auto operators = graph().operators();
    double before = 0.0;
    run(context, [&](std::size_t i, const Placed& placed) {
        if (i > 0 && opensBlock(operators[i - 1], operators[i]))
            before = 0.0;
        out[i] = {operators[i].repeat * (placed.end.value - before), boundOf(i, context, placed.waited)};
        before = placed.end.value;
    });
}

std::vector<Term> TwoStream::operatorTerms(double context) const {
    const auto operators = graph().operators();
    std::vector<Term> terms;
    std::vector<Term> before;     // on the main stream of the segment
    std::vector<Term> prefetches; // on the other one, from its start
    std::vector<Term> allReads;   // of all that it prefetches
    double end = 0.0;
    const auto time = [](std::string name, const std::vector<Term>& parts) {
        return sum(std::move(name), measures::microseconds, parts);
    };
    run(context, [&](std::size_t i, const Placed& placed) {
        const auto& op = operators[i];
        const std::string label(op.label);
        if (i > 0 && opensBlock(operators[i - 1], op)) {
            before.clear();
            prefetches.clear();
            allReads.clear();
            end = 0.0;
        }
        Term seconds;
        if (isCollective(op.kind)) {
            seconds = machine().explainCollective(op);
            prefetches = allReads = before;
            for (std::size_t k = i + 1; k <= m_items[i].prefetches; ++k)
                if (operators[k].prefetched)
                    allReads.push_back(m_panel.explainRead(operators[k], context));
        } else {
            seconds = m_panel.explain(op, context);
            if (op.prefetched && placed.readEnd.value > placed.readStart.value)
                prefetches.push_back(m_panel.explainRead(op, context));
            if (placed.waited)
                seconds = (time("Its prefetch is there", prefetches) - time("Start of the operator", before))
                              .named(label + ", waiting for its prefetch", measures::microseconds);
            else if (placed.start.value > end)
                seconds =
                    (seconds + (time("Memory is free", allReads) - time("Operator before is done", before))
                                   .named("Waits for memory", measures::microseconds))
                        .named(label + ", waiting for memory", measures::microseconds);
        }
        end = placed.end.value;
        terms.push_back(
            seconds.remarked("bound by " + std::string(boundLabel(boundOf(i, context, placed.waited)))));
        before.push_back(terms.back());
    });
    return terms;
}

std::vector<ScheduleBlock> TwoStream::blocks(double context) const {
    std::vector<ScheduleBlock> blocks;
    const auto operators = graph().operators();
    run(context, [&](std::size_t i, const Placed& placed) {
        const auto& op = operators[i];
        if (i == 0 || opensBlock(graph().operators()[i - 1], op))
            blocks.push_back({op.segment, op.repeat, 0.0, {}});
        auto& block = blocks.back();
        const auto add = [&](Lane lane, Work work, double start, double end, Bound bound) {
            if (end > start)
                block.segments.push_back({lane, work, i, start, end, 0.0, bound});
        };
        const auto work = workOf(op);
        add(isSent(work) ? Lane::Network : Lane::Compute, work, placed.start.value, placed.end.value,
            boundOf(i, context, placed.waited));
        add(Lane::Memory, op.prefetched ? Work::Prefetch : Work::Read, placed.readStart.value,
            placed.readEnd.value, Bound::Memory);
        block.seconds = placed.end.value;
    });
    // A prefetch may read before what an earlier operator reads itself.
    for (auto& block : blocks)
        std::stable_sort(
            block.segments.begin(), block.segments.end(),
            [](const ScheduleSegment& a, const ScheduleSegment& b) { return a.start < b.start; });
    return blocks;
}

StepCost TwoStream::cost(double firstContext, double lastContext) const {
    return StepCost::fromTangents(firstContext, lastContext, [&](double context) {
        const auto step = at(context);
        return std::pair(step.seconds, step.bound);
    });
}

PhaseTiming::Traffic TwoStream::traffic(const Operator& op) const {
    const auto traffic = m_panel.traffic(op);
    return {traffic.memory, traffic.l2};
}

std::span<const TimingKind::DeviceNeed> L2Model::deviceNeeds() const {
    static const std::array<DeviceNeed, 2> needs{
        {{&Device::l2Capacity, "l2_mb", "the L2 capacity"},
         {&Device::l2Bandwidth, "l2_bandwidth_gbps", "the L2 bandwidth"}}};
    return needs;
}

std::optional<TimingKind::Refusal> L2Model::refusal(const Runtime& runtime) const {
    if (runtime.operators != OperatorStyle::Fused)
        return Refusal{"operators", std::string(id()) + " times fused operators",
                       "Write \"operators\": \"fused\""};
    if (runtime.offload)
        return Refusal{"offload", std::string(id()) + " does not offload",
                       "Use roofline, launch_floor or instruction_stream"};
    return std::nullopt;
}

namespace {

/// Operators against compute peak, memory and L2, with the shares of the peaks as parameters.
class L2PanelModel final : public L2Model {
public:
    L2PanelModel()
        : L2Model("l2_panel", "L2 panels",
                  "Each operator against compute, memory and L2, on two streams that let reads run beside "
                  "collectives (PRESERVE, section IV).") {}
    std::span<const KindParameter> parameters() const override { return rooflineModel().parameters(); }
    double computeShare(const Settings& settings) const override {
        return settings[PeakShareModel::kComputeEfficiency];
    }
    double memoryShare(const Settings& settings) const override {
        return settings[PeakShareModel::kMemoryEfficiency];
    }
    void time(TimingRoom& room, const OperatorGraph& graph, const Machine& machine,
              Phase phase) const override {
        room.emplace<TwoStream>(graph, machine, phase);
    }
};

} // namespace

const TimingModel& l2PanelModel() {
    static const L2PanelModel model;
    return model;
}

} // namespace heteroscape::engine
