// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_result.h"

#include "engine/base/csv.h"
#include "engine/evaluation/evaluate.h"
#include "engine/search/search_method.h"
#include "engine/study/truths.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

Json shownNumber(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

/// Evaluates points of a problem again, in its own order of axes.
class Finder {
public:
    explicit Finder(const SearchProblem& problem)
        : m_problem(problem), m_space(problem), m_walker(problem, m_space, {}) {
        for (const auto& goal : problem.goals)
            addColumn(goal.column);
        for (const auto& limit : problem.study.limits)
            if (limit.column != "feasible" && limit.column != kTruthColumn)
                addColumn(limit.column);
    }

    const SearchSpace& space() const { return m_space; }
    const std::vector<std::string>& names() const { return m_names; }
    const std::vector<PointColumn>& columns() const { return m_columns; }

    FoundDesign at(std::uint64_t ordinal) {
        const auto& point = m_walker.at(m_space.placeOf(ordinal));
        FoundDesign found;
        found.ordinal = ordinal;
        found.place = placeText(ordinal);
        for (const auto& column : m_columns)
            found.values.push_back(column.at(m_walker.scenario(), m_walker.evaluation(), point.positions));
        found.bound = boundKey(m_walker.scenario(), m_walker.evaluation());
        found.truth = truthOf(m_walker.scenario());
        return found;
    }

    std::vector<std::string> placeText(std::uint64_t ordinal) const {
        const auto& axes = m_problem.study.axes;
        std::vector<std::string> texts(axes.size());
        for (auto i = axes.size(); i-- > 0;) {
            texts[i] = axes[i].text(ordinal % axes[i].values.size());
            ordinal /= axes[i].values.size();
        }
        return texts;
    }

    std::string placeWords(std::uint64_t ordinal) const {
        const auto texts = placeText(ordinal);
        std::string words;
        for (std::size_t i = 0; i < texts.size(); ++i)
            words += (i == 0 ? "" : ", ") + m_problem.study.axes[i].path + "=" + texts[i];
        return words;
    }

private:
    const SearchProblem& m_problem;
    SearchSpace m_space;
    SearchWalker m_walker;
    std::vector<std::string> m_names;
    std::vector<PointColumn> m_columns;

    void addColumn(const std::string& name) {
        if (std::find(m_names.begin(), m_names.end(), name) != m_names.end())
            return;
        m_names.push_back(name);
        m_columns.emplace_back(m_space.walked(), name);
    }
};

std::string missWords(const Limit& limit, double value, double miss) {
    if (std::isnan(value))
        return limit.column + " has no value";
    if (limit.column == kTruthColumn)
        return "what it rests on is \"" + std::string(truthText(static_cast<Truth>(value))) + '"';
    return limit.column + " is " + shortText(value, 4) + ", " + shortText(100.0 * miss, 3) + " % " +
           (value > limit.most ? "over " : "below ") +
           exactText(value > limit.most ? limit.most : limit.least);
}

std::string unmetWords(const SearchProblem& problem, const SearchTally& tally, Finder& finder) {
    if (tally.kept() > 0)
        return {};
    if (tally.running() == 0) {
        const auto& study = problem.study;
        std::string why = evaluate(study.base).reason;
        return "No design of all " + std::to_string(tally.points()) + " runs." +
               (why.empty() ? "" : " As it is given: " + why);
    }
    std::string words;
    const auto& limits = problem.study.limits;
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const auto& near = tally.nearest(i);
        if (near.miss > 0.0)
            words += (words.empty() ? "" : " ") + limitText(limits[i]) +
                     " cannot be met: at the nearest point " + missWords(limits[i], near.value, near.miss) +
                     " (" + finder.placeWords(near.ordinal) + ").";
    }
    if (!words.empty())
        return words;
    const auto& near = tally.nearestToAll();
    const auto design = finder.at(near.ordinal);
    for (const auto& limit : limits) {
        const auto column = std::find(finder.names().begin(), finder.names().end(), limit.column);
        if (column == finder.names().end())
            continue;
        const double value = design.values[static_cast<std::size_t>(column - finder.names().begin())];
        if (const double miss = missOf(limit, value); miss > 0.0)
            words += (words.empty() ? "" : "; ") + missWords(limit, value, miss);
    }
    return "Each limit can be met, but not all together: at the nearest point " + words + " (" +
           finder.placeWords(near.ordinal) + ").";
}

std::vector<FoundDesign> foundAt(Finder& finder, const std::vector<SearchEntry>& entries) {
    std::vector<FoundDesign> found;
    for (const auto& entry : entries)
        found.push_back(finder.at(entry.ordinal));
    return found;
}

Json designJson(const SearchProblem& problem, const SearchResult& result, const FoundDesign& design) {
    Json json = {{"point", design.ordinal}, {"bound", design.bound}};
    if (result.truths.areMixed() || !truthRemark(design.truth).empty())
        json["truth"] = truthName(design.truth);
    const auto& axes = problem.study.axes;
    for (std::size_t i = 0; i < axes.size(); ++i)
        json[axes[i].path] = axes[i].isChoice() ? Json(design.place[i]) : Json(*parseNumber(design.place[i]));
    for (std::size_t i = 0; i < result.columns.size(); ++i)
        json[result.columns[i]] = shownNumber(design.values[i]);
    return json;
}

} // namespace

SearchResult searchResult(const SearchProblem& problem, const SearchTally& tally) {
    Finder finder(problem);
    SearchResult result;
    result.columns = finder.names();
    for (const auto& column : finder.columns())
        result.units.push_back(column.unit());
    result.front = foundAt(finder, tally.front());
    for (std::size_t g = 0; g < problem.goals.size(); ++g)
        result.best.push_back(foundAt(finder, tally.best(g)));
    PointTruths truths(problem.study);
    for (const auto& entries : {tally.front(), tally.sampleWithin()})
        for (const auto& entry : entries)
            result.truths.add(truths.at(entry.ordinal));
    for (const auto& best : result.best)
        for (const auto& design : best)
            result.truths.add(design.truth);
    result.unmet = unmetWords(problem, tally, finder);
    return result;
}

Json searchJson(const SearchProblem& problem, const SearchTally& tally) {
    const auto result = searchResult(problem, tally);
    const SearchSpace space(problem);
    Json goals = Json::array(), limits = Json::array(), front = Json::array(), best, reached;
    for (const auto& limit : problem.study.limits)
        limits.push_back(limitText(limit));
    for (const auto& design : result.front)
        front.push_back(designJson(problem, result, design));
    for (std::size_t g = 0; g < problem.goals.size(); ++g) {
        const auto name = goalText(problem.goals[g]);
        goals.push_back(name);
        best[name] = Json::array();
        for (const auto& design : result.best[g])
            best[name].push_back(designJson(problem, result, design));
        for (std::size_t walked = 0; walked < space.order().size(); ++walked) {
            const auto& axis = problem.study.axes[space.order()[walked]];
            Json values = Json::array();
            const auto reach = tally.reached(g, walked);
            for (std::size_t i = 0; i < reach.size(); ++i)
                if (!std::isnan(reach[i].value))
                    values.push_back({{"value", axis.isChoice() ? Json(axis.names[i]) : Json(axis.values[i])},
                                      {"best", reach[i].value},
                                      {"point", reach[i].ordinal}});
            reached[name][axis.path] = std::move(values);
        }
    }
    Json json = {{"objectives", std::move(goals)}, {"limits", std::move(limits)},
                 {"points", tally.points()},       {"running", tally.running()},
                 {"within_limits", tally.kept()},  {"front", std::move(front)},
                 {"best", std::move(best)},        {"reached", std::move(reached)}};
    if (!result.unmet.empty())
        json["unmet"] = result.unmet;
    return json;
}

std::string searchCsv(const SearchProblem& problem, const SearchTally& tally) {
    const auto result = searchResult(problem, tally);
    std::string out;
    for (const auto& axis : problem.study.axes)
        out += csvField(axis.path) + ",";
    for (const auto& column : result.columns)
        out += csvField(column) + ",";
    const bool tells = result.truths.areMixed() || result.truths.has(Truth::Ideal);
    out += tells ? "bound,point,truth\n" : "bound,point\n";
    for (const auto& design : result.front) {
        for (const auto& text : design.place)
            out += csvField(text) + ",";
        for (const double value : design.values)
            out += (std::isnan(value) ? std::string() : exactText(value)) + ",";
        out += csvField(design.bound) + "," + std::to_string(design.ordinal);
        if (tells)
            out.append(",").append(truthName(design.truth));
        out += '\n';
    }
    return out;
}

} // namespace heteroscape::engine
