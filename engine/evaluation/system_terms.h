// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/evaluation.h"
#include "engine/schedule/compiled_phase.h"
#include "engine/schedule/compiled_pool.h"
#include "engine/serving/closed_form.h"

#include <array>
#include <optional>
#include <vector>

namespace heteroscape::engine {

/// The metrics of one decoder layer, whose times a power cap or a slower clock makes longer by `stretch`.
LayerEvaluation evaluateLayer(const CompiledPhase& decode, const Workload& workload, Detail detail,
                              double stretch);

/// How those that are metrics come about.
struct LayerTerms {
    Term fullSeconds;
    Term allReduceSeconds;
    Term attentionReadSeconds;
    Term ffnReadSeconds;
    Term attentionFootprint;
    Term ffnFootprint;
};
LayerTerms explainLayer(const CompiledPhase& decode, const Workload& workload, double stretch);

/// An evaluation over Term: the equations of evaluate() with how everything comes about. Refers to the
/// scenario, which outlives it; the evaluation is its own and feasible.
class SystemTerms {
public:
    SystemTerms(const Scenario& scenario, const Evaluation& evaluation);
    SystemTerms(const SystemTerms&) = delete;
    SystemTerms& operator=(const SystemTerms&) = delete;

    /// A metric of the closed form under its name; nothing where it is 0 or not set.
    const Term& metric(Metric which) const { return m_metrics[static_cast<std::size_t>(which)]; }

    const CompiledPool* pool(std::size_t node) const {
        return m_compiled[node] ? &*m_compiled[node] : nullptr;
    }
    const SteadyPoolOf<Term>& times(std::size_t node) const { return m_pools[node]; }
    const BusySharesOf<Term>& busy(std::size_t node) const { return m_busy[node]; }
    const NodeEvaluation& known(std::size_t node) const { return m_evaluation.nodes[node]; }
    const Scenario& scenario() const { return m_scenario; } ///< with the batch that is worked on at once

private:
    std::optional<Scenario> m_fewer; ///< where a server does not work on the whole batch at once
    const Scenario& m_scenario;      ///< of what is worked on at once
    const Evaluation& m_evaluation;
    TierMap m_tiers;
    std::vector<std::optional<CompiledPool>> m_compiled;
    std::vector<SteadyPoolOf<Term>> m_pools;
    std::vector<PoolLoadOf<Term>> m_loads;
    std::vector<BusySharesOf<Term>> m_busy;
    std::vector<WayOf<Term>> m_ways; ///< where links limit them
    SteadyStateOf<Term> m_state;
    std::array<Term, kMetricCount> m_metrics;

    Term set(Metric which, const Term& term);
    void timePools();
    void receive();
    void share();
    Term exposed();
    std::string wayName(const WayOf<double>& way) const;
    void setLayer(std::size_t node);
    void setOffload(const CompiledPool& pool);
};

/// What prices, costs, powers and rates over them count of a design: "devices only: the servers around them
/// (host, network cards, fans, power supplies, chassis) have no price here"; empty of other metrics.
std::string metricNote(const Scenario& scenario, Metric which);

/// The price or die area of a design, whether it can run or not.
Term explainPrice(const Scenario& scenario);
Term explainArea(const Scenario& scenario);

/// A term under the name and in the unit of a metric; nothing becomes a leaf of 0.
Term asMetric(const Term& term, Metric which);

/// What one device of a phase does in a second in which it works on it, at the context that stands for the
/// phase: of `of` the seconds, FLOPs, bytes and bytes sent of a step. Waits of stages for each other are no
/// part of the time (they are idle), the host's are. Bytes that offloading moves and KV caches that are
/// transferred are not counted as sent.
PhaseRates phaseRates(const CompiledPhase& compiled, double context, const PhaseEvaluation& of);

/// Of each operator of a phase its share of what each term of power (PowerTerm) draws in a step at a context
/// of `context`: by bytes, FLOPs and what one of its format draws, or time; nothing of idle.
std::vector<PowerParts> powerShares(const CompiledPhase& compiled, double context);

} // namespace heteroscape::engine
