// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/recommend.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/system_errors.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kSystems = 3; ///< that are told
/// Tokens cost at least this share under load of what they do in steady state: of 2,000 designs none cost
/// less than 0.97 of it.
constexpr double kServed = 0.9;

void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Error(ErrorCode::Cancelled, "recommend", "stopped");
}

/// One software, format and layout on a ready server, with any number of these.
struct Variant {
    std::size_t first = 0, count = 0;               ///< in the grid
    std::map<std::size_t, RecommendAnswer> answers; ///< by place
    std::size_t near = SIZE_MAX;                    ///< the first place that comes near the limits; none does
    std::size_t best = SIZE_MAX;                    ///< the fewest that were seen to keep the limits
};

/// Figures in steady state, which no prompt holds up; 0 where they are not known.
struct Steady {
    double token = 0.0, tokenTime = 0.0; ///< USD, s
};

class Search {
public:
    Search(const RecommendQuestion& question, const FrontierDefinition& definition, const GpuServers& servers,
           std::stop_token stop)
        : m_question(question), m_definition(definition), m_servers(servers),
          m_limits(recommendLimits(question)), m_points(frontierGrid(definition, servers.catalog(), servers)),
          m_stop(std::move(stop)) {
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            if (i == 0 || !isAlike(m_points[i], m_points[i - 1]))
                m_variants.push_back({i, 0, {}, SIZE_MAX, SIZE_MAX});
            ++m_variants.back().count;
        }
    }

    void run(int threads, const RecommendProgress& progress) {
        std::mutex telling;
        std::size_t done = 0;
        inParallel(
            m_definition.systems.size(), 1,
            [&](std::size_t begin, std::size_t end) {
                for (auto i = begin; i < end && !m_stop.stop_requested(); ++i) {
                    look(i);
                    if (const std::lock_guard lock(telling); progress)
                        progress(++done, m_definition.systems.size());
                }
            },
            threads);
        throwIfStopped(m_stop);
    }

    const std::vector<FrontierPoint>& points() const { return m_points; }
    const std::vector<Variant>& variants() const { return m_variants; }
    const std::vector<RecommendLimit>& limits() const { return m_limits; }
    const RecommendQuestion& question() const { return m_question; }
    const GpuServers& servers() const { return m_servers; }
    const std::string& readyOf(std::size_t place) const {
        return m_definition.systems[m_points[place].system].ready;
    }
    Scenario design(std::size_t place) const {
        return frontierScenario(m_definition, m_points[place], m_servers.catalog(), m_servers);
    }
    /// The variant of a system that is preferred; null: none keeps the limits.
    const Variant* best(std::size_t system) const {
        const Variant* best = nullptr;
        const auto key = [&](const Variant& of) {
            return std::pair(recommendOrder(m_question, m_points[of.best].count,
                                            of.answers.at(of.best).of(RecommendFigure::Token)),
                             of.best);
        };
        for (const auto& variant : m_variants)
            if (m_points[variant.first].system == system && variant.best != SIZE_MAX &&
                (!best || key(variant) < key(*best)))
                best = &variant;
        return best;
    }
    RecommendAnswer answer(std::size_t place) const {
        return recommendAnswer(design(place), m_question, m_stop);
    }

    /// Nothing where it cannot run.
    std::optional<Steady> steady(std::size_t place) const {
        const auto design = this->design(place);
        if (hasErrors(validate(design)))
            return {};
        Evaluation evaluation;
        evaluateInto(design, evaluation, Detail::Metrics);
        const auto known = [&](Metric metric) {
            const double value = evaluation.metric(metric);
            return std::isfinite(value) ? value : 0.0;
        };
        return Steady{known(Metric::CostPerToken), known(Metric::TimePerToken)};
    }

private:
    const RecommendQuestion& m_question;
    const FrontierDefinition& m_definition;
    const GpuServers& m_servers;
    std::vector<RecommendLimit> m_limits;
    std::vector<FrontierPoint> m_points;
    std::vector<Variant> m_variants;
    std::stop_token m_stop;

    static bool isAlike(const FrontierPoint& one, const FrontierPoint& other) {
        return one.system == other.system && one.server == other.server && one.precision == other.precision &&
               one.plan.workers.layout == other.plan.workers.layout;
    }

    const RecommendAnswer& answerAt(Variant& variant, std::size_t place) const {
        auto& known = variant.answers;
        const auto found = known.find(place);
        return found != known.end() ? found->second : known.emplace(place, answer(place)).first->second;
    }

    bool keeps(Variant& variant, std::size_t place) const {
        const auto& found = answerAt(variant, place);
        return found.why.empty() && worstMiss(m_limits, found.values).first <= 1.0;
    }

    bool comesNear(const std::optional<Steady>& steady) const {
        constexpr double kSpare = 1.2;
        return steady && (!(m_question.tpot > 0.0) || steady->tokenTime <= kSpare * m_question.tpot);
    }

    /// The fewest servers that come near the limits; the last of the grid where none do.
    void setNear(Variant& variant) const {
        auto low = variant.first, high = variant.first + variant.count - 1;
        if (!steady(low))
            return;
        while (low < high) {
            const auto middle = low + (high - low) / 2;
            if (comesNear(steady(middle)))
                high = middle;
            else
                low = middle + 1;
        }
        variant.near = low;
    }

    /// The fewest servers of a ready one that keep the limits in some variant, where more of them do too.
    void look(std::size_t system) {
        std::vector<Variant*> variants;
        for (auto& variant : m_variants)
            if (m_points[variant.first].system == system) {
                setNear(variant);
                if (variant.near != SIZE_MAX)
                    variants.push_back(&variant);
            }
        if (m_question.byToken || variants.empty())
            lookByToken(variants);
        else
            lookByCount(variants);
    }

    /// Those of `variants` that come near with so many servers (by their ordinal), by rising `key` in steady
    /// state.
    std::vector<std::pair<double, Variant*>> nearAt(std::size_t level, const std::vector<Variant*>& variants,
                                                    double Steady::*key) const {
        std::vector<std::pair<double, Variant*>> near;
        for (auto* variant : variants)
            if (variant->near - variant->first <= level)
                if (const auto found = steady(variant->first + level))
                    near.emplace_back((*found).*key, variant);
        std::stable_sort(near.begin(), near.end(),
                         [](const auto& one, const auto& other) { return one.first < other.first; });
        return near;
    }

    bool anyKeeps(std::size_t level, const std::vector<Variant*>& variants) const {
        const auto near = nearAt(level, variants, &Steady::tokenTime);
        return std::any_of(near.begin(), near.end(), [&](const auto& one) {
            return !m_stop.stop_requested() && keeps(*one.second, one.second->first + level);
        });
    }

    /// Marks what keeps the limits with so many servers, but for what is much dearer a token.
    bool markKept(std::size_t level, const std::vector<Variant*>& variants) const {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [token, variant] : nearAt(level, variants, &Steady::token)) {
            const auto place = variant->first + level;
            if (m_stop.stop_requested() || token * kServed > least || !keeps(*variant, place))
                continue;
            variant->best = place;
            least = std::min(least, variant->answers.at(place).of(RecommendFigure::Token));
        }
        return std::isfinite(least);
    }

    void lookByCount(const std::vector<Variant*>& variants) const {
        std::size_t low = SIZE_MAX;
        for (const auto* variant : variants)
            low = std::min(low, variant->near - variant->first);
        auto high = variants.front()->count - 1; // of all that are on a ready server
        if (markKept(low, variants) || low == high || !anyKeeps(high, variants))
            return;
        while (high - low > 1) {
            const auto middle = low + (high - low) / 2;
            (anyKeeps(middle, variants) ? high : low) = middle;
        }
        markKept(high, variants);
    }

    /// Of each variant the fewest that keep the limits, which have the most users each.
    void lookByToken(const std::vector<Variant*>& variants) const {
        std::vector<std::pair<double, Variant*>> order;
        for (auto* variant : variants)
            order.emplace_back(steady(variant->near)->token, variant);
        std::stable_sort(order.begin(), order.end(),
                         [](const auto& one, const auto& other) { return one.first < other.first; });
        double least = std::numeric_limits<double>::infinity();
        for (const auto& [token, variant] : order) {
            const auto last = variant->first + variant->count - 1;
            auto low = variant->near, high = last;
            if (m_stop.stop_requested() || token * kServed > least)
                continue;
            if (keeps(*variant, low))
                high = low;
            else if (low == last || !keeps(*variant, last))
                continue;
            while (high - low > 1) {
                const auto middle = low + (high - low) / 2;
                (keeps(*variant, middle) ? high : low) = middle;
            }
            variant->best = high;
            least = std::min(least, variant->answers.at(high).of(RecommendFigure::Token));
        }
    }
};

RecommendValue banded(double value, std::pair<double, double> band) {
    return {value, value * std::exp(-band.first), value * std::exp(band.second)};
}

/// A system with its bands: of what is served as far off as its kernels and server are, of money what prices
/// are off by.
RecommendedSystem systemOf(const Search& search, std::size_t place, const RecommendAnswer& answer) {
    RecommendedSystem system;
    system.point = search.points()[place];
    system.ready = search.readyOf(place);
    system.name = search.servers().ready(system.ready).name;
    system.design = search.design(place);
    const ExpectedErrors errors(system.design, answer.evaluation);
    const double prices = std::log1p(SystemErrors::shipped().ofPrices().most);
    for (std::size_t i = 0; i < kRecommendFigures; ++i) {
        const auto figure = static_cast<RecommendFigure>(i);
        const auto metric = recommendFigureSpec(figure, search.question()).metric;
        const double value = answer.values[i];
        if (figure == RecommendFigure::Rated)
            system.figures[i] = {value, value, value};
        else if (figure == RecommendFigure::Year || figure == RecommendFigure::Price)
            system.figures[i] = banded(value, {prices, prices});
        else
            system.figures[i] = banded(value, errors.of(*metric).band());
    }
    // The rule of a class has a band of rates, none of money: both errors have nothing to do with each other.
    auto& token = system.figures[static_cast<std::size_t>(RecommendFigure::Token)];
    if (const auto [down, up] = errors.of(Metric::ServedThroughput).band(); !token.hasBand())
        token = banded(token.value, {std::hypot(prices, up), std::hypot(prices, down)});
    return system;
}

std::string whatOf(const FrontierPoint& point) {
    return (point.count > 1 ? exactText(point.count) + " of it, " : "") + point.server + " " +
           point.precision + ", " + point.layout;
}

/// Why a ready server does not keep the limits, at its best, and how far it misses them.
std::pair<std::string, double> reasonOf(const Search& search, const FrontierDefinition& definition,
                                        std::size_t ordinal) {
    constexpr double kNoFigure = std::numeric_limits<double>::infinity();
    const RecommendAnswer* nearest = nullptr;
    std::size_t place = 0;
    std::pair<double, const RecommendLimit*> least{};
    std::string failed;
    for (const auto& variant : search.variants())
        for (const auto& [where, answer] : variant.answers) {
            if (search.points()[where].system != ordinal)
                continue;
            const auto miss = worstMiss(search.limits(), answer.values);
            if (!answer.why.empty()) {
                failed = answer.why;
            } else if (!nearest || miss.first < least.first) {
                nearest = &answer;
                place = where;
                least = miss;
            }
        }
    if (!nearest)
        return {failed.empty() ? whyNoPoint(definition, ordinal, search.servers()) : failed, kNoFigure};
    const auto& [ratio, limit] = least;
    if (!limit || !std::isfinite(ratio))
        return {"its " + std::string(limit ? limit->name : "cost") + " is not known", kNoFigure};
    return {"comes to " + std::string(limit->name) + " " +
                recommendText(search.question(), limit->figure, nearest->of(limit->figure)) + ", " +
                recommendTimes(ratio) + " the limit (" + whatOf(search.points()[place]) + ")",
            ratio};
}

/// What is not taken, by ready server.
using Passed = std::map<std::string, RecommendPassed>;

/// A list for each truth that was asked for, what says most first; what is beyond the three goes to `passed`.
std::vector<RecommendList> listsOf(const RecommendQuestion& question,
                                   std::vector<std::pair<Truth, RecommendedSystem>> best, Passed& passed) {
    std::map<Truth, RecommendList, std::greater<>> byTruth;
    for (auto& [truth, system] : best)
        byTruth[truth].systems.push_back(std::move(system));
    for (const auto& [ready, one] : passed)
        if (one.truth)
            byTruth[*one.truth];
    const auto figure = question.byToken ? RecommendFigure::Token : RecommendFigure::Year;
    std::vector<RecommendList> lists;
    for (auto& [truth, list] : byTruth) {
        list.truth = truth;
        auto& systems = list.systems;
        std::stable_sort(systems.begin(), systems.end(), [&](const auto& one, const auto& other) {
            return one.rank(question) < other.rank(question);
        });
        for (std::size_t i = 1; i < systems.size(); ++i) {
            auto& system = systems[i];
            const auto& a = systems.front().of(figure);
            const auto& b = system.of(figure);
            if (a.hasBand() && b.hasBand() && a.high >= b.low && b.high >= a.low)
                system.tooClose = "their bands overlap";
            if (i >= kSystems)
                passed[system.ready] = {system.ready,
                                        system.name,
                                        "dearer: " + recommendText(question, figure, b.value) +
                                            (question.byToken ? ", " : " a year, ") +
                                            recommendTimes(b.value / a.value) + " the best of its list (" +
                                            whatOf(system.point) + ")",
                                        truth,
                                        1.0,
                                        true};
        }
        systems.resize(std::min(systems.size(), kSystems));
        const auto key = [](const auto& one) { return std::pair(!one.isTried, one.miss); };
        const RecommendPassed* nearest = nullptr;
        for (const auto& [ready, one] : passed)
            if (one.truth == truth && std::isfinite(one.miss) && (!nearest || key(one) < key(*nearest)))
                nearest = &one;
        if (systems.empty() && nearest)
            list.nearest = nearest->ready;
        lists.push_back(std::move(list));
    }
    return lists;
}

/// A variant from the fewest servers on that may keep the limits, for the robust best.
struct Way {
    const Variant* variant = nullptr;
    std::size_t place = 0;
    double rank = 0.0;               ///< of the best of its ready server
    double year = 0.0, token = 0.0;  ///< USD: of one server, at least; of a token, at least
    std::pair<double, double> order; ///< recommendOrder()

    RecommendAnswer least(double count) const {
        RecommendAnswer answer;
        answer.values[static_cast<std::size_t>(RecommendFigure::Year)] = count * year;
        answer.values[static_cast<std::size_t>(RecommendFigure::Token)] = token;
        return answer;
    }
};

/// Those of the ready servers that keep the limits, by rising cost of these.
std::vector<Way> waysOf(const Search& search, const std::vector<const Variant*>& chosen) {
    std::vector<Way> ways;
    const auto& question = search.question();
    for (const auto& variant : search.variants()) {
        const auto* best = chosen[search.points()[variant.first].system];
        if (!best || variant.near == SIZE_MAX)
            continue;
        const auto& answer = best->answers.at(best->best);
        Way way;
        way.variant = &variant;
        way.place = variant.best != SIZE_MAX
                        ? variant.best
                        : std::max(variant.near, variant.first + (best->best - best->first));
        const auto steady = search.steady(way.place);
        if (!steady)
            continue;
        way.token = kServed * steady->token;
        way.year = kServed * answer.of(RecommendFigure::Year) / search.points()[best->best].count;
        way.rank = answer.of(question.byToken ? RecommendFigure::Token : RecommendFigure::Year);
        const auto known = variant.answers.find(way.place);
        way.order = recommendOrder(question, search.points()[way.place].count,
                                   known != variant.answers.end() ? known->second.of(RecommendFigure::Token)
                                                                  : steady->token);
        ways.push_back(way);
    }
    std::stable_sort(ways.begin(), ways.end(), [](const Way& one, const Way& other) {
        return std::pair(one.rank, one.order) < std::pair(other.rank, other.order);
    });
    return ways;
}

} // namespace

Recommendation recommend(const RecommendQuestion& question, const GpuServers& servers, int threads,
                         const std::stop_token& stop, const RecommendProgress& progress) {
    Recommendation found;
    found.question = question;
    auto [definition, passed] = recommendDefinition(question, servers);
    Passed fallen;
    for (auto& one : passed)
        fallen.insert_or_assign(one.ready, std::move(one));
    Search search(question, definition, servers, stop); // of the definition as it is told
    search.run(threads, progress);
    found.points = search.points().size();
    std::vector<std::pair<Truth, RecommendedSystem>> best;
    std::vector<Truth> truths;          // of each system
    std::vector<const Variant*> chosen; // of each system; null: none keeps the limits
    for (std::size_t i = 0; i < definition.systems.size(); ++i) {
        const auto& system = definition.systems[i];
        const auto& ready = servers.ready(system.ready);
        truths.push_back(truthUnder(system.servers.front(), acceleratorsOf(ready), servers.catalog()));
        chosen.push_back(search.best(i));
        if (const auto* one = chosen.back()) {
            best.emplace_back(truths.back(), systemOf(search, one->best, one->answers.at(one->best)));
        } else {
            const auto [why, miss] = reasonOf(search, definition, i);
            fallen[ready.id] = {ready.id, ready.name, why, truths.back(), miss, true};
        }
    }
    found.lists = listsOf(question, std::move(best), fallen);
    const auto first = std::find_if(found.lists.begin(), found.lists.end(),
                                    [](const auto& list) { return !list.systems.empty(); });
    for (std::size_t i = 0; i < chosen.size(); ++i)
        if (first == found.lists.end() || truths[i] != first->truth)
            chosen[i] = nullptr; // no robust best is looked for among these
    const auto ways = waysOf(search, chosen);
    const auto further = [&](std::size_t way, std::size_t more,
                             const RecommendWanted& wanted) -> std::optional<RecommendedSystem> {
        const auto& variant = *ways[way].variant;
        const auto place = ways[way].place + more;
        if (place >= variant.first + variant.count)
            return {};
        const auto& ready = search.readyOf(place);
        const double count = search.points()[place].count;
        const auto known = variant.answers.find(place);
        if (known == variant.answers.end() && !wanted(ready, count, ways[way].least(count)))
            return {};
        const auto answer = known != variant.answers.end() ? known->second : search.answer(place);
        if (!answer.why.empty() || !wanted(ready, count, answer))
            return {};
        return systemOf(search, place, answer);
    };
    if (question.draws > 0 && first != found.lists.end()) {
        found.robust = robustBest(question, first->systems, ways.size(), further, threads, stop);
        found.robust.truth = first->truth;
        for (auto list = std::next(first); list != found.lists.end(); ++list)
            for (auto& system : list->systems) {
                throwIfStopped(stop);
                system.kept = keptShare(question, system, question.seed, question.draws, threads, stop);
            }
    }
    throwIfStopped(stop);
    for (const auto& ready : servers.ready())
        if (const auto one = fallen.find(ready.id); one != fallen.end())
            found.passed.push_back(one->second);
    if (const auto none = fallen.find({}); none != fallen.end())
        found.passed.push_back(none->second);
    for (const auto& variant : search.variants())
        for (const auto& [place, answer] : variant.answers)
            found.simulated.push_back(search.points()[place]);
    found.definition = std::move(definition);
    return found;
}

Study recommendStudy(const Recommendation& recommendation, const GpuServers& servers) {
    auto study =
        frontierStudy(recommendation.definition, recommendation.simulated, servers.catalog(), servers);
    for (const auto& limit : recommendLimits(recommendation.question))
        if (const auto metric = recommendFigureSpec(limit.figure, recommendation.question).metric)
            study.limits.push_back(
                {std::string(metricSpec(*metric).key), -std::numeric_limits<double>::infinity(), limit.most});
    return study;
}

} // namespace heteroscape::engine
