// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/schedule/two_stream.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

Tangent tangentOf(const Affine& line, double keys) {
    return {line.at(keys), line.perKey};
}

bool isZero(const Affine& line) {
    return line.constant == 0.0 && line.perKey == 0.0;
}

} // namespace

TwoStream::TwoStream(const OperatorGraph& graph, const Machine& machine, Phase phase) : m_graph(graph) {
    const L2Panel panel(machine, phase);
    const auto operators = graph.operators();
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        auto& item = m_items[i];
        item.cost = panel.cost(op);
        item.read = panel.readSeconds(op);
        item.collective = machine.collectiveSeconds(op);
        item.prefetches = i;
        if (op.kind == OperatorKind::AllReduce)
            while (item.prefetches + 1 < operators.size() &&
                   operators[item.prefetches + 1].segment == op.segment)
                ++item.prefetches;
        m_moved += panel.memoryBytes(op) * op.repeat;
    }
}

template <class Visit>
void TwoStream::run(double keys, Visit visit) const {
    const auto operators = m_graph.operators();
    Tangent now;
    Tangent prefetchEnd; // of what is prefetched so far
    Tangent memoryFree;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        const auto& op = operators[i];
        const auto& item = m_items[i];
        if (i > 0 && op.segment != operators[i - 1].segment)
            now = prefetchEnd = memoryFree = {};
        if (op.kind == OperatorKind::AllReduce) {
            prefetchEnd = memoryFree = now;
            for (std::size_t k = i + 1; k <= item.prefetches; ++k)
                if (operators[k].prefetched)
                    memoryFree = memoryFree + tangentOf(m_items[k].read, keys);
        }
        Placed placed{now, now, now, now, false};
        const auto seconds = item.cost.seconds(keys);
        if (op.kind == OperatorKind::AllReduce) {
            placed.end.value += item.collective;
        } else if (isZero(item.read)) {
            placed.end = now + seconds;
        } else if (op.prefetched) {
            placed.readStart = prefetchEnd;
            placed.readEnd = prefetchEnd = prefetchEnd + tangentOf(item.read, keys);
            placed.end = max(now + seconds, prefetchEnd);
            placed.waited = prefetchEnd.value > now.value + seconds.value;
        } else {
            placed.start = max(now, memoryFree);
            placed.end = memoryFree = placed.start + seconds;
            placed.readStart = placed.start;
            placed.readEnd = placed.start + tangentOf(item.read, keys);
        }
        now = placed.end;
        visit(i, placed);
    }
}

Bound TwoStream::boundOf(std::size_t index, double keys, bool waited) const {
    if (m_graph.operators()[index].kind == OperatorKind::AllReduce)
        return Bound::Network;
    return waited ? Bound::Memory : m_items[index].cost.bound(keys);
}

TwoStream::Step TwoStream::at(double keys) const {
    const auto operators = m_graph.operators();
    Step step;
    std::array<double, kBoundCount> shares{};
    Tangent before; // end of the operator before, in its segment
    run(keys, [&](std::size_t i, const Placed& placed) {
        if (i > 0 && operators[i].segment != operators[i - 1].segment)
            before = {};
        const auto seconds = placed.end + before * -1.0;
        before = placed.end;
        step.seconds = step.seconds + seconds * operators[i].repeat;
        shares[static_cast<std::size_t>(boundOf(i, keys, placed.waited))] +=
            seconds.value * operators[i].repeat;
    });
    step.bound = static_cast<Bound>(std::max_element(shares.begin(), shares.end()) - shares.begin());
    return step;
}

void TwoStream::operatorTimes(double keys, std::span<OperatorTime> out) const {
    const auto operators = m_graph.operators();
    double before = 0.0;
    run(keys, [&](std::size_t i, const Placed& placed) {
        if (i > 0 && operators[i].segment != operators[i - 1].segment)
            before = 0.0;
        out[i] = {operators[i].repeat * (placed.end.value - before), boundOf(i, keys, placed.waited)};
        before = placed.end.value;
    });
}

std::vector<ScheduleBlock> TwoStream::blocks(double keys) const {
    std::vector<ScheduleBlock> blocks;
    const auto operators = m_graph.operators();
    run(keys, [&](std::size_t i, const Placed& placed) {
        const auto& op = operators[i];
        if (blocks.empty() || blocks.back().segment != op.segment)
            blocks.push_back({op.segment, op.repeat, 0.0, {}});
        auto& block = blocks.back();
        const auto add = [&](Lane lane, Work work, double start, double end, Bound bound) {
            if (end > start)
                block.segments.push_back({lane, work, i, start, end, 0.0, bound});
        };
        const bool reduces = op.kind == OperatorKind::AllReduce;
        add(reduces ? Lane::Network : Lane::Compute, reduces ? Work::AllReduce : Work::Operator,
            placed.start.value, placed.end.value, boundOf(i, keys, placed.waited));
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

Affine TwoStream::movedBytes() const {
    return m_moved;
}

} // namespace heteroscape::engine
