// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/largest_within.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kClose = 1e-3; ///< what is not whole is found to so much of itself

/// What an evaluation breaks; empty: nothing.
std::string broken(const Evaluation& evaluation, const std::vector<Limit>& limits) {
    if (!evaluation.feasible)
        return evaluation.reason;
    for (const auto& limit : limits) {
        const auto& spec = *findMetric(limit.column);
        const double value = toEdge(evaluation.metric(spec.metric), spec.scale);
        if (limit.holds(value))
            continue;
        const auto label = std::string(spec.label);
        if (std::isnan(value))
            return label + " has no value";
        const bool over = value > limit.most;
        const auto unit = shownUnit(spec.unit, value);
        const auto text = [&unit](double one) { return shortText(one * unit.factor, 4) + " " + unit.name; };
        return label + " is " + text(value) + (over ? ", over " : ", below ") +
               text(over ? limit.most : limit.least);
    }
    return {};
}

class Seeker {
public:
    Seeker(Scenario scenario, const std::string& path, const std::vector<Limit>& limits,
           const std::stop_token& stop)
        : m_scenario(std::move(scenario)), m_parameter(resolveQuantity(m_scenario, path)), m_limits(limits),
          m_stop(stop) {
        for (const auto& limit : limits)
            if (!findMetric(limit.column))
                throw Error(ErrorCode::NotFound, "limit " + limitText(limit),
                            "no metric is called \"" + limit.column.substr(0, 80) + "\"");
        for (const auto& limit : limits)
            m_simulates |= isSimulated(findMetric(limit.column)->metric);
        if (m_simulates && !m_scenario.serving.isSimulated())
            throwInvalid("serving.arrivals", "are steady: nothing is simulated that has these limits",
                         "Choose " + simulatedArrivalsText());
        if (!m_parameter.spec.integer && !m_simulates)
            throwInvalid(path, "is not a whole number", "Give a count, a batch or a length");
    }

    LargestWithin run(const std::string& path) {
        const auto least = m_parameter.spec.minimum;
        const auto most = m_parameter.spec.maximum;
        if (const auto why = tryValue(least); !why.empty())
            throwInvalid(path, "no value is within the limits: at " + exactText(least) + ", " + why,
                         "Loosen the limit, or give the system more to work with");
        double holds = least;
        double breaks = most + 1;
        for (double next = m_parameter.spec.integer ? std::max(1.0, 2 * least) : 2 * least;
             holds < most && breaks > most; next *= 2) {
            const double value = std::min(next, most);
            (tryValue(value).empty() ? holds : breaks) = value;
        }
        const bool whole = m_parameter.spec.integer;
        while (whole ? breaks - holds > 1 : breaks <= most && breaks > holds * (1.0 + kClose)) {
            const double middle = whole ? std::floor((holds + breaks) / 2) : std::sqrt(holds * breaks);
            (tryValue(middle).empty() ? holds : breaks) = middle;
        }
        LargestWithin found;
        if (breaks <= most)
            found.stop = tryValue(breaks);
        tryValue(holds);
        found.value = holds;
        found.evaluation = m_evaluation;
        return found;
    }

private:
    std::string tryValue(double value) {
        m_parameter.access(m_scenario) = {value * m_parameter.spec.scale, Provenance::User, {}};
        m_evaluation = evaluate(m_scenario);
        if (m_simulates && m_evaluation.feasible) {
            const auto serving = simulate(m_scenario, m_evaluation, {.stop = m_stop});
            if (m_stop.stop_requested())
                throw Error(ErrorCode::Cancelled, "largest load", "cancelled");
            if (!serving.ran())
                return serving.reason;
            setServingMetrics(serving, m_evaluation);
        }
        return broken(m_evaluation, m_limits);
    }

    Scenario m_scenario;
    ResolvedQuantity m_parameter;
    const std::vector<Limit>& m_limits;
    const std::stop_token& m_stop;
    bool m_simulates = false; ///< some limit is on a simulated metric
    Evaluation m_evaluation;
};

} // namespace

LargestWithin largestWithin(Scenario scenario, const std::string& path, const std::vector<Limit>& limits,
                            const std::stop_token& stop) {
    return Seeker(std::move(scenario), path, limits, stop).run(path);
}

} // namespace heteroscape::engine
