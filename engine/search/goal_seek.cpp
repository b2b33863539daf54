// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/goal_seek.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/parameters.h"
#include "engine/search/search_problem.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kScanned = 4096;
constexpr int kSettled = 4096; // representable numbers, a part in 10^12 of the value

std::string shareText(double miss) {
    return shortText(100.0 * miss, 2) + " %";
}

class ValueSeeker {
public:
    ValueSeeker(const Scenario& scenario, const GoalSeek& seek, const std::stop_token& stop)
        : m_scenario(scenario), m_seek(seek), m_stop(stop),
          m_parameter(resolveQuantity(m_scenario, seek.path)) {
        const auto& spec = m_parameter.spec;
        if (seek.limits.empty())
            throwInvalid(seek.path, "there is nothing to reach", "Give a limit, such as tpot_s<=0.05");
        for (const auto& limit : seek.limits)
            if (!findMetric(limit.column))
                throw Error(ErrorCode::NotFound, "limit " + limitText(limit),
                            "no metric is called \"" + limit.column.substr(0, 80) + "\"");
        m_from = std::isnan(seek.from) ? spec.minimum : seek.from;
        m_to = std::isnan(seek.to) ? spec.maximum : seek.to;
        for (const double end : {m_from, m_to})
            checkRange(spec, end, seek.path);
        if (m_from > m_to)
            throwInvalid(seek.path, "the range ends below its start", "Turn the two ends round");
    }

    Sought run() {
        const auto values = scanned();
        Sought best;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < values.size(); ++i) {
            double miss = 0.0;
            auto broken = tryValue(values[i], miss);
            if (broken.empty())
                return halved(i == 0 ? kUnset : values[i - 1], values[i]);
            if (miss < least || i == 0) {
                least = miss;
                best.value = values[i];
                best.broken = std::move(broken);
            }
        }
        double miss = 0.0;
        tryValue(best.value, miss);
        best.evaluation = m_evaluation;
        best.evaluations = m_evaluations;
        return best;
    }

private:
    Scenario m_scenario;
    const GoalSeek& m_seek;
    const std::stop_token& m_stop;
    ResolvedQuantity m_parameter;
    double m_from = 0.0;
    double m_to = 0.0;
    Evaluation m_evaluation;
    std::size_t m_evaluations = 0;

    bool isWhole() const { return m_parameter.spec.integer; }

    /// From the end that is wanted.
    std::vector<double> scanned() const {
        std::vector<double> values;
        const double steps = static_cast<double>(kScanned - 1);
        const bool all = isWhole() && m_to - m_from <= steps;
        const double count = all ? m_to - m_from : m_from == m_to ? 0.0 : steps;
        for (double i = 0; i <= count; ++i) {
            double value = all            ? m_from + i
                           : m_from > 0.0 ? m_from * std::pow(m_to / m_from, i / std::max(count, 1.0))
                                          : m_from + (m_to - m_from) * (i / std::max(count, 1.0));
            if (isWhole())
                value = std::round(value);
            value = i == count ? m_to : std::clamp(value, m_from, m_to);
            if (values.empty() || value > values.back())
                values.push_back(value);
        }
        if (m_seek.largest)
            std::reverse(values.begin(), values.end());
        return values;
    }

    /// Between a value that breaks something (NaN: there is none) and one that does not.
    Sought halved(double breaks, double holds) {
        double miss = 0.0;
        if (!std::isnan(breaks)) {
            for (;;) {
                double middle = breaks + (holds - breaks) / 2.0;
                if (isWhole())
                    middle = std::floor(middle);
                if (middle == breaks || middle == holds)
                    break;
                (tryValue(middle, miss).empty() ? holds : breaks) = middle;
            }
            if (!isWhole())
                settle(breaks, holds);
        }
        Sought found;
        found.found = true;
        found.next = breaks;
        if (!std::isnan(breaks))
            found.broken = tryValue(breaks, miss);
        tryValue(holds, miss);
        found.value = holds;
        found.evaluation = m_evaluation;
        found.evaluations = m_evaluations;
        return found;
    }

    /// Rounding can make the last digits hold and break in turn: takes the outermost that holds, until so
    /// many on end do not.
    void settle(double& breaks, double& holds) {
        const double away = m_seek.largest ? std::numeric_limits<double>::infinity()
                                           : -std::numeric_limits<double>::infinity();
        double miss = 0.0;
        double value = breaks;
        for (int broken = 0; broken < kSettled; ++broken) {
            value = std::nextafter(value, away);
            if (value < m_from || value > m_to)
                return;
            if (tryValue(value, miss).empty()) {
                holds = value;
                breaks = std::nextafter(value, away);
                broken = -1;
            }
        }
    }

    std::string tryValue(double value, double& miss) {
        if (m_stop.stop_requested())
            throw Error(ErrorCode::Cancelled, "search", "cancelled", {});
        ++m_evaluations;
        m_parameter.access(m_scenario) = {value * m_parameter.spec.scale, Provenance::User, {}};
        m_evaluation = evaluate(m_scenario);
        if (m_scenario.serving.isSimulated() && !hasErrors(validate(m_scenario)))
            simulateInto(m_scenario, m_evaluation, {.stop = m_stop});
        return brokenLimits(m_evaluation, m_seek.limits, miss);
    }
};

} // namespace

std::string brokenLimits(const Evaluation& evaluation, const std::vector<Limit>& limits, double& miss) {
    miss = std::numeric_limits<double>::infinity();
    if (!evaluation.feasible)
        return evaluation.reason.empty() ? "The design does not run" : evaluation.reason;
    miss = 0.0;
    std::string words;
    for (const auto& limit : limits) {
        const auto& spec = *findMetric(limit.column);
        const double value = toEdge(evaluation.metric(spec.metric), spec.scale);
        const double by = missOf(limit, value);
        if (by == 0.0)
            continue;
        miss += by;
        words += words.empty() ? "" : "; ";
        if (std::isnan(value)) {
            words += std::string(spec.label) + " has no value";
            continue;
        }
        const bool over = value > limit.most;
        const auto unit = shownUnit(spec.unit, value);
        const auto text = [&unit](double one) { return shortText(one * unit.factor, 4) + " " + unit.name; };
        words += std::string(spec.label) + " is " + text(value) + (over ? ", over " : ", below ") +
                 text(over ? limit.most : limit.least) + " by " + shareText(by);
    }
    return words;
}

Sought seekValue(const Scenario& scenario, const GoalSeek& seek, const std::stop_token& stop) {
    return ValueSeeker(scenario, seek, stop).run();
}

} // namespace heteroscape::engine
