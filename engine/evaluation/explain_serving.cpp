// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/explain_serving.h"

#include "engine/evaluation/explain_parts.h"
#include "engine/evaluation/simulate.h"

namespace heteroscape::engine {

namespace {

class ServingExplainer {
public:
    ServingExplainer(const Scenario& scenario, Evaluation evaluation)
        : m_scenario(scenario), m_evaluation(std::move(evaluation)),
          m_serving(simulate(m_scenario, m_evaluation)) {
        setServingMetrics(m_serving, m_evaluation);
    }

    void explain(Metric which, Explanation& result) const {
        if (!m_serving.ran()) {
            result.source = m_serving.reason;
            return;
        }
        const auto& simulated = m_serving.result;
        result.value = toEdge(m_evaluation.metric(which), metricSpec(which).scale);
        switch (which) {
        case Metric::ServedThroughput:
            result.formula = "output tokens / time, between completions n/4 and 3n/4";
            result.terms = {number("Closed form", m_evaluation.metric(Metric::Throughput), "tok/s")};
            break;
        case Metric::ServedRequests:
            result.formula = "(3n/4 − n/4) / time between those completions";
            break;
        case Metric::Goodput:
            result.formula = "served requests × share within both limits";
            result.terms = {number("Served requests", simulated.requestRate, "req/s"),
                            number("Within both limits", static_cast<double>(simulated.good), "requests"),
                            limit(&Serving::ttftLimit), limit(&Serving::tpotLimit)};
            break;
        case Metric::QueueMean:
            result.formula = "time average of waiting + staged";
            result.terms = {number("Waiting", simulated.depth.mean().waiting, "requests"),
                            number("Staged", simulated.depth.mean().staged, "requests"),
                            number("Running", simulated.depth.mean().running, "requests")};
            break;
        case Metric::QueueMost:
            result.formula = "largest number waiting at one time";
            break;
        case Metric::ServedPower:
            addPower(result);
            break;
        case Metric::ServedEnergy:
            result.formula = "power × simulated time / output tokens";
            result.terms = {number("Served power", m_serving.power, "W"),
                            number("Simulated time", simulated.seconds(), "s"),
                            number("Output tokens", simulated.outputTokens, "tok")};
            break;
        case Metric::RequestsDone:
        case Metric::RequestsRefused:
            result.formula = "counted";
            break;
        default:
            addTimes(which, result);
            break;
        }
        addArrivals(result);
    }

private:
    const Scenario& m_scenario;
    Evaluation m_evaluation;
    ServingEvaluation m_serving;

    static Explanation number(std::string name, double value, std::string unit) {
        return computed(std::move(name), value, std::move(unit));
    }

    Explanation limit(Figure Serving::*member) const {
        return leaf(m_scenario.serving, servingFields(), member);
    }

    void addTimes(Metric which, Explanation& result) const {
        const auto& simulated = m_serving.result;
        const bool first = which >= Metric::WaitMean && which <= Metric::FirstTokenP99;
        const bool token = which >= Metric::TokenMean && which <= Metric::TokenP99;
        const bool mean = which == Metric::WaitMean || which == Metric::FirstTokenMean ||
                          which == Metric::TokenMean || which == Metric::EndToEndMean;
        result.formula = std::string(mean ? "mean" : "nearest rank") + " of " +
                         (which == Metric::WaitMean ? "start of prefill − arrival"
                          : first                   ? "end of prefill − arrival"
                          : token                   ? "(last token − end of prefill) / output tokens"
                                                    : "last token − arrival");
        if (first)
            result.terms = {number("Wait, mean", simulated.wait.mean(), "s"),
                            number("Prefill, mean", simulated.ttft.mean() - simulated.wait.mean(), "s")};
        else if (token)
            result.terms = {number("Time per token alone", m_evaluation.metric(Metric::TimePerToken), "s")};
        else
            result.terms = {number("TTFT, mean", simulated.ttft.mean(), "s"),
                            number("Decode and what interrupts it, mean",
                                   simulated.latency.mean() - simulated.ttft.mean(), "s")};
    }

    void addPower(Explanation& result) const {
        result.formula = "Σ devices × (prefill, decode and idle power by their shares of time)";
        for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i) {
            const auto& load = m_serving.nodes[i];
            if (load.servers == 0)
                continue;
            const auto& name = m_scenario.nodes[i].shownName();
            result.terms.push_back(number(name + ": prefill", 100.0 * load.prefillBusy, "%"));
            result.terms.push_back(number(name + ": decode", 100.0 * load.decodeBusy, "%"));
        }
    }

    /// What came in, and how much of it there was.
    void addArrivals(Explanation& result) const {
        const auto& serving = m_scenario.serving;
        const auto& simulated = m_serving.result;
        auto done = number("Requests done", static_cast<double>(simulated.done), "requests");
        done.source = serving.arrivals->describe(
            serving, plainText(static_cast<double>(simulated.arrived + simulated.refused), 9));
        result.terms.push_back(std::move(done));
        for (const auto& parameter : serving.arrivals->parameters())
            result.terms.push_back(leaf(parameter.spec, serving[parameter.spec.key]));
    }
};

} // namespace

void explainServingMetric(const Scenario& scenario, const Evaluation& evaluation, Metric which,
                          Explanation& result) {
    if (!scenario.serving.isSimulated()) {
        result.source = "Arrivals are " + std::string(scenario.serving.arrivals->id()) +
                        ": nothing is simulated. Set serving.arrivals to " + simulatedArrivalsText();
        return;
    }
    ServingExplainer(scenario, evaluation).explain(which, result);
}

} // namespace heteroscape::engine
