// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_record.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario_json.h"
#include "engine/version.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
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
    axis.path = currentPath(object.text("path"));
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

constexpr const char* kOtherKind = "a value in it is of another kind than a search has there";

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
    } catch (const nlohmann::json::exception&) {
        throwInvalid(where, kOtherKind, "Run that shard again");
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

namespace {

constexpr std::string_view kSearchFormat = "heteroscape-search";
constexpr int kSearchVersion = 1;

std::string checksumOf(std::string_view text) {
    auto hash = contentHash(text);
    std::string digits(16, '0');
    for (auto i = digits.size(); i-- > 0; hash >>= 4U)
        digits[i] = "0123456789abcdef"[hash & 15U];
    return digits;
}

Json writtenValue(double value) {
    return std::isfinite(value) ? Json(value) : std::isnan(value) ? Json() : Json(value > 0 ? "inf" : "-inf");
}

double readValue(const Json& json) {
    if (json.is_string())
        return json.get<std::string>() == "inf" ? INFINITY : -INFINITY;
    return json.is_null() ? kUnset : json.get<double>();
}

Json writtenLook(const LookedPoint& seen, std::size_t goals) {
    Json one = Json::array({seen.ordinal});
    if (!seen.runs)
        return one;
    for (std::size_t g = 0; g < goals; ++g)
        one.push_back(writtenValue(seen.goals[g]));
    for (const double value : seen.limited)
        one.push_back(writtenValue(value));
    return one;
}

LookedPoint readLook(const Json& json, const SearchProblem& problem) {
    LookedPoint seen;
    seen.ordinal = json.at(0).get<std::uint64_t>();
    seen.runs = json.size() > 1;
    if (!seen.runs)
        return seen;
    std::size_t next = 1;
    for (std::size_t g = 0; g < problem.goals.size(); ++g)
        seen.goals[g] = readValue(json.at(next++));
    for (std::size_t i = 0; i < problem.study.limits.size(); ++i)
        seen.limited.push_back(readValue(json.at(next++)));
    return seen;
}

Json writtenState(const SearchRecord& record) {
    Json looked = Json::array();
    for (const auto& seen : record.state->looked)
        looked.push_back(writtenLook(seen, record.problem.goals.size()));
    return {
        {"done", record.state->done}, {"tally", record.state->tally.json()}, {"looked", std::move(looked)}};
}

std::shared_ptr<const SearchState> readState(const Json& json, const SearchRecord& record,
                                             const std::string& where) {
    JsonObject object(json, where);
    auto state = std::make_shared<SearchState>(SearchTally(record.problem, SearchSpace(record.problem)));
    state->done = static_cast<std::uint64_t>(object.integer(
        "done", 0, static_cast<long long>(std::min<std::uint64_t>(record.total(), INT64_MAX))));
    state->tally.add(object.require("tally"), object.place("tally"));
    for (const auto& seen : object.array("looked"))
        state->looked.push_back(readLook(seen, record.problem));
    object.finish();
    return state;
}

/// What makes it this search and no other.
Json writtenQuestion(const SearchRecord& record) {
    return {{"format", kSearchFormat},           {"version", kSearchVersion},
            {"equations", kEquationsVersion},    {"method", record.method->id()},
            {"evaluations", record.evaluations}, {"seed", record.seed},
            {"shard", shardText(record.shard)},  {"problem", writeProblem(record.problem)}};
}

} // namespace

std::uint64_t SearchRecord::total() const {
    const auto points = problem.study.pointCount();
    if (method->canShard())
        return shard.end(points) - shard.begin(points);
    return std::min<std::uint64_t>(points, evaluations);
}

bool SearchRecord::isDone() const {
    return state && state->done >= total();
}

SearchOptions SearchRecord::options() const {
    SearchOptions options;
    options.shard = shard;
    options.evaluations = evaluations;
    options.seed = seed;
    options.from = state;
    return options;
}

Json writeSearch(const SearchRecord& record) {
    auto json = writtenQuestion(record);
    if (record.state)
        json["state"] = writtenState(record);
    json["checksum"] = checksumOf(json.dump());
    return json;
}

SearchRecord readSearch(const Json& json, const Catalog& catalog, const std::string& where) {
    try {
        JsonObject object(json, where);
        if (object.text("format") != kSearchFormat)
            throwInvalid(where, "is no search that is kept", "Name a file that find --checkpoint wrote");
        object.integer("version", kSearchVersion, kSearchVersion);
        auto rest = json;
        rest.erase("checksum");
        if (object.text("checksum") != checksumOf(rest.dump()))
            throwInvalid(where, "is damaged: its checksum does not hold",
                         "Take it away and search again: what is left of it cannot be trusted");
        SearchRecord record;
        record.isCurrent = object.require("equations") == Json(kEquationsVersion);
        record.method = &searchMethods().at(object.text("method"), object.place("method"));
        record.evaluations = static_cast<std::uint64_t>(object.integer("evaluations", 1, INT64_MAX));
        record.seed = static_cast<std::uint32_t>(object.integer("seed", 0, UINT32_MAX));
        record.shard = parsePointShard(object.text("shard"));
        record.problem = readProblem(object.require("problem"), catalog, object.place("problem"));
        if (object.has("state"))
            record.state = readState(object.require("state"), record, object.place("state"));
        object.finish();
        return record;
    } catch (const nlohmann::json::exception&) {
        throwInvalid(where, kOtherKind, "Take it away and search again");
    }
}

SearchCheckpoint::SearchCheckpoint(std::string path, SearchRecord asked)
    : m_path(std::move(path)), m_record(std::move(asked)) {
    m_record.state = nullptr;
}

std::shared_ptr<const SearchState> SearchCheckpoint::read(const Catalog& catalog) const {
    if (!std::filesystem::exists(m_path))
        return nullptr;
    const auto found = readSearch(parseJson(readFile(m_path), m_path), catalog, m_path);
    if (!found.isCurrent || writtenQuestion(found) != writtenQuestion(m_record))
        throwInvalid(m_path, "is of another search, or of another version of the program",
                     "Name another file, or remove it to begin anew");
    return found.state;
}

void SearchCheckpoint::write(const std::shared_ptr<const SearchState>& state) {
    m_record.state = state;
    writeFileAtomically(m_path, writeSearch(m_record).dump() + "\n");
    m_record.state = nullptr;
}

void SearchCheckpoint::remove() const {
    std::error_code ignored; // what is left is found to be done
    std::filesystem::remove(m_path, ignored);
}

} // namespace heteroscape::engine
