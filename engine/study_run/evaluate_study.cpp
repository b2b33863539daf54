// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_run/evaluate_study.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/metric.h"
#include "engine/store/column_block.h"
#include "engine/study_run/point_evaluator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <oneapi/tbb/enumerable_thread_specific.h>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostLookedUp = 20000;

/// Looks points up, all of them or a sample spread over the grid: simulated ones by their keys, others in the
/// studies of the same grid.
void lookPointsUp(const Study& study, Store& store, const std::stop_token& stop, StudyForecast& forecast) {
    PointSetter setter(study);
    const auto count = std::min(forecast.points, kMostLookedUp);
    forecast.exact = count == forecast.points;
    const bool simulated = isSimulatedStudy(study);
    const auto lenders = simulated ? std::vector<Lender>() : store.lenders(study);
    if (!simulated && lenders.empty())
        return;
    std::vector<std::vector<bool>> stored; // of each lender, by ordinal
    for (const auto& lender : lenders)
        stored.push_back(store.storedOrdinals(store.study(lender.study)));
    std::vector<ScenarioKey> keys;
    std::size_t hits = 0;
    for (std::size_t i = 0; i < count && !stop.stop_requested(); ++i) {
        // The step has no divisor in common with most grids, so that every axis is met.
        const auto& scenario = setter.at(forecast.exact ? i : (i * 0x9E3779B1ULL) % forecast.points);
        if (simulated)
            keys.push_back(scenarioKeyBytes(scenario));
        bool found = false;
        for (std::size_t k = 0; k < lenders.size() && !found; ++k) {
            const auto there = lenders[k].ordinal(setter.positions());
            found = there != Lender::kNone && stored[k][there];
        }
        hits += found ? 1 : 0;
    }
    for (const auto& place : store.findSimulated(keys))
        hits += place ? 1 : 0;
    forecast.stored = forecast.exact
                          ? hits
                          : static_cast<std::size_t>(static_cast<double>(hits) / static_cast<double>(count) *
                                                     static_cast<double>(forecast.points));
}

} // namespace

StudyForecast forecastStudy(const Study& study, Store* store, const std::stop_token& stop) {
    checkStudy(study);
    StudyForecast forecast;
    forecast.points = study.pointCount();
    if (store) {
        const auto known = store->findStudy(study);
        const auto whole = known ? store->wholePoints(*known) : 0;
        if (whole == forecast.points)
            forecast.stored = forecast.points;
        else if (store->pointCount() > 0)
            lookPointsUp(study, *store, stop, forecast);
        forecast.stored = std::max(forecast.stored, whole); // counted; a sample only tells about how many
    }
    if (forecast.stored < forecast.points && !stop.stop_requested())
        forecast.seconds = estimateSeconds(study, 0.05, stop) *
                           static_cast<double>(forecast.points - forecast.stored) /
                           static_cast<double>(forecast.points);
    return forecast;
}

namespace {

using Clock = std::chrono::steady_clock;

/// What SQLite writes in a second, bytes: to its log, then home.
constexpr double kBytesWritten = 400e6;

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
    table.info.isList = study.isList;
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
                         const std::vector<std::string>& metrics, int threads) {
    checkStudy(study);
    const auto rows = study.pointCount();
    const auto wanted = positionsOf(metrics);
    auto table = emptyTable(study, rows, wanted);
    const auto axes = study.axes.size();
    const PointSetter setter(study);
    BoundNames names;
    oneapi::tbb::enumerable_thread_specific<PointEvaluator> evaluators(
        [&] { return PointEvaluator(setter, names, stop, wanted, study.nodeMetrics); });
    std::vector<std::vector<double>> nodes(study.nodeMetrics.size(), std::vector<double>(rows));
    const auto fill = [&](std::size_t begin, std::size_t end) {
        auto& evaluator = evaluators.local();
        EvaluatedPoint point;
        std::vector<double> place;
        for (auto i = begin; i != end && !stop.stop_requested(); ++i) {
            evaluator.evaluate(i, point);
            PointSetter::coordinates(study.axes, i, place, study.isList);
            for (std::size_t k = 0; k < axes; ++k)
                table.columns[k].values[i] = place[k];
            table.columns[axes].values[i] = point.feasible ? 1.0 : 0.0;
            for (const auto k : wanted)
                table.columns[axes + 1 + k].values[i] = point.metrics[k];
            for (std::size_t k = 0; k < nodes.size(); ++k)
                nodes[k][i] = point.nodeMetrics[k];
            table.bounds[i] = point.bound;
        }
    };
    inParallel(rows, isSimulatedStudy(study) ? 1 : 64, fill, threads > 0 ? threads : coreCount());
    if (stop.stop_requested())
        throw Error(ErrorCode::Cancelled, "study \"" + study.name + "\"", "cancelled", {});
    table.boundNames = names.names();
    for (auto& column : table.columns) // as a table that was read
        if (!column.isAxis &&
            std::all_of(column.values.begin(), column.values.end(), [](double v) { return std::isnan(v); }))
            column.values.clear();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const auto& metric = study.nodeMetrics[i];
        const auto first =
            std::find_if(nodes[i].begin(), nodes[i].end(), [](double v) { return !std::isnan(v); });
        NodeMetricName name{metric, {}};
        if (first != nodes[i].end())
            name = nodeMetricName(study, metric, static_cast<std::size_t>(first - nodes[i].begin()));
        else
            nodes[i].clear();
        table.columns.push_back({metric, name.label, name.unit, false, std::move(nodes[i])});
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
    BoundNames names;
    PointEvaluator evaluator(setter, names, stop, {}, study.nodeMetrics);
    // Stretches of neighbours, as they are evaluated: what an inner axis leaves alone is not worked out
    // again.
    constexpr std::size_t kStretches = 4, kStretch = 250;
    std::vector<std::vector<double>> columns(kMetricCount);
    EvaluatedPoint point;
    std::size_t done = 0;
    const auto start = Clock::now();
    double seconds = 0;
    for (std::size_t stretch = 0; stretch < kStretches; ++stretch) {
        const auto first = stretch * count / kStretches;
        const auto end = std::min(first + kStretch, (stretch + 1) * count / kStretches);
        for (auto i = first; i < end && seconds < budget && !stop.stop_requested(); ++i) {
            evaluator.evaluate(i, point);
            for (std::size_t k = 0; k < kMetricCount; ++k)
                columns[k].push_back(point.metrics[k]);
            ++done;
            seconds = std::chrono::duration<double>(Clock::now() - start).count();
        }
    }
    if (done == 0)
        return std::numeric_limits<double>::quiet_NaN();
    std::size_t bytes = 0;
    for (const auto& column : columns)
        bytes += packBlock(column).size();
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
    const double times = static_cast<double>(count) / static_cast<double>(done);
    // Points are evaluated and packed on all cores while one writes: the slower of the two decides.
    return times * std::max(seconds / coreCount(), static_cast<double>(bytes) / kBytesWritten);
}

} // namespace heteroscape::engine
