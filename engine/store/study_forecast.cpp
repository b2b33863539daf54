// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/study_forecast.h"

#include "engine/store/evaluate_study.h"
#include "engine/store/point_evaluator.h"

#include <algorithm>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostLookedUp = 20000;

/// Looks the points up by their keys, all of them or a sample spread over the grid.
void lookPointsUp(const Study& study, Store& store, const std::stop_token& stop, StudyForecast& forecast) {
    const PointSetter setter(study);
    const PointValidity validity(study);
    BoundNames names;
    PointEvaluator evaluator(setter, validity, names, stop);
    const auto count = std::min(forecast.points, kMostLookedUp);
    forecast.exact = count == forecast.points;
    std::vector<ScenarioKey> keys;
    keys.reserve(count);
    PointRow row;
    for (std::size_t i = 0; i < count && !stop.stop_requested(); ++i) {
        // The step has no divisor in common with most grids, so that every axis is met.
        row.ordinal = forecast.exact ? i : (i * 0x9E3779B1ULL) % forecast.points;
        evaluator.setKey(row);
        keys.push_back(row.key);
    }
    std::sort(keys.begin(), keys.end());
    const auto found = store.lookUp(keys);
    const auto hits = static_cast<std::size_t>(std::count(found.begin(), found.end(), true));
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

} // namespace heteroscape::engine
