// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/recommend.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/compare_designs.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/simulate.h"
#include "engine/exporters/csv.h"
#include "engine/scenario/diagnostics.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <tuple>

namespace heteroscape::engine {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr double kEdge = 1.2815515655446004; ///< of a normal distribution 80 % lie within so many deviations
constexpr double kKept = 0.9;

std::size_t at(RecommendFigure figure) {
    return static_cast<std::size_t>(figure);
}

/// What one system came to.
struct Answer {
    std::string why; ///< why it has none
    Evaluation evaluation;
    double perSecond = kUnset; ///< USD
    std::array<double, kRecommendFigures> values{};

    double of(RecommendFigure figure) const { return values[at(figure)]; }
};

Answer answerOf(const Scenario& design, const RecommendQuestion& question, const std::stop_token& stop) {
    Answer answer;
    answer.values.fill(kUnset);
    for (const auto& finding : validate(design))
        if (finding.severity == Severity::Error) {
            answer.why = finding.message;
            return answer;
        }
    evaluateInto(design, answer.evaluation);
    SimulationOptions options;
    options.stop = stop;
    options.whole = false;
    const auto serving = simulate(design, answer.evaluation, options);
    setServingMetrics(serving, answer.evaluation);
    if (!serving.ran() || serving.result.done == 0) {
        answer.why = serving.ran() ? "no request is answered" : serving.reason;
        return answer;
    }
    answer.perSecond = serving.bill.perSecond;
    for (std::size_t i = 0; i < kRecommendFigures; ++i) {
        const auto metric = recommendFigureSpec(static_cast<RecommendFigure>(i), question).metric;
        answer.values[i] = metric ? answer.evaluation.metric(*metric) : serving.bill.perSecond * units::year;
    }
    return answer;
}

struct LimitOf {
    RecommendFigure figure;
    double most; ///< SI
    std::string_view name;
};

std::vector<LimitOf> limitsOf(const RecommendQuestion& question) {
    std::vector<LimitOf> limits;
    const auto add = [&](RecommendFigure figure, double most, std::string_view name) {
        if (most > 0.0)
            limits.push_back({figure, most, name});
    };
    add(RecommendFigure::Rated, question.power, "rated power");
    add(RecommendFigure::Price, question.price, "price");
    add(RecommendFigure::FirstToken, question.ttft, "TTFT p99");
    add(RecommendFigure::PerToken, question.tpot, question.meanTpot ? "mean TPOT" : "TPOT p99");
    add(RecommendFigure::Token, question.cost, "cost of tokens");
    return limits;
}

/// How far a system is beyond its worst limit: at most 1 where it keeps all.
struct Miss {
    double ratio = 0.0;
    const LimitOf* limit = nullptr;
};

Miss missOf(std::span<const LimitOf> limits, const std::array<double, kRecommendFigures>& values) {
    Miss worst;
    for (const auto& limit : limits) {
        const double ratio = values[at(limit.figure)] / limit.most;
        if (!(ratio <= worst.ratio)) // also where it is not known
            worst = {ratio == ratio ? ratio : kNone, &limit};
    }
    return worst;
}

/// One software, format and layout on a ready server, with any number of these.
struct Variant {
    std::size_t first = 0, count = 0;      ///< in the grid
    std::map<std::size_t, Answer> answers; ///< by place
    std::size_t best = SIZE_MAX;           ///< the fewest that keep the limits
};

class Search {
public:
    Search(const RecommendQuestion& question, const FrontierDefinition& definition, const GpuServers& servers,
           std::stop_token stop)
        : m_question(question), m_definition(definition), m_servers(servers), m_limits(limitsOf(question)),
          m_points(frontierGrid(definition, servers.catalog(), servers)), m_stop(std::move(stop)) {
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            if (i == 0 || !isAlike(m_points[i], m_points[i - 1]))
                m_variants.push_back({i, 0, {}, SIZE_MAX});
            ++m_variants.back().count;
        }
    }

    void run(int threads) {
        inParallel(
            m_variants.size(), 1,
            [&](std::size_t begin, std::size_t end) {
                for (auto i = begin; i < end && !m_stop.stop_requested(); ++i)
                    look(m_variants[i]);
            },
            threads);
        if (m_stop.stop_requested())
            throw Error(ErrorCode::Cancelled, "recommend", "stopped");
    }

    const std::vector<FrontierPoint>& points() const { return m_points; }
    const std::vector<Variant>& variants() const { return m_variants; }
    const std::vector<LimitOf>& limits() const { return m_limits; }
    const RecommendQuestion& question() const { return m_question; }
    const GpuServers& servers() const { return m_servers; }
    const std::string& readyOf(std::size_t place) const {
        return m_definition.systems[m_points[place].system].ready;
    }
    Scenario design(std::size_t place) const {
        return frontierScenario(m_definition, m_points[place], m_servers.catalog(), m_servers);
    }
    /// Whether one is preferred to another of the same ready server.
    bool isBetter(std::size_t place, const Answer& one, std::size_t otherPlace, const Answer& other) const {
        const auto key = [&](std::size_t of, const Answer& answer) {
            return std::tuple(m_question.byToken ? 0.0 : m_points[of].count,
                              answer.of(RecommendFigure::Token), of);
        };
        return key(place, one) < key(otherPlace, other);
    }
    Answer answer(std::size_t place) const { return answerOf(design(place), m_question, m_stop); }

private:
    const RecommendQuestion& m_question;
    const FrontierDefinition& m_definition;
    const GpuServers& m_servers;
    std::vector<LimitOf> m_limits;
    std::vector<FrontierPoint> m_points;
    std::vector<Variant> m_variants;
    std::stop_token m_stop;

    static bool isAlike(const FrontierPoint& one, const FrontierPoint& other) {
        return one.system == other.system && one.server == other.server && one.precision == other.precision &&
               one.plan.workers.layout == other.plan.workers.layout;
    }

    const Answer& answerAt(Variant& variant, std::size_t place) const {
        auto& known = variant.answers;
        const auto found = known.find(place);
        return found != known.end() ? found->second : known.emplace(place, answer(place)).first->second;
    }

    bool keeps(Variant& variant, std::size_t place) const {
        const auto& found = answerAt(variant, place);
        return found.why.empty() && missOf(m_limits, found.values).ratio <= 1.0;
    }

    /// Whether the steady state, in which nobody waits, comes near the limits.
    bool comesNear(std::size_t place) const {
        constexpr double kSpare = 1.2;
        const auto design = this->design(place);
        if (hasErrors(validate(design)))
            return false;
        Evaluation steady;
        evaluateInto(design, steady, Detail::Metrics);
        const auto isNear = [&](Metric metric, double limit) {
            return limit <= 0.0 || !(steady.metric(metric) > kSpare * limit);
        };
        return isNear(Metric::TimePerToken, m_question.tpot) &&
               isNear(Metric::TimeToFirstToken, m_question.ttft);
    }

    /// The fewest servers that keep the limits, where more of them do too.
    void look(Variant& variant) const {
        const auto last = variant.first + variant.count - 1;
        auto low = variant.first, high = last;
        if (hasErrors(validate(design(low))))
            return;
        while (low < high) { // the fewest that come near
            const auto middle = low + (high - low) / 2;
            if (comesNear(middle))
                high = middle;
            else
                low = middle + 1;
        }
        if (keeps(variant, low)) {
            variant.best = low;
            return;
        }
        if (low == last || !keeps(variant, last))
            return;
        for (high = last; high - low > 1;) {
            const auto middle = low + (high - low) / 2;
            (keeps(variant, middle) ? high : low) = middle;
        }
        variant.best = high;
    }
};

RecommendValue banded(double value, std::pair<double, double> band) {
    return {value, value * std::exp(-band.first), value * std::exp(band.second)};
}

/// A system with its bands: of what is served as far off as its kernels and server are, of money what prices
/// are off by.
RecommendedSystem systemOf(const Search& search, std::size_t place, const Answer& answer) {
    RecommendedSystem system;
    system.point = search.points()[place];
    system.ready = search.readyOf(place);
    system.name = search.servers().ready(system.ready).name;
    system.design = search.design(place);
    system.truth = truthOf(system.design);
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
    return system;
}

std::string timesText(double ratio) {
    return shortText(ratio, 2) + " times";
}

std::string whatOf(const FrontierPoint& point) {
    return exactText(point.count) + " x, " + point.server + " " + point.precision + ", " + point.layout;
}

/// Why a ready server keeps no limit, at its best.
std::string reasonOf(const Search& search, std::size_t ordinal) {
    const Variant* nearest = nullptr;
    std::size_t place = 0;
    Miss least{kNone, nullptr};
    std::string failed;
    for (const auto& variant : search.variants()) {
        if (search.points()[variant.first].system != ordinal)
            continue;
        for (const auto& [at_, answer] : variant.answers) {
            if (!answer.why.empty()) {
                failed = answer.why;
                continue;
            }
            const auto miss = missOf(search.limits(), answer.values);
            if (!nearest || miss.ratio < least.ratio) {
                nearest = &variant;
                place = at_;
                least = miss;
            }
        }
    }
    const auto& question = search.question();
    if (!nearest)
        return failed.empty() ? "no software here runs it" : failed;
    const auto& answer = nearest->answers.at(place);
    if (!least.limit)
        return "its cost is not known";
    if (!std::isfinite(least.ratio))
        return "its " + std::string(least.limit->name) + " is not known";
    return std::string(least.limit->name) + " " +
           recommendText(question, least.limit->figure, answer.of(least.limit->figure)) + " at best, " +
           timesText(least.ratio) + " the limit (" + whatOf(search.points()[place]) + ")";
}

/// Why two systems are too close to call: on like evidence where the bands of what they cost meet, on unlike
/// where the rule of their classes on both sides says nothing.
std::string closeness(const RecommendedSystem& first, const RecommendedSystem& other,
                      const RecommendQuestion& question, const Catalog& catalog) {
    const auto figure = question.byToken ? RecommendFigure::Token : RecommendFigure::Year;
    const auto& a = first.of(figure);
    const auto& b = other.of(figure);
    if (first.truth != other.truth) {
        const Scenario designs[]{first.design, other.design};
        const auto compared = compareDesigns(designs, catalog);
        if (compared.unlike)
            return "they rest on unlike evidence, and nothing makes them alike";
        for (const auto& metric : compared.metrics)
            if (metric.metric == Metric::CostPerToken && compared.saysNothing(metric, 1))
                return "by the rule of their classes on both sides their tokens cost within 1.5 times";
    }
    return a.hasBand() && b.hasBand() && a.high >= b.low && b.high >= a.low ? "their bands overlap"
                                                                            : std::string();
}

// ---- Draws
// ----------------------------------------------------------------------------------------------------

using Draw = std::array<double, kRecommendInputs>; ///< deviations, by RecommendInput

double deviation(const Draw& draw, RecommendInput input) {
    return draw[static_cast<std::size_t>(input)];
}

/// Standard normal, from two whole numbers: the same on every machine.
double normal(std::mt19937_64& random) {
    constexpr double kTo = 1.0 / 9007199254740992.0;
    const double u = (static_cast<double>(random() >> 11) + 1.0) * kTo;
    const double v = static_cast<double>(random() >> 11) * kTo;
    return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
}

/// Draws of what is uncertain. Lengths are the same for all; a device's errors and prices those of its ready
/// server, the same for all that is made of it.
class Draws {
public:
    Draws(std::uint64_t seed, std::size_t count) : m_seed(seed), m_lengths(count) {
        std::mt19937_64 random(seed);
        for (auto& [prompt, output] : m_lengths) {
            prompt = normal(random);
            output = normal(random);
        }
    }
    std::vector<Draw> of(const std::string& ready) const {
        std::uint64_t seed = m_seed;
        for (const char c : ready)
            seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
        std::mt19937_64 random(seed);
        std::vector<Draw> draws;
        for (const auto& [prompt, output] : m_lengths) {
            const double first = normal(random), token = normal(random), price = normal(random);
            draws.push_back({first, token, prompt, output, price});
        }
        return draws;
    }

private:
    std::uint64_t m_seed;
    std::vector<std::pair<double, double>> m_lengths;
};

/// How the figures of a system move with what is uncertain: with errors and prices by their bands, with mean
/// lengths as simulated at both edges of theirs, straight between on logarithmic scales and beyond.
class Response {
public:
    Response(const RecommendedSystem& system, const RecommendQuestion& question, const std::stop_token& stop)
        : m_system(system) {
        const auto& cost = system.design.cost;
        const double capital = system.of(RecommendFigure::Price).value / cost.lifetime.value * units::year;
        const double utilisation = cost.utilisation.valueOr(1.0);
        m_capital = question.rented
                        ? 1.0
                        : std::min(1.0, capital / utilisation / system.of(RecommendFigure::Year).value);
        if (!(question.lengthError > 0.0))
            return;
        for (std::size_t side = 0; side < 4; ++side) {
            auto design = system.design;
            auto& length = side < 2 ? design.workload.promptTokens : design.workload.outputTokens;
            const double factor = 1.0 + question.lengthError;
            length.value =
                std::max(1.0, std::round(side % 2 == 0 ? length.value / factor : length.value * factor));
            const auto answer = answerOf(design, question, stop);
            for (std::size_t i = 0; i < kRecommendFigures; ++i) {
                const double ratio = answer.values[i] / system.figures[i].value;
                m_moves[side][i] = !answer.why.empty() ? kNone : ratio > 0.0 ? std::log(ratio) : 0.0;
            }
        }
    }

    std::array<double, kRecommendFigures> at(const Draw& draw) const {
        std::array<double, kRecommendFigures> values{};
        for (std::size_t i = 0; i < kRecommendFigures; ++i) {
            double log = move(0, i, deviation(draw, RecommendInput::Prompt)) +
                         move(2, i, deviation(draw, RecommendInput::Output));
            const auto figure = static_cast<RecommendFigure>(i);
            const double late = wide(RecommendFigure::PerToken, deviation(draw, RecommendInput::PerToken));
            double factor = 1.0;
            if (figure == RecommendFigure::FirstToken)
                log += wide(figure, deviation(draw, RecommendInput::FirstToken));
            else if (figure == RecommendFigure::PerToken || figure == RecommendFigure::Token)
                log += late; // as many dollars for fewer tokens
            else if (figure == RecommendFigure::Throughput)
                log -= late;
            if (figure == RecommendFigure::Price || figure == RecommendFigure::Year ||
                figure == RecommendFigure::Token) {
                const double price =
                    std::exp(wide(RecommendFigure::Price, deviation(draw, RecommendInput::Price)));
                factor = figure == RecommendFigure::Price ? price : 1.0 + m_capital * (price - 1.0);
            }
            values[i] = m_system.figures[i].value * factor * std::exp(log);
        }
        return values;
    }

private:
    const RecommendedSystem& m_system;
    double m_capital = 1.0; ///< share of what is paid that follows from prices
    std::array<std::array<double, kRecommendFigures>, 4>
        m_moves{}; ///< logarithms: prompts shorter, longer; outputs

    double move(std::size_t side, std::size_t figure, double deviation) const {
        return deviation == 0.0
                   ? 0.0
                   : std::fabs(deviation) / kEdge * m_moves[side + (deviation > 0.0 ? 1 : 0)][figure];
    }
    double wide(RecommendFigure figure, double deviation) const {
        const auto& band = m_system.of(figure);
        return deviation == 0.0 || !band.hasBand()
                   ? 0.0
                   : std::fabs(deviation) / kEdge *
                         std::log((deviation > 0.0 ? band.high : band.low) / band.value);
    }
};

double shareKept(const Response& response, std::span<const LimitOf> limits, std::span<const Draw> draws) {
    std::size_t kept = 0;
    for (const auto& draw : draws)
        kept += missOf(limits, response.at(draw)).ratio <= 1.0 ? 1 : 0;
    return static_cast<double>(kept) / static_cast<double>(draws.size());
}

/// The robust best among the systems that keep the limits and more of the same servers, the cheapest first.
class RobustSearch {
public:
    RobustSearch(const Search& search, std::stop_token stop)
        : m_search(search), m_draws(search.question().seed, search.question().draws),
          m_stop(std::move(stop)) {
        const auto draws = static_cast<double>(search.question().draws);
        m_best.draws = search.question().draws;
        m_best.needed =
            kKept + 1.5 * std::sqrt(kKept * (1.0 - kKept) / draws); // with room for their own scatter
    }

    RobustBest run(std::vector<RecommendedSystem>& first) {
        for (auto& system : first)
            system.kept = take(system);
        std::vector<std::pair<double, std::size_t>> order; // cost, variant
        for (std::size_t i = 0; i < m_search.variants().size(); ++i)
            if (const auto& variant = m_search.variants()[i]; variant.best != SIZE_MAX)
                order.emplace_back(costOf(variant.answers.at(variant.best)), i);
        std::sort(order.begin(), order.end());
        for (const auto& [cost, variant] : order)
            if (cost < m_cost)
                grow(m_search.variants()[variant]);
        decide();
        return std::move(m_best);
    }

private:
    const Search& m_search;
    Draws m_draws;
    std::stop_token m_stop;
    RobustBest m_best;
    double m_cost = kNone; ///< of the best so far
    std::vector<std::unique_ptr<RecommendedSystem>> m_pool;
    std::vector<Response> m_responses; ///< parallel

    double costOf(const Answer& answer) const {
        return answer.of(m_search.question().byToken ? RecommendFigure::Token : RecommendFigure::Year);
    }

    double take(RecommendedSystem system) {
        m_pool.push_back(std::make_unique<RecommendedSystem>(std::move(system)));
        auto& taken = *m_pool.back();
        m_responses.emplace_back(taken, m_search.question(), m_stop);
        taken.kept = shareKept(m_responses.back(), m_search.limits(), m_draws.of(taken.ready));
        m_best.most = std::max(m_best.most, taken.kept);
        const double cost =
            taken.of(m_search.question().byToken ? RecommendFigure::Token : RecommendFigure::Year).value;
        if (taken.kept >= m_best.needed && cost < m_cost) {
            m_cost = cost;
            m_best.system = taken;
        }
        return taken.kept;
    }

    /// False where one error alone breaks a limit too often.
    bool mayKeep(const RecommendedSystem& system) const {
        for (const auto& limit : m_search.limits()) {
            const auto& figure = system.of(limit.figure);
            if (figure.hasBand() && std::sqrt(figure.value * figure.high) > limit.most) // one in four beyond
                return false;
        }
        return true;
    }

    void grow(const Variant& variant) {
        constexpr std::size_t kSteps = 6;
        const auto end = std::min(variant.best + kSteps, variant.first + variant.count);
        for (auto place = variant.best; place < end; ++place) {
            const auto known = variant.answers.find(place);
            const auto answer = known != variant.answers.end() ? known->second : m_search.answer(place);
            if (!answer.why.empty() || !(costOf(answer) < m_cost))
                return;
            if (missOf(m_search.limits(), answer.values).ratio > 1.0)
                continue;
            const auto system = systemOf(m_search, place, answer);
            if (mayKeep(system) && take(system) >= m_best.needed)
                return;
        }
    }

    /// The cheapest that keeps the limits in a draw; the pool's size: none.
    std::size_t cheapest(const std::vector<std::vector<Draw>>& draws, std::size_t draw,
                         std::optional<std::size_t> without) const {
        const auto figure = m_search.question().byToken ? RecommendFigure::Token : RecommendFigure::Year;
        std::size_t best = m_pool.size();
        double least = kNone;
        for (std::size_t i = 0; i < m_pool.size(); ++i) {
            auto one = draws[i][draw];
            if (without)
                one[*without] = 0.0;
            const auto values = m_responses[i].at(one);
            if (missOf(m_search.limits(), values).ratio <= 1.0 && values[at(figure)] < least) {
                least = values[at(figure)];
                best = i;
            }
        }
        return best;
    }

    void decide() {
        std::vector<std::vector<Draw>> draws;
        for (const auto& system : m_pool)
            draws.push_back(m_draws.of(system->ready));
        for (std::size_t draw = 0; draw < m_best.draws; ++draw) {
            const auto all = cheapest(draws, draw, {});
            for (std::size_t input = 0; input < kRecommendInputs; ++input)
                m_best.changed[input] += cheapest(draws, draw, input) != all ? 1 : 0;
        }
    }
};

} // namespace

RecommendFigureSpec recommendFigureSpec(RecommendFigure figure, const RecommendQuestion& question) {
    const auto tpot = question.meanTpot ? Metric::TokenMean : Metric::TokenP99;
    const std::array<std::optional<Metric>, kRecommendFigures> metrics{
        std::nullopt, Metric::ServedCost,       Metric::Price,      Metric::FirstTokenP99,
        tpot,         Metric::ServedThroughput, Metric::RatedPower, Metric::ServedFacilityPower};
    const auto metric = metrics[at(figure)];
    if (!metric)
        return {"usd_per_year", "Cost a year", "$", 1.0, metric};
    const auto& spec = metricSpec(*metric);
    return {spec.key, spec.label, spec.unit, spec.scale, metric};
}

std::string recommendText(const RecommendQuestion& question, RecommendFigure figure, double value) {
    const auto spec = recommendFigureSpec(figure, question);
    const auto unit = spec.unit == "s" ? shownUnit("s", value) : ShownUnit{std::string(spec.unit), 1.0};
    const auto text = shortText(value / spec.scale * unit.factor);
    return unit.name.starts_with("$") ? "$" + text + unit.name.substr(1) : text + " " + unit.name;
}

std::string_view recommendInputText(RecommendInput input) {
    constexpr std::array<std::string_view, kRecommendInputs> kTexts{
        "the model's error of the time to first token", "the model's error of the time per token",
        "the length of prompts", "the length of outputs", "prices"};
    return kTexts[static_cast<std::size_t>(input)];
}

Recommendation recommend(const RecommendQuestion& question, const GpuServers& servers, int threads,
                         const std::stop_token& stop) {
    Recommendation found;
    found.question = question;
    auto [definition, passed] = recommendDefinition(question, servers);
    std::map<std::string, std::string> why; // by ready server
    for (const auto& one : passed)
        why[one.ready] = one.why;
    std::vector<std::string> names;
    for (const auto& system : definition.systems)
        names.push_back(system.ready);
    Search search(question, definition, servers, stop);
    search.run(threads);
    found.points = search.points().size();
    std::vector<RecommendedSystem> best;
    for (std::size_t i = 0; i < definition.systems.size(); ++i) {
        const Variant* chosen = nullptr;
        for (const auto& variant : search.variants()) {
            if (search.points()[variant.first].system == i && variant.best != SIZE_MAX &&
                (!chosen || search.isBetter(variant.best, variant.answers.at(variant.best), chosen->best,
                                            chosen->answers.at(chosen->best))))
                chosen = &variant;
        }
        if (chosen)
            best.push_back(systemOf(search, chosen->best, chosen->answers.at(chosen->best)));
        else
            why[names[i]] = reasonOf(search, i);
    }
    const auto figure = question.byToken ? RecommendFigure::Token : RecommendFigure::Year;
    std::stable_sort(best.begin(), best.end(), [&](const auto& one, const auto& other) {
        return one.of(figure).value < other.of(figure).value;
    });
    constexpr std::size_t kSystems = 3;
    for (std::size_t i = kSystems; i < best.size(); ++i)
        why[names[best[i].point.system]] =
            "keeps all limits at " + recommendText(question, figure, best[i].of(figure).value) + ", " +
            timesText(best[i].of(figure).value / best.front().of(figure).value) + " the best (" +
            whatOf(best[i].point) + ")";
    best.resize(std::min(best.size(), kSystems));
    for (std::size_t i = 1; i < best.size(); ++i)
        best[i].tooClose = closeness(best.front(), best[i], question, servers.catalog());
    if (question.draws > 0 && !search.limits().empty())
        found.robust = RobustSearch(search, stop).run(best);
    found.systems = std::move(best);
    for (const auto& ready : servers.ready())
        if (const auto reason = why.find(ready.id); reason != why.end())
            found.passed.push_back({ready.id, ready.name, reason->second});
    for (const auto& variant : search.variants())
        for (const auto& [place, answer] : variant.answers)
            found.simulated.push_back(search.points()[place]);
    found.definition = std::move(definition);
    return found;
}

double keptShare(const RecommendQuestion& question, const RecommendedSystem& system, std::uint64_t seed,
                 std::size_t draws) {
    return shareKept(Response(system, question, {}), limitsOf(question), Draws(seed, draws).of(system.ready));
}

Study recommendStudy(const Recommendation& recommendation, const GpuServers& servers) {
    return frontierStudy(recommendation.definition, recommendation.simulated, servers.catalog(), servers);
}

std::string recommendCsv(const Recommendation& recommendation) {
    std::string text = "place,ready,servers,software,weights,layout,truth,kept,too_close";
    for (std::size_t i = 0; i < kRecommendFigures; ++i) {
        const auto key =
            std::string(recommendFigureSpec(static_cast<RecommendFigure>(i), recommendation.question).key);
        text += ',' + key + ',' + key + "_low," + key + "_high";
    }
    text += ",why\n";
    const auto add = [&](const std::string& place, const RecommendedSystem& system) {
        text += place;
        for (const auto& cell :
             {system.ready, exactText(system.point.count), system.point.server, system.point.precision,
              system.point.layout, std::string(truthName(system.truth)), exactText(system.kept),
              system.tooClose})
            text += ',' + csvField(cell);
        for (std::size_t i = 0; i < kRecommendFigures; ++i) {
            const double scale =
                recommendFigureSpec(static_cast<RecommendFigure>(i), recommendation.question).scale;
            for (const double value :
                 {system.figures[i].value, system.figures[i].low, system.figures[i].high})
                text += ',' + (std::isfinite(value) ? exactText(toEdge(value, scale)) : std::string());
        }
        text += ",\n";
    };
    for (std::size_t i = 0; i < recommendation.systems.size(); ++i)
        add(std::to_string(i + 1), recommendation.systems[i]);
    if (recommendation.robust.system)
        add("robust", *recommendation.robust.system);
    for (const auto& passed : recommendation.passed)
        text += "," + csvField(passed.ready) + std::string(7 + 3 * kRecommendFigures, ',') + "," +
                csvField(passed.why) + '\n';
    return csvFile(text);
}

} // namespace heteroscape::engine
