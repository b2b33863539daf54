// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_file.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario_json.h"

#include <nlohmann/json.hpp>
#include <set>

namespace heteroscape::engine {

namespace {

constexpr std::string_view kPartFormat = "heteroscape-search-part";
constexpr int kPartVersion = 1;

SearchGoal readGoal(const std::string& text, const std::string& where) {
    if (text.size() > 4 && (text.starts_with("max ") || text.starts_with("min ")))
        return {text.substr(4), text.starts_with("max ") ? 1 : -1};
    throwInvalid(where, "\"" + text.substr(0, 80) + "\" is no objective",
                 "Write \"max METRIC\" or \"min METRIC\"");
}

Axis readAxis(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    Axis axis;
    axis.path = object.text("path");
    if (object.has("names"))
        for (const auto& name : object.array("names")) {
            axis.values.push_back(static_cast<double>(axis.names.size()));
            axis.names.push_back(name.get<std::string>());
        }
    else
        for (const auto& value : object.array("values"))
            axis.values.push_back(value.get<double>());
    object.finish();
    return axis;
}

} // namespace

Json writeProblem(const SearchProblem& problem) {
    Json axes = Json::array(), goals = Json::array(), limits = Json::array();
    for (const auto& axis : problem.study.axes)
        axes.push_back(axis.isChoice() ? Json{{"path", axis.path}, {"names", axis.names}}
                                       : Json{{"path", axis.path}, {"values", axis.values}});
    for (const auto& goal : problem.goals)
        goals.push_back(goalText(goal));
    for (const auto& limit : problem.study.limits)
        limits.push_back(limitText(limit));
    auto base = *problem.study.base;
    base.dropKept(); // of which this may become one
    return {{"base", writeScenario(base)},
            {"axes", std::move(axes)},
            {"objectives", std::move(goals)},
            {"limits", std::move(limits)},
            {"best", problem.best}};
}

SearchProblem readProblem(const Json& json, const Catalog& catalog, const std::string& where) {
    try {
        JsonObject object(json, where);
        SearchProblem problem;
        problem.study.base = readScenario(object.require("base"), catalog, object.place("base"));
        problem.study.name = problem.study.base->name;
        for (const auto& axis : object.array("axes")) {
            problem.study.axes.push_back(readAxis(axis, object.place("axes")));
            resolveChoices(problem.study.axes.back(), problem.study.base, catalog);
        }
        for (const auto& goal : object.array("objectives"))
            problem.goals.push_back(readGoal(goal.get<std::string>(), object.place("objectives")));
        for (const auto& limit : object.array("limits"))
            problem.study.limits.push_back(parseSearchLimit(limit.get<std::string>()));
        problem.best = static_cast<std::size_t>(object.integer("best", 0, kMaxBest));
        object.finish();
        checkProblem(problem);
        return problem;
    } catch (const nlohmann::json::exception& error) {
        throwInvalid(where, error.what(), "Run that shard again");
    }
}

std::string searchPartText(const SearchProblem& problem, const PointShard& shard, const SearchTally& tally) {
    const Json json = {{"format", kPartFormat},
                       {"version", kPartVersion},
                       {"shard", shardText(shard)},
                       {"problem", writeProblem(problem)},
                       {"tally", tally.json()}};
    return json.dump() + "\n";
}

MergedSearch mergeSearch(const std::vector<std::string>& files, const Catalog& catalog) {
    if (files.empty())
        throwInvalid("parts", "none are given", "Name the files that the shards wrote");
    std::optional<MergedSearch> merged;
    Json first;
    std::size_t count = 0;
    std::set<std::size_t> found;
    for (const auto& file : files) {
        const auto json = parseJson(readFile(file), file);
        JsonObject object(json, file);
        if (object.text("format") != kPartFormat)
            throwInvalid(file, "is no part of a search", "Name the files that find --shard wrote");
        object.integer("version", kPartVersion, kPartVersion);
        const auto shard = parsePointShard(object.text("shard"));
        const auto& problem = object.require("problem");
        if (!merged) {
            auto read = readProblem(problem, catalog, object.place("problem"));
            const SearchSpace space(read);
            SearchTally none(read, space);
            merged.emplace(MergedSearch{std::move(read), std::move(none)});
            first = problem;
            count = shard.count;
        } else if (problem != first || shard.count != count) {
            throwInvalid(file, "is a part of another search than " + files.front(),
                         "Merge parts of one search, cut into the same number of shards");
        }
        const auto& tally = object.require("tally");
        if (found.insert(shard.index).second)
            merged->tally.add(tally, object.place("tally"));
        object.finish();
    }
    std::string missing;
    for (std::size_t i = 1, told = 0; i <= count && told < 20; ++i)
        if (!found.contains(i)) {
            missing += (missing.empty() ? "" : ", ") + shardText({i, count});
            ++told;
        }
    if (!missing.empty())
        throwInvalid("parts", "shards are missing: " + missing, "Run these again, then merge all");
    return std::move(*merged);
}

} // namespace heteroscape::engine
