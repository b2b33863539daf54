// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/evaluation/evaluation.h"
#include "engine/evaluation/system_errors.h"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscape::engine {

// How sure the figures of a design are. Where a node's runtime times with measured constants (trtllm, sglang,
// vllm, best, or one that was calibrated) errors are known: under a server those of whole systems (see
// SystemErrors), else of the kernels alone. Money has those of systems. Energy and power have those of times
// and of what devices draw together (PowerBand). Where a runtime is ideal (Truth::Ideal) speed is at best
// what is told. Of a device that nobody measured, timed by the rule of its class, times have the band of that
// rule, money none. Elsewhere every answer is empty, at no cost.
//
//   const ExpectedErrors errors(scenario, evaluation);       // some ms: for a tooltip, a report, one design
//   if (const auto error = errors.of(Metric::TimePerToken))
//       show(error.text());                         // "±4.2 % (80 %: ±14 %), interpolated"
//   error.percent                                   // half of the systems that were measured lie within, %
//   error.most                                      // 80 % do
//   error.evidence()                                          // Interpolated, AnotherDevice, Beyond
//   errors.of("nodes.gpu.decode_ms")                          // a metric of a node, by its path
//
// In Explain each leaf says its own (Term::expectedError()), and expectedError(term) what follows for a term.

/// Whether any figure of a design rests on measured constants.
bool hasExpectedErrors(const Scenario& scenario);

/// What the leaves' errors make of a term: sum over leaves of |d ln term / d ln leaf| x the leaf's error, as
/// if all kernels were off in the same direction. A leaf that is met on several ways counts once, with their
/// sum: a rate that cancels out adds nothing.
ExpectedError expectedError(const Term& term);

/// Of all metrics of a design. Refers to the scenario, which outlives it.
class ExpectedErrors {
public:
    /// Empty where the design cannot run.
    ExpectedErrors(const Scenario& scenario, const Evaluation& evaluation);

    /// Metrics of a simulation rest on what the steady one beside them rests on (time to first token, per
    /// token, latency, throughput); without a server what waiting in queues makes of it is not in there.
    const ExpectedError& of(Metric metric) const { return m_errors[static_cast<std::size_t>(metric)]; }
    /// The same by its path, as in listMetrics(): "tpot_s", "nodes.gpu.decode_ms"; rates and shares of a
    /// phase of a node have that of its time; empty for what is not explained.
    ExpectedError of(std::string_view path) const;

private:
    const Scenario& m_scenario;
    std::array<ExpectedError, kMetricCount> m_errors{};
    bool m_any = false;
    std::optional<ServedCase> m_served; ///< none: no server that runs measured kernels

    PowerBand m_power; ///< of the energy

    ExpectedError ofSystem(ExpectedError kernels, SystemQuantity quantity, bool perSecond = false) const;
    ExpectedError ofPower(ExpectedError rate, bool perSecond) const;
};

} // namespace heteroscape::engine
