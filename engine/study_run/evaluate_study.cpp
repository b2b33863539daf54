// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_run/evaluate_study.h"

#include "engine/base/error.h"
#include "engine/base/large_pages.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/metric.h"
#include "engine/store/column_block.h"
#include "engine/study_run/point_evaluator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <span>

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

/// A table without values but those of its axes and bounds, which every row has.
StudyTable emptyTable(const Study& study, std::size_t rows) {
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
        table.columns.push_back(std::move(column));
    }
    table.columns.push_back({"feasible", "Feasible", "", false, {}});
    for (const auto& spec : metricSpecs())
        table.columns.push_back(
            {std::string(spec.key), std::string(spec.label), std::string(spec.unit), false, {}});
    for (const auto& metric : study.nodeMetrics)
        table.columns.push_back({metric, {}, {}, false, {}});
    table.bounds.resize(rows);
    return table;
}

/// Takes the answers of points into the columns of a table, from several threads at once. A column is touched
/// when a row has a value of it, and most never have one.
class TableRows {
public:
    TableRows(const Study& study, StudyTable& table, const std::vector<std::size_t>& metrics)
        : m_study(study), m_table(table), m_taken(table.columns.size()) {
        m_columns.push_back(0);
        for (const auto metric : metrics)
            m_columns.push_back(metric + 1);
        for (std::size_t i = 0; i < study.nodeMetrics.size(); ++i)
            m_columns.push_back(kMetricCount + 1 + i);
    }

    /// Rows from `begin` on; no two calls have a row in common.
    void put(std::size_t begin, std::span<const EvaluatedPoint> points) {
        const auto axes = m_study.axes.size();
        std::vector<double> place;
        for (std::size_t i = 0; i < points.size(); ++i) {
            PointSetter::coordinates(m_study.axes, begin + i, place, m_study.isList);
            for (std::size_t k = 0; k < axes; ++k)
                valuesOf(k)[begin + i] = place[k];
            m_table.bounds[begin + i] = points[i].bound;
        }
        for (const auto column : m_columns) {
            bool has = false;
            for (const auto& point : points)
                has |= !std::isnan(point.value(column));
            if (!has)
                continue;
            auto* const values = valuesOf(axes + column) + begin;
            for (std::size_t i = 0; i < points.size(); ++i)
                values[i] = points[i].value(column);
        }
    }

private:
    const Study& m_study;
    StudyTable& m_table;
    std::vector<std::size_t> m_columns; ///< as EvaluatedPoint::value() counts them
    std::vector<std::once_flag> m_taken;

    double* valuesOf(std::size_t column) {
        auto& values = m_table.columns[column].values;
        std::call_once(m_taken[column], [&] {
            reserveLarge(values, m_table.rows());
            values.assign(m_table.rows(), std::numeric_limits<double>::quiet_NaN());
        });
        return values.data();
    }
};

} // namespace

StudyTable evaluateStudy(const Study& study, const std::stop_token& stop,
                         const std::vector<std::string>& metrics, int threads) {
    checkStudy(study);
    const auto rows = study.pointCount();
    const auto wanted = positionsOf(metrics);
    auto table = emptyTable(study, rows);
    table.partial = wanted.size() < metricSpecs().size();
    const PointSetter setter(study);
    BoundNames names;
    struct Hand {
        PointEvaluator evaluator;
        std::vector<EvaluatedPoint> points;
    };
    oneapi::tbb::enumerable_thread_specific<Hand> hands([&] {
        return Hand{PointEvaluator(setter, names, stop, wanted, study.nodeMetrics),
                    std::vector<EvaluatedPoint>(kPointsAtOnce)};
    });
    TableRows answers(study, table, wanted);
    const auto fill = [&](std::size_t begin, std::size_t end) {
        auto& [evaluator, points] = hands.local();
        for (auto first = begin; first < end; first += kPointsAtOnce) {
            const auto count = std::min(kPointsAtOnce, end - first);
            for (std::size_t i = 0; i < count; ++i) {
                if (stop.stop_requested())
                    return;
                evaluator.evaluate(first + i, points[i]);
            }
            answers.put(first, std::span(points).first(count));
        }
    };
    inParallel(rows, isSimulatedStudy(study) ? 1 : 2 * kPointsAtOnce, fill,
               threads > 0 ? threads : coreCount());
    if (stop.stop_requested())
        throw Error(ErrorCode::Cancelled, "study \"" + study.name + "\"", "cancelled", {});
    table.boundNames = names.names();
    for (auto& column : table.columns) { // metrics of nodes are called as a point that has them calls them
        const auto isKept = std::find(study.nodeMetrics.begin(), study.nodeMetrics.end(), column.name);
        if (column.isAxis || isKept == study.nodeMetrics.end() || column.values.empty())
            continue;
        const auto first =
            std::find_if(column.values.begin(), column.values.end(), [](double v) { return !std::isnan(v); });
        auto name =
            nodeMetricName(study, column.name, static_cast<std::size_t>(first - column.values.begin()));
        column.label = std::move(name.label);
        column.unit = std::move(name.unit);
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
