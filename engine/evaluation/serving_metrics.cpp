// SPDX-License-Identifier: GPL-3.0-or-later
// The metrics of a simulation from what it counted, written once: over double they are set, over Term they
// are explained.
#include "engine/evaluation/simulate.h"

#include "engine/evaluation/system_equations.h"
#include "engine/evaluation/system_terms.h"
#include "engine/units/number_text.h"

#include <array>

namespace heteroscape::engine {

namespace {

constexpr Measure kRequestRate{"req/s", 1.0};

template <class V>
V simulated(std::string_view name, double value, Measure measure, const std::string& how = "simulated") {
    return Numbers<V>::leaf(name, value, measure, how);
}

std::string ofRequests(const Distribution& times) {
    return "simulated: of " + plainText(static_cast<double>(times.count())) + " requests";
}

template <class V, class Set>
void setMean(const Distribution& times, Metric metric, Set set) {
    const auto how = ofRequests(times);
    if (times.count() == 0)
        set(metric, simulated<V>("No request was served", kUnset, measures::seconds));
    else
        set(metric, simulated<V>("Sum", times.sum(), measures::seconds, how) /
                        simulated<V>("Requests", static_cast<double>(times.count()), measures::requests));
}

template <class V, class Set>
void setSpread(const Distribution& times, Metric mean, Metric p50, Metric p90, Metric p99, Set set) {
    setMean<V>(times, mean, set);
    const auto quantile = [&](Metric metric, double share) {
        set(metric,
            simulated<V>("Nearest rank", times.quantile(share), measures::seconds, ofRequests(times)));
    };
    quantile(p50, 0.5);
    quantile(p90, 0.9);
    quantile(p99, 0.99);
}

/// Calls set(metric, value) for every metric of a simulation that ran.
template <class V, class Set>
void setMetrics(const ServingEvaluation& serving, const V& power, const V& price, const BillOf<V>& bill,
                Set set) {
    using N = Numbers<V>;
    const auto& result = serving.result;
    const auto count = [](std::string_view name, double value) {
        return simulated<V>(name, value, measures::requests);
    };
    const double done = static_cast<double>(result.done);
    const V seconds =
        simulated<V>("Time in which they came and were made", result.ratedSeconds, measures::seconds);
    const bool rated = result.ratedSeconds > 0.0;
    const V none = simulated<V>("Nothing was finished", 0.0, kRequestRate);
    const V throughput =
        set(Metric::ServedThroughput,
            rated ? simulated<V>("Output tokens", result.ratedTokens, measures::tokens) / seconds : none);
    const V rate =
        rated ? N::named(count("Requests", result.ratedRequests) / seconds, "Requests a second", kRequestRate)
              : none;
    set(Metric::ServedRequests, rate);
    set(Metric::Goodput,
        done > 0.0 ? N::named(rate * count("Requests within both limits", static_cast<double>(result.good)),
                              "Rate for all of them", measures::count) /
                         count("Requests done", done)
                   : none);
    setMean<V>(result.wait, Metric::WaitMean, set);
    setSpread<V>(result.ttft, Metric::FirstTokenMean, Metric::FirstTokenP50, Metric::FirstTokenP90,
                 Metric::FirstTokenP99, set);
    setSpread<V>(result.tpot, Metric::TokenMean, Metric::TokenP50, Metric::TokenP90, Metric::TokenP99, set);
    setSpread<V>(result.latency, Metric::EndToEndMean, Metric::EndToEndP50, Metric::EndToEndP90,
                 Metric::EndToEndP99, set);
    const auto depth = result.depth.requestSeconds();
    const auto mean = [&](std::string_view name, double requestSeconds) {
        return result.depth.seconds() > 0.0
                   ? N::named(simulated<V>("Request seconds", requestSeconds, measures::seconds) /
                                  simulated<V>("Simulated time", result.depth.seconds(), measures::seconds),
                              name, measures::requests)
                   : count(name, 0.0);
    };
    set(Metric::QueueMean, mean("Waiting", depth.waiting) + mean("Staged", depth.staged));
    set(Metric::QueueMost, count("Most that waited at one time", result.depth.largestWaiting()));
    set(Metric::ServedPower, power);
    const V time = simulated<V>("Simulated time", result.seconds(), measures::seconds);
    const V output = simulated<V>("Output tokens", result.outputTokens, measures::tokens);
    const V energy = N::named(power * time, "Energy", {"J", 1.0});
    const bool made = result.outputTokens > 0.0;
    const V nothing = simulated<V>("Nothing was finished", kUnset, measures::watts);
    set(Metric::ServedEnergy, made ? energy / output : nothing);
    set(Metric::ServedPerPower, made && valueOf(power) != 0.0 ? output / energy : nothing);
    set(Metric::ServedPerPrice, throughput / price);
    set(Metric::ServedFacilityPower,
        bill.facility ? *bill.facility
                      : simulated<V>("What servers draw is not known", kUnset, measures::watts));
    set(Metric::ServedCost,
        made ? N::named(bill.perSecond * time, "Cost of the simulated time", measures::dollars) / output
             : nothing);
    set(Metric::RequestsDone, count("Requests that were finished", done));
    set(Metric::RequestsRefused, count("Requests that no memory holds", static_cast<double>(result.refused)));
    for (const auto metric : {Metric::WithinLimits, Metric::FirstTokenFirstWave, Metric::FirstTokenLater,
                              Metric::UserRate, Metric::Evictions})
        set(metric, simulated<V>("Not with these arrivals, limits and batching", kUnset, measures::count));
    if (result.limited && done > 0.0)
        set(Metric::WithinLimits,
            N::named(count("Requests within all limits", static_cast<double>(result.good)) /
                         count("Requests done", done),
                     "Share within limits", measures::count));
    if (result.firstWave.count() > 0) {
        setMean<V>(result.firstWave, Metric::FirstTokenFirstWave, set);
        setMean<V>(result.later, Metric::FirstTokenLater, set);
        if (result.tpot.count() > 0)
            set(Metric::UserRate, simulated<V>("Requests", static_cast<double>(result.tpot.count()),
                                               measures::tokens, ofRequests(result.tpot)) /
                                      simulated<V>("Sum of their times per token", result.tpot.sum(),
                                                   measures::seconds, ofRequests(result.tpot)));
    }
    if (result.growsKv)
        set(Metric::Evictions, count("Evictions", result.evictions));
}

} // namespace

void setServingMetrics(const ServingEvaluation& serving, Evaluation& evaluation) {
    evaluation.wholeRun = serving.ran() ? serving.result.outputTokens / serving.result.end : kUnset;
    if (serving.ran())
        setMetrics<double>(serving, serving.power, serving.price, serving.bill,
                           [&](Metric which, double value) {
                               return evaluation.metrics[static_cast<std::size_t>(which)] = value;
                           });
}

void simulateInto(const Scenario& validScenario, Evaluation& evaluation, const SimulationOptions& options) {
    if (!validScenario.serving.isSimulated())
        return;
    const auto serving = simulate(validScenario, evaluation, options);
    setServingMetrics(serving, evaluation);
    evaluation.feasible |= serving.ran() && serving.result.done > 0;
}

Term explainServingMetric(const Scenario& scenario, const ServingEvaluation& serving, Metric which) {
    std::vector<BusySharesOf<Term>> busy;
    for (const auto& load : serving.nodes) {
        const auto share = [](const char* name, double value) {
            return Numbers<Term>::counted(name, value, measures::percent, "simulated");
        };
        busy.push_back({share("Share of time in prefill", load.prefillBusy),
                        share("Share of time in decode", load.decodeBusy)});
    }
    const bool known = serving.result.seconds() > 0.0;
    const auto power = known ? meanPower(scenario, serving.rates, busy).named("Power", measures::watts)
                             : Term::counted("No time was simulated", kUnset, measures::watts, "simulated");
    const auto isPriced = serving.price == serving.price;
    const auto price = isPriced
                           ? asMetric(explainPrice(scenario), Metric::Price)
                           : Term::counted("No price is known", kUnset, measures::dollars, "of any part");
    Term found;
    setMetrics<Term>(serving, power, price, billOf<Term>(scenario, price, power),
                     [&](Metric metric, const Term& term) {
                         if (metric == which)
                             found = term;
                         return term;
                     });
    const auto& arrivals = scenario.serving;
    const auto came = static_cast<double>(serving.result.arrived + serving.result.refused);
    return found.remarked(arrivals.arrivals->describe(arrivals, plainText(came, 9)));
}

} // namespace heteroscape::engine
