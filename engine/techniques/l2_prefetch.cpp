// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/l2_prefetch.h"

namespace heteroscape::engine {

namespace {

/// First in, first out, each operator once.
class BreadthFirst {
public:
    void visit(OperatorSet operators) {
        for (std::size_t i = 0; i < OperatorGraph::kCapacity; ++i)
            if (operators.contains(i) && !m_visited.contains(i)) {
                m_visited.insert(i);
                m_queue[m_end++] = i;
            }
    }
    bool empty() const { return m_begin == m_end; }
    std::size_t next() { return m_queue[m_begin++]; }

private:
    OperatorSet m_visited;
    std::array<std::size_t, OperatorGraph::kCapacity> m_queue{};
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
};

} // namespace

double l2Need(const Operator& op, const L2PrefetchRule& rule) {
    return op.weights * rule.weightBytes + op.kvAllocated * rule.kvBytes;
}

void insertPrefetches(OperatorGraph& graph, const L2PrefetchRule& rule) {
    const auto operators = graph.operators();
    std::array<OperatorSet, OperatorGraph::kCapacity> children;
    for (std::size_t to = 0; to < operators.size(); ++to)
        for (std::size_t from = 0; from < to; ++from)
            if (operators[to].inputs.contains(from))
                children[from].insert(to);

    for (std::size_t start = 0; start < operators.size(); ++start) {
        if (operators[start].kind != OperatorKind::AllReduce)
            continue;
        BreadthFirst search;
        search.visit(children[start]);
        double taken = 0.0;
        while (!search.empty()) {
            const auto at = search.next();
            auto& op = operators[at];
            if (op.kind == OperatorKind::AllReduce)
                break;
            const bool counts = op.kind == OperatorKind::Linear      ? rule.weights
                                : op.kind == OperatorKind::Attention ? rule.kv
                                                                     : false;
            if (counts) {
                const double need = l2Need(op, rule);
                taken += need;
                if (taken >= rule.budget)
                    break;
                if (need > 0.0) { // attention of prefill keeps K and V on the chip: nothing to read ahead
                    op.prefetched = true;
                    op.l2Left = rule.budget - taken;
                }
            }
            search.visit(children[at]);
        }
    }
}

} // namespace heteroscape::engine
