// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/evaluate_study.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/store/point_evaluator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <oneapi/tbb/enumerable_thread_specific.h>

namespace heteroscape::engine {

namespace {

using Clock = std::chrono::steady_clock;

/// What storing a point takes on the calling thread beside evaluating it, s: one row of metrics, its key and
/// its place, some hundred thousand a second.
constexpr double kSecondsToStore = 4e-6;

bool simulates(const Study& study) {
    return study.base.serving.isSimulated() ||
           std::any_of(study.axes.begin(), study.axes.end(),
                       [](const Axis& axis) { return axis.path == "serving.arrivals"; });
}

/// The positions of these metrics, or of all.
std::vector<std::size_t> positionsOf(const std::vector<std::string>& metrics) {
    std::vector<std::size_t> positions;
    const auto specs = metricSpecs();
    for (std::size_t i = 0; i < specs.size(); ++i)
        if (metrics.empty() || std::find(metrics.begin(), metrics.end(), specs[i].key) != metrics.end())
            positions.push_back(i);
    return positions;
}

StudyTable emptyTable(const Study& study, std::size_t rows, const std::vector<std::size_t>& metrics) {
    StudyTable table;
    table.info.name = study.name;
    table.info.points = table.info.done = rows;
    table.info.axes = study.axes;
    table.info.limits = study.limits;
    table.info.nodeMetrics = study.nodeMetrics;
    for (const auto& axis : study.axes) {
        StudyColumn column{axis.path, axisLabel(study.base, axis.path), {}, true, {}};
        if (axis.isChoice())
            column.names = axis.names;
        else
            column.unit = resolveQuantity(study.base, axis.path).spec.unit;
        column.values.resize(rows);
        table.columns.push_back(std::move(column));
    }
    table.columns.push_back({"feasible", "Feasible", "", false, std::vector<double>(rows)});
    const auto first = table.columns.size();
    for (const auto& spec : metricSpecs())
        table.columns.push_back(
            {std::string(spec.key), std::string(spec.label), std::string(spec.unit), false, {}});
    for (const auto metric : metrics)
        table.columns[first + metric].values.resize(rows);
    table.partial = metrics.size() < metricSpecs().size();
    table.bounds.resize(rows);
    return table;
}

} // namespace

StudyTable evaluateStudy(const Study& study, const std::stop_token& stop,
                         const std::vector<std::string>& metrics) {
    checkStudy(study);
    const auto rows = study.pointCount();
    const auto wanted = positionsOf(metrics);
    auto table = emptyTable(study, rows, wanted);
    const auto axes = study.axes.size();
    const PointSetter setter(study);
    const PointValidity validity(study);
    BoundNames names;
    oneapi::tbb::enumerable_thread_specific<PointEvaluator> evaluators(
        [&] { return PointEvaluator(setter, validity, names, stop, wanted); });
    const auto fill = [&](std::size_t begin, std::size_t end) {
        auto& evaluator = evaluators.local();
        PointRow row;
        std::vector<double> place;
        for (auto i = begin; i != end && !stop.stop_requested(); ++i) {
            row.ordinal = i;
            evaluator.evaluate(row);
            PointSetter::coordinates(study.axes, i, place);
            for (std::size_t k = 0; k < axes; ++k)
                table.columns[k].values[i] = place[k];
            table.columns[axes].values[i] = row.feasible ? 1.0 : 0.0;
            for (const auto k : wanted)
                table.columns[axes + 1 + k].values[i] = row.metrics[k];
            table.bounds[i] = row.bound;
        }
    };
    inParallel(rows, simulates(study) ? 1 : 64, fill);
    if (stop.stop_requested())
        throw Error(ErrorCode::Cancelled, "study \"" + study.name + "\"", "cancelled", {});
    table.boundNames = names.names();
    for (auto& column : table.columns) // as a table that was read
        if (!column.isAxis &&
            std::all_of(column.values.begin(), column.values.end(), [](double v) { return std::isnan(v); }))
            column.values.clear();
    std::vector<std::size_t> ordinals(study.nodeMetrics.empty() ? 0 : rows);
    for (std::size_t i = 0; i < ordinals.size(); ++i)
        ordinals[i] = i;
    for (const auto& metric : study.nodeMetrics) {
        NodeMetricName name;
        auto values = evaluateNodeMetric(study, metric, ordinals, name, stop);
        table.columns.push_back(
            {metric, name.label.empty() ? metric : name.label, name.unit, false, std::move(values)});
    }
    return table;
}

std::vector<ScenarioKey> studyKeys(const StudyTable& table, const Study& study) {
    const PointSetter setter(study);
    oneapi::tbb::enumerable_thread_specific<PointSetter> setters(setter);
    std::vector<ScenarioKey> keys(table.rows());
    inParallel(table.rows(), 256, [&](std::size_t begin, std::size_t end) {
        auto& at = setters.local();
        for (auto row = begin; row != end; ++row)
            keys[row] = scenarioKeyBytes(at.at(table.ordinal(row)));
    });
    return keys;
}

double estimateSeconds(const Study& study, double budget, const std::stop_token& stop) {
    checkStudy(study);
    const auto count = study.pointCount();
    const PointSetter setter(study);
    const PointValidity validity(study);
    BoundNames names;
    PointEvaluator evaluator(setter, validity, names, stop);
    constexpr std::size_t kSample = 256;
    const auto sample = std::min(kSample, count);
    PointRow row;
    std::size_t done = 0;
    const auto start = Clock::now();
    double seconds = 0;
    while (done < sample && seconds < budget && !stop.stop_requested()) {
        // Spread by a step that has no divisor in common with most grids, so that every axis is met.
        row.ordinal = count <= kSample ? done : (done * 0x9E3779B1ULL) % count;
        evaluator.evaluate(row);
        ++done;
        seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    if (done == 0)
        return std::numeric_limits<double>::quiet_NaN();
    const auto cores = coreCount();
    const double all = static_cast<double>(count);
    // Points are evaluated on all cores while one writes: the slower of the two decides.
    return std::max(seconds / static_cast<double>(done) * all / cores, kSecondsToStore * all);
}

std::vector<double> evaluateNodeMetric(const Study& study, const std::string& metric,
                                       const std::vector<std::size_t>& ordinals, NodeMetricName& name,
                                       const std::stop_token& stop, int threads) {
    const PointSetter setter(study);
    oneapi::tbb::enumerable_thread_specific<PointSetter> setters(setter);
    std::vector<double> values(ordinals.size(), std::numeric_limits<double>::quiet_NaN());
    const auto fill = [&](std::size_t begin, std::size_t end) {
        auto& at = setters.local();
        for (auto i = begin; i != end && !stop.stop_requested(); ++i) {
            const auto& scenario = at.at(ordinals[i]);
            const auto evaluation = evaluate(scenario);
            if (!evaluation.feasible)
                continue;
            try {
                values[i] = findMetric(scenario, evaluation, metric).value;
            } catch (const Error& error) {
                if (error.code() != ErrorCode::NotFound)
                    throw;
            }
        }
    };
    inParallel(ordinals.size(), 16, fill, threads);
    if (stop.stop_requested())
        throw Error(ErrorCode::Cancelled, "study \"" + study.name + "\"", "cancelled", {});
    const auto first =
        std::find_if(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
    if (first != values.end()) { // by the first point that has it, whichever thread came first
        auto at = setter;
        const auto& scenario = at.at(ordinals[static_cast<std::size_t>(first - values.begin())]);
        const auto found = findMetric(scenario, evaluate(scenario), metric);
        name = {found.label, found.unit};
        const auto exchanges = [](const Axis& axis) {
            return axis.path == "system" || (axis.isChoice() && axis.path.ends_with(".device"));
        };
        if (std::any_of(study.axes.begin(), study.axes.end(), exchanges)) // the node is another each time
            if (const auto colon = name.label.find(": "); colon != std::string::npos)
                name.label = name.label.substr(colon + 2);
    }
    return values;
}

} // namespace heteroscape::engine
