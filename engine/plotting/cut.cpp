// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plotting/cut.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/step_cache.h"
#include "engine/study/sensitivity.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace heteroscape::engine {

namespace {

/// The values of an axis that the cut needs; empty: all.
std::vector<double> heldValues(const Axis& axis, const SeriesQuery& query) {
    const auto averaged =
        std::find(query.meanOver.begin(), query.meanOver.end(), axis.path) != query.meanOver.end();
    if (axis.path == query.x || axis.path == query.curve || averaged)
        return {};
    std::vector<double> values;
    const auto take = [&](const std::vector<HeldAxis>& held) {
        for (const auto& [path, value] : held)
            if (path == axis.path)
                values.push_back(value);
    };
    take(query.fixed);
    for (const auto& one : query.cases)
        take(one.at);
    if (!query.gain.axis.empty()) {
        take({{query.gain.axis, query.gain.value}});
        take(query.gain.further);
    }
    if (values.empty())
        values.push_back(axis.values.front());
    return values;
}

Axis narrowed(const Axis& axis, const std::vector<double>& values) {
    Axis out{axis.path, {}};
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
        if (std::find(values.begin(), values.end(), axis.values[i]) == values.end())
            continue;
        out.values.push_back(axis.values[i]); // positions of choices stay those of the whole axis
        if (axis.isChoice()) {
            out.names.push_back(axis.names[i]);
            out.edits.push_back(axis.edits[i]);
        }
    }
    return out;
}

/// The metric of every point with one constant of it moved to one end, where it has that constant.
std::vector<double> movedMetric(const Study& cut, const MetricSpec& spec,
                                const std::vector<std::vector<UncertainInput>>& inputs,
                                const std::string& path, bool up, const std::vector<double>& unmoved,
                                const std::stop_token& stop) {
    auto values = unmoved;
    const PointSetter prototype(cut);
    const auto fill = [&](std::size_t begin, std::size_t end) {
        auto setter = prototype;
        Evaluation evaluation;
        Scenario scenario; // one place: steps are kept by it
        StepCache steps;
        std::vector<std::uint64_t> keys;
        const auto reach = stepReach(cut.base, path);
        for (auto i = begin; i != end && !stop.stop_requested(); ++i) {
            const auto input = std::find_if(inputs[i].begin(), inputs[i].end(),
                                            [&](const auto& one) { return one.path == path; });
            if (std::isnan(unmoved[i]) || input == inputs[i].end())
                continue;
            scenario = setter.at(i);
            keys.assign(setter.stepKeys().begin(), setter.stepKeys().end());
            for (std::size_t node = 0; node < keys.size(); ++node)
                if (keys[node] != std::numeric_limits<std::uint64_t>::max()) // or nothing of it is kept
                    keys[node] = 2 * keys[node] + (reach.reaches(node) ? 1 : 0);
            steps.setKeys(keys);
            const auto resolved = resolveQuantity(scenario, path);
            resolved.access(scenario).value = (up ? input->high : input->low) * resolved.spec.scale;
            evaluateInto(scenario, evaluation, steps);
            values[i] = evaluation.feasible ? toEdge(evaluation.metric(spec.metric), spec.scale)
                                            : std::numeric_limits<double>::quiet_NaN();
        }
    };
    inParallel(values.size(), 32, fill);
    return values;
}

/// The error expected of the metric in each point, as a share of it; 0 where it rests on no measured kernels.
std::vector<double> expectedShares(const Study& cut, Metric metric, std::size_t points,
                                   const std::stop_token& stop) {
    std::vector<double> shares(points, 0.0);
    const PointSetter prototype(cut);
    inParallel(points, 4, [&](std::size_t begin, std::size_t end) {
        auto setter = prototype;
        for (auto i = begin; i != end && !stop.stop_requested(); ++i) {
            const auto& scenario = setter.at(i);
            if (!hasExpectedErrors(scenario))
                continue;
            const double percent = ExpectedErrors(scenario, evaluate(scenario)).of(metric).percent;
            shares[i] = percent == percent ? percent * 0.01 : 0.0;
        }
    });
    return shares;
}

} // namespace

Study cutStudy(const Study& study, const SeriesQuery& query) {
    Study cut{study.name, study.base, {}, study.limits, study.nodeMetrics};
    for (const auto& axis : study.axes) {
        const auto values = heldValues(axis, query);
        cut.axes.push_back(values.empty() ? axis : narrowed(axis, values));
    }
    return cut;
}

std::vector<Band> seriesBands(const Study& study, const SeriesQuery& query, const std::stop_token& stop) {
    const auto* spec = findMetric(query.metric);
    if (!spec || isSimulated(spec->metric))
        throwInvalid(query.metric, "has no bands", "Take a metric that is not one of simulated requests");
    auto cut = cutStudy(study, query);
    cut.nodeMetrics.clear();
    auto table = evaluateStudy(cut, stop, {query.metric});
    const auto nominal = studySeries(table, query);
    std::vector<std::vector<double>> down, up; // sums of squares
    for (const auto& one : nominal)
        down.emplace_back(one.x.size(), 0.0);
    up = down;

    std::set<std::string> paths;
    std::vector<std::vector<UncertainInput>> inputs; // of each point
    PointSetter setter(cut);
    for (std::size_t i = 0; i < table.rows(); ++i) {
        inputs.push_back(calibratedInputs(setter.at(i)));
        for (const auto& input : inputs.back())
            paths.insert(input.path);
    }
    auto& column = *std::find_if(table.columns.begin(), table.columns.end(),
                                 [&](const auto& one) { return one.name == query.metric; });
    const auto unmoved = column.values;
    const auto addMoved = [&](std::vector<double> values) {
        if (stop.stop_requested())
            throw Error(ErrorCode::Cancelled, "study \"" + study.name + "\"", "cancelled", {});
        column.values = std::move(values);
        const auto moved = studySeries(table, query);
        for (std::size_t s = 0; s < nominal.size(); ++s)
            for (std::size_t i = 0; i < nominal[s].y.size(); ++i) {
                const double by = moved[s].y[i] - nominal[s].y[i];
                if (!std::isnan(by))
                    (by < 0 ? down : up)[s][i] += by * by;
            }
    };
    if (!unmoved.empty()) {
        for (const auto& path : paths)
            for (const bool high : {false, true})
                addMoved(movedMetric(cut, *spec, inputs, path, high, unmoved, stop));
        const auto shares = expectedShares(cut, spec->metric, unmoved.size(), stop);
        for (const double sign : {-1.0, 1.0}) {
            auto values = unmoved;
            bool any = false;
            for (std::size_t i = 0; i < values.size(); ++i) {
                values[i] *= 1.0 + sign * shares[i];
                any = any || shares[i] > 0.0;
            }
            if (any)
                addMoved(std::move(values));
        }
    }
    std::vector<Band> bands(nominal.size());
    for (std::size_t s = 0; s < nominal.size(); ++s)
        for (std::size_t i = 0; i < nominal[s].y.size(); ++i) {
            bands[s].low.push_back(nominal[s].y[i] - std::sqrt(down[s][i]));
            bands[s].high.push_back(nominal[s].y[i] + std::sqrt(up[s][i]));
        }
    return bands;
}

} // namespace heteroscape::engine
