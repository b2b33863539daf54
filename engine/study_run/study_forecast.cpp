// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_run/study_forecast.h"

#include "engine/study_run/evaluate_study.h"

#include <algorithm>

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

} // namespace heteroscape::engine
