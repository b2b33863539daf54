// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/recommend_document.h"

#include "app/documents/number.h"

#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

Json systemJson(const RecommendQuestion& question, const RecommendedSystem& system) {
    Json figures = Json::object();
    for (std::size_t i = 0; i < kRecommendFigures; ++i) {
        const auto spec = recommendFigureSpec(static_cast<RecommendFigure>(i), question);
        const auto& value = system.figures[i];
        figures[std::string(spec.key)] = {{"value", number(toEdge(value.value, spec.scale))},
                                          {"low", number(toEdge(value.low, spec.scale))},
                                          {"high", number(toEdge(value.high, spec.scale))}};
    }
    return {{"ready", system.ready},
            {"name", system.name},
            {"servers", number(system.point.count)},
            {"devices", number(system.point.devices)},
            {"software", system.point.server},
            {"weights", system.point.precision},
            {"layout", system.point.layout},
            {"figures", std::move(figures)},
            {"kept", number(system.kept)},
            {"too_close", system.tooClose.empty() ? Json(nullptr) : Json(system.tooClose)}};
}

Json truthJson(const std::optional<Truth>& truth) {
    return truth ? Json(truthName(*truth)) : Json(nullptr);
}

} // namespace

Json recommendJson(const Recommendation& found) {
    Json lists = Json::array(), passed = Json::array(), measurements = Json::array(), limits = Json::object();
    for (const auto& list : found.lists) {
        Json systems = Json::array();
        for (const auto& system : list.systems)
            systems.push_back(systemJson(found.question, system));
        lists.push_back({{"truth", truthName(list.truth)},
                         {"systems", std::move(systems)},
                         {"nearest", list.nearest.empty() ? Json(nullptr) : Json(list.nearest)}});
    }
    for (const auto& one : found.passed)
        passed.push_back({{"ready", one.ready.empty() ? Json(nullptr) : Json(one.ready)},
                          {"name", one.name},
                          {"truth", truthJson(one.truth)},
                          {"why", one.why}});
    for (const auto& limit : recommendLimits(found.question)) {
        const auto spec = recommendFigureSpec(limit.figure, found.question);
        limits[std::string(spec.key)] = number(toEdge(limit.most, spec.scale));
    }
    for (const auto& one : found.robust.measurements)
        measurements.push_back({{"what", recommendInputText(one.input)},
                                {"ready", one.ready.empty() ? Json(nullptr) : Json(one.ready)},
                                {"changed", one.changed}});
    return {
        {"model", found.question.model},
        {"users", number(found.question.users)},
        {"prompt_tokens", number(found.question.prompt)},
        {"output_tokens", number(found.question.output)},
        {"length_ratio", number(found.question.ratio)},
        {"rented", found.question.rented},
        {"limits", std::move(limits)},
        {"lists", std::move(lists)},
        {"robust",
         {{"truth", truthJson(found.robust.truth)},
          {"system", found.robust.system ? systemJson(found.question, *found.robust.system) : Json(nullptr)},
          {"needed", number(found.robust.needed)},
          {"most", number(found.robust.most)},
          {"draws", found.robust.draws},
          {"measurements", std::move(measurements)}}},
        {"others", std::move(passed)},
        {"simulated", found.simulated.size()},
        {"points", found.points}};
}

} // namespace heteroscape::cli
