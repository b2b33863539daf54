// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/search/search_tally.h"

#include "engine/base/error.h"
#include "engine/base/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

Json writtenNumber(double value) {
    return std::isfinite(value) ? Json(value) : Json();
}

double readNumber(const Json& json, double otherwise) {
    return json.is_null() ? otherwise : json.get<double>();
}

Json writtenEntries(const std::vector<SearchEntry>& entries, std::size_t goals) {
    Json list = Json::array();
    for (const auto& entry : entries) {
        Json one = Json::array({entry.ordinal});
        for (std::size_t g = 0; g < goals; ++g)
            one.push_back(writtenNumber(entry.values[g]));
        list.push_back(std::move(one));
    }
    return list;
}

SearchEntry readEntry(const Json& json) {
    SearchEntry entry;
    entry.ordinal = json.at(0).get<std::uint64_t>();
    for (std::size_t g = 0; g + 1 < json.size() && g < kMaxGoals; ++g)
        entry.values[g] = readNumber(json.at(g + 1), kUnset);
    return entry;
}

Json writtenNear(const SearchTally::Near& near) {
    return Json::array({writtenNumber(near.miss), writtenNumber(near.value), near.ordinal});
}

SearchTally::Near readNear(const Json& json) {
    return {readNumber(json.at(0), std::numeric_limits<double>::infinity()), readNumber(json.at(1), kUnset),
            json.at(2).get<std::uint64_t>()};
}

} // namespace

SearchTally::SearchTally(const SearchProblem& problem, const SearchSpace& space)
    : m_goals(problem.goals), m_limits(problem.study.limits), m_most(problem.best), m_front(problem.goals),
      m_best(m_goals.size()), m_reached(m_goals.size()), m_broken(m_limits.size()),
      m_nearest(m_limits.size()) {
    for (auto& axes : m_reached)
        for (const auto& axis : space.walked().axes)
            axes.emplace_back(axis.values.size());
}

void SearchTally::offerNear(Near& near, const Near& other) {
    if (other.miss < near.miss || (other.miss == near.miss && other.ordinal < near.ordinal))
        near = other;
}

void SearchTally::offerReached(Best& best, std::size_t goal, const Best& other) const {
    const double better = m_goals[goal].better;
    if (std::isnan(best.value) || better * other.value > better * best.value ||
        (other.value == best.value && other.ordinal < best.ordinal))
        best = other;
}

void SearchTally::offerBest(std::size_t goal, const SearchEntry& entry) {
    auto& list = m_best[goal];
    const double better = m_goals[goal].better;
    const auto before = [&](const SearchEntry& a, const SearchEntry& b) {
        const double x = better * a.values[goal], y = better * b.values[goal];
        return x != y ? x > y : a.ordinal < b.ordinal;
    };
    if (list.size() == m_most && (m_most == 0 || !before(entry, list.back())))
        return;
    list.insert(std::upper_bound(list.begin(), list.end(), entry, before), entry);
    if (list.size() > m_most)
        list.pop_back();
}

void SearchTally::offer(const SearchedPoint& point) {
    ++m_points;
    if (!point.runs)
        return;
    ++m_running;
    double missed = 0.0;
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
        const double miss = missOf(m_limits[i], point.limited[i]);
        missed += miss;
        m_broken[i] += miss > 0.0 ? 1 : 0;
        if (miss < m_nearest[i].miss || (miss == m_nearest[i].miss && point.ordinal < m_nearest[i].ordinal))
            m_nearest[i] = {miss, point.limited[i], point.ordinal};
    }
    if (!m_limits.empty())
        offerNear(m_nearestToAll, {missed, kUnset, point.ordinal});
    SearchEntry entry;
    entry.ordinal = point.ordinal;
    std::copy(point.goals.begin(), point.goals.end(), entry.values.begin());
    if (missed > 0.0) {
        m_outside.offer(entry);
        return;
    }
    ++m_kept;
    m_within.offer(entry);
    bool whole = true;
    for (std::size_t g = 0; g < m_goals.size(); ++g) {
        const double value = entry.values[g];
        if (std::isnan(value)) {
            whole = false;
            continue;
        }
        for (std::size_t axis = 0; axis < point.positions.size(); ++axis)
            offerReached(m_reached[g][axis][point.positions[axis]], g, {value, point.ordinal});
    }
    for (std::size_t g = 0; g < m_goals.size(); ++g)
        if (!std::isnan(entry.values[g]))
            offerBest(g, entry);
    if (whole)
        m_front.offer(entry);
}

void SearchTally::add(const SearchTally& other) {
    m_points += other.m_points;
    m_running += other.m_running;
    m_kept += other.m_kept;
    for (const auto& entry : other.m_front.entries())
        m_front.offer(entry);
    for (std::size_t g = 0; g < m_goals.size(); ++g) {
        for (const auto& entry : other.m_best[g])
            offerBest(g, entry);
        for (std::size_t axis = 0; axis < m_reached[g].size(); ++axis)
            for (std::size_t i = 0; i < m_reached[g][axis].size(); ++i)
                if (const auto& best = other.m_reached[g][axis][i]; !std::isnan(best.value))
                    offerReached(m_reached[g][axis][i], g, best);
    }
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
        m_broken[i] += other.m_broken[i];
        offerNear(m_nearest[i], other.m_nearest[i]);
    }
    offerNear(m_nearestToAll, other.m_nearestToAll);
    for (const auto& entry : other.m_within.entries())
        m_within.offer(entry);
    for (const auto& entry : other.m_outside.entries())
        m_outside.offer(entry);
}

Json SearchTally::json() const {
    Json best = Json::array(), reached = Json::array(), nearest = Json::array();
    for (std::size_t g = 0; g < m_goals.size(); ++g) {
        best.push_back(writtenEntries(m_best[g], m_goals.size()));
        Json axes = Json::array();
        for (const auto& values : m_reached[g]) {
            Json one = Json::array();
            for (const auto& value : values)
                one.push_back(std::isnan(value.value) ? Json() : Json::array({value.value, value.ordinal}));
            axes.push_back(std::move(one));
        }
        reached.push_back(std::move(axes));
    }
    for (const auto& near : m_nearest)
        nearest.push_back(writtenNear(near));
    return {{"points", m_points},
            {"running", m_running},
            {"kept", m_kept},
            {"broken", m_broken},
            {"front", writtenEntries(m_front.entries(), m_goals.size())},
            {"best", std::move(best)},
            {"reached", std::move(reached)},
            {"nearest", std::move(nearest)},
            {"nearest_to_all", writtenNear(m_nearestToAll)},
            {"sample_within", writtenEntries(m_within.entries(), m_goals.size())},
            {"sample_outside", writtenEntries(m_outside.entries(), m_goals.size())}};
}

void SearchTally::add(const Json& json, const std::string& where) {
    try {
        m_points += json.at("points").get<std::uint64_t>();
        m_running += json.at("running").get<std::uint64_t>();
        m_kept += json.at("kept").get<std::uint64_t>();
        for (const auto& entry : json.at("front"))
            m_front.offer(readEntry(entry));
        for (std::size_t g = 0; g < m_goals.size(); ++g) {
            for (const auto& entry : json.at("best").at(g))
                offerBest(g, readEntry(entry));
            for (std::size_t axis = 0; axis < m_reached[g].size(); ++axis)
                for (std::size_t i = 0; i < m_reached[g][axis].size(); ++i)
                    if (const auto& best = json.at("reached").at(g).at(axis).at(i); !best.is_null())
                        offerReached(m_reached[g][axis][i], g,
                                     {best.at(0).get<double>(), best.at(1).get<std::uint64_t>()});
        }
        for (std::size_t i = 0; i < m_limits.size(); ++i) {
            m_broken[i] += json.at("broken").at(i).get<std::uint64_t>();
            offerNear(m_nearest[i], readNear(json.at("nearest").at(i)));
        }
        offerNear(m_nearestToAll, readNear(json.at("nearest_to_all")));
        for (const auto& entry : json.at("sample_within"))
            m_within.offer(readEntry(entry));
        for (const auto& entry : json.at("sample_outside"))
            m_outside.offer(readEntry(entry));
    } catch (const nlohmann::json::exception&) {
        throwInvalid(where, "is no part of this search", "Run that shard again");
    }
}

} // namespace heteroscape::engine
