// SPDX-License-Identifier: GPL-3.0-or-later
// What a recommended system comes to, also where errors, lengths and prices are others.
#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/frontier/recommend.h"
#include "engine/scenario/diagnostics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <random>
#include <span>

namespace heteroscape::engine {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr double kEdge = 1.2815515655446004; ///< of a normal distribution 80 % lie within so many deviations
constexpr double kKept = 0.9;

std::size_t at(RecommendFigure figure) {
    return static_cast<std::size_t>(figure);
}

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
    Response(const RecommendedSystem& system, const RecommendQuestion& question, int threads,
             const std::stop_token& stop)
        : m_system(system) {
        const auto& cost = system.design.cost;
        const double capital = system.of(RecommendFigure::Price).value / cost.lifetime.value * units::year;
        const double utilisation = cost.utilisation.valueOr(1.0);
        m_capital = question.rented
                        ? 1.0
                        : std::min(1.0, capital / utilisation / system.of(RecommendFigure::Year).value);
        if (!(question.lengthError > 0.0))
            return;
        inParallel(
            m_moves.size(), 1,
            [&](std::size_t begin, std::size_t end) {
                for (auto side = begin; side < end; ++side)
                    move(side, question, stop);
            },
            threads);
    }

    std::array<double, kRecommendFigures> at(const Draw& draw) const {
        std::array<double, kRecommendFigures> values{};
        for (std::size_t i = 0; i < kRecommendFigures; ++i) {
            double log = moved(0, i, deviation(draw, RecommendInput::Prompt)) +
                         moved(2, i, deviation(draw, RecommendInput::Output));
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

    /// Simulated with lengths at an edge of theirs.
    void move(std::size_t side, const RecommendQuestion& question, const std::stop_token& stop) {
        auto design = m_system.design;
        auto& length = side < 2 ? design.workload.promptTokens : design.workload.outputTokens;
        const double factor = 1.0 + question.lengthError;
        length.value =
            std::max(1.0, std::round(side % 2 == 0 ? length.value / factor : length.value * factor));
        const auto answer = recommendAnswer(design, question, stop);
        for (std::size_t i = 0; i < kRecommendFigures; ++i) {
            const double ratio = answer.values[i] / m_system.figures[i].value;
            m_moves[side][i] = !answer.why.empty() ? kNone : ratio > 0.0 ? std::log(ratio) : 0.0;
        }
    }
    double moved(std::size_t side, std::size_t figure, double deviation) const {
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

double shareKept(const Response& response, const std::vector<RecommendLimit>& limits,
                 std::span<const Draw> draws, const std::stop_token& stop) {
    std::size_t kept = 0;
    for (const auto& draw : draws) {
        if (stop.stop_requested()) // nobody wants it
            return 0.0;
        kept += worstMiss(limits, response.at(draw)).first <= 1.0 ? 1 : 0;
    }
    return static_cast<double>(kept) / static_cast<double>(draws.size());
}

class RobustSearch {
public:
    RobustSearch(const RecommendQuestion& question, int threads, std::stop_token stop)
        : m_question(question), m_limits(recommendLimits(question)), m_draws(question.seed, question.draws),
          m_threads(threads), m_stop(std::move(stop)) {
        m_best.draws = question.draws;
        // So that as many other draws keep it too, nineteen times in twenty: what two samples of a share
        // differ by scatters as the root of twice the variance of one (normal, one side: 1.645 deviations).
        const double scatter = std::sqrt(2.0 * kKept * (1.0 - kKept) / static_cast<double>(question.draws));
        m_best.needed = std::min(1.0, kKept + 1.645 * scatter);
    }

    RobustBest run(std::vector<RecommendedSystem>& systems, std::size_t ways, const RecommendWays& further) {
        constexpr std::size_t kSteps = 6;
        for (auto& system : systems)
            if (!m_stop.stop_requested())
                system.kept = take(system);
        const RecommendWanted wanted = [this](const std::string& ready, double count,
                                              const RecommendAnswer& answer) {
            const double token = answer.of(RecommendFigure::Token);
            const auto known = m_kept.find(ready);
            if (known != m_kept.end() && !(recommendOrder(m_question, count, token) < orderOf(known->second)))
                return false;
            const double cost = m_question.byToken ? token : answer.of(RecommendFigure::Year);
            return std::none_of(m_kept.begin(), m_kept.end(), [&](const auto& other) {
                return other.first != ready && other.second.rank(m_question) <= cost;
            });
        };
        for (std::size_t way = 0; way < ways; ++way)
            for (std::size_t more = 0; more < kSteps && !m_stop.stop_requested(); ++more) {
                auto system = further(way, more, wanted);
                if (!system || (mayKeep(*system) && take(*std::move(system)) >= m_best.needed))
                    break;
            }
        for (auto& [ready, system] : m_kept)
            if (!m_best.system || system.rank(m_question) < m_best.system->rank(m_question))
                m_best.system = std::move(system);
        decide();
        return std::move(m_best);
    }

private:
    struct Taken {
        RecommendedSystem system;
        std::vector<Draw> draws;
        std::unique_ptr<Response> response; ///< refers to the system
    };
    const RecommendQuestion& m_question;
    const std::vector<RecommendLimit> m_limits;
    Draws m_draws;
    int m_threads;
    std::stop_token m_stop;
    RobustBest m_best;
    std::map<std::string, RecommendedSystem> m_kept; ///< of each ready server the best that keeps the limits
    std::vector<std::unique_ptr<Taken>> m_pool;

    std::pair<double, double> orderOf(const RecommendedSystem& system) const {
        return recommendOrder(m_question, system.point.count, system.of(RecommendFigure::Token).value);
    }

    double take(RecommendedSystem system) {
        m_pool.push_back(std::make_unique<Taken>());
        auto& taken = *m_pool.back();
        taken.system = std::move(system);
        taken.draws = m_draws.of(taken.system.ready);
        taken.response = std::make_unique<Response>(taken.system, m_question, m_threads, m_stop);
        const double kept = taken.system.kept = shareKept(*taken.response, m_limits, taken.draws, m_stop);
        m_best.most = std::max(m_best.most, kept);
        if (kept >= m_best.needed) {
            const auto known = m_kept.find(taken.system.ready);
            if (known == m_kept.end() || orderOf(taken.system) < orderOf(known->second))
                m_kept.insert_or_assign(taken.system.ready, taken.system);
        }
        return kept;
    }

    /// False where one error alone breaks a limit in a quarter of the draws.
    bool mayKeep(const RecommendedSystem& system) const {
        return std::none_of(m_limits.begin(), m_limits.end(), [&](const RecommendLimit& limit) {
            const auto& figure = system.of(limit.figure);
            return (figure.hasBand() ? std::sqrt(figure.value * figure.high) : figure.value) > limit.most;
        });
    }

    /// What a system costs in a draw; infinite where it breaks a limit.
    double costIn(const Taken& taken, const Draw& draw) const {
        const auto values = taken.response->at(draw);
        return worstMiss(m_limits, values).first <= 1.0
                   ? values[at(m_question.byToken ? RecommendFigure::Token : RecommendFigure::Year)]
                   : kNone;
    }

    /// Those servers, and how many, that are the cheapest; none: nothing keeps the limits.
    std::pair<std::string, double> cheapest(const std::vector<double>& costs) const {
        const auto least = std::min_element(costs.begin(), costs.end());
        if (least == costs.end() || *least == kNone)
            return {};
        const auto& system = m_pool[static_cast<std::size_t>(least - costs.begin())]->system;
        return {system.ready, system.point.count};
    }

    /// Which errors, of all or of one ready server's, change what is the cheapest.
    void decide() {
        auto& measurements = m_best.measurements;
        std::map<std::string, std::string> names;
        for (const auto& taken : m_pool)
            names.emplace(taken->system.ready, taken->system.name);
        for (const auto input : {RecommendInput::Prompt, RecommendInput::Output})
            measurements.push_back({input, {}, {}, 0});
        for (const auto& [ready, name] : names)
            for (const auto input :
                 {RecommendInput::FirstToken, RecommendInput::PerToken, RecommendInput::Price})
                measurements.push_back({input, ready, name, 0});
        std::vector<double> costs(m_pool.size()), known;
        for (std::size_t draw = 0; draw < m_best.draws && !m_stop.stop_requested(); ++draw) {
            for (std::size_t i = 0; i < m_pool.size(); ++i)
                costs[i] = costIn(*m_pool[i], m_pool[i]->draws[draw]);
            const auto drawn = cheapest(costs);
            for (auto& measurement : measurements) {
                known = costs;
                for (std::size_t i = 0; i < m_pool.size(); ++i)
                    if (measurement.ready.empty() || measurement.ready == m_pool[i]->system.ready) {
                        auto one = m_pool[i]->draws[draw];
                        one[static_cast<std::size_t>(measurement.input)] = 0.0;
                        known[i] = costIn(*m_pool[i], one);
                    }
                measurement.changed += cheapest(known) != drawn ? 1 : 0;
            }
        }
        std::erase_if(measurements, [](const auto& one) { return one.changed == 0; });
        std::stable_sort(measurements.begin(), measurements.end(),
                         [](const auto& one, const auto& other) { return one.changed > other.changed; });
    }
};

} // namespace

RobustBest robustBest(const RecommendQuestion& question, std::vector<RecommendedSystem>& systems,
                      std::size_t ways, const RecommendWays& further, int threads,
                      const std::stop_token& stop) {
    return RobustSearch(question, threads, stop).run(systems, ways, further);
}

std::pair<double, double> recommendOrder(const RecommendQuestion& question, double count, double token) {
    return {question.byToken ? 0.0 : count, token};
}

double keptShare(const RecommendQuestion& question, const RecommendedSystem& system, std::uint64_t seed,
                 std::size_t draws, int threads, const std::stop_token& stop) {
    return shareKept(Response(system, question, threads, stop), recommendLimits(question),
                     Draws(seed, draws).of(system.ready), stop);
}

RecommendAnswer recommendAnswer(const Scenario& design, const RecommendQuestion& question,
                                const std::stop_token& stop) {
    RecommendAnswer answer;
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
    for (std::size_t i = 0; i < kRecommendFigures; ++i) {
        const auto metric = recommendFigureSpec(static_cast<RecommendFigure>(i), question).metric;
        answer.values[i] = metric ? answer.evaluation.metric(*metric) : serving.bill.perSecond * units::year;
    }
    return answer;
}

std::vector<RecommendLimit> recommendLimits(const RecommendQuestion& question) {
    std::vector<RecommendLimit> limits;
    const auto add = [&](RecommendFigure figure, double most, std::string_view name) {
        if (most > 0.0)
            limits.push_back({figure, most, name});
    };
    add(RecommendFigure::FirstToken, question.ttft, "TTFT p99");
    add(RecommendFigure::PerToken, question.tpot, question.meanTpot ? "mean TPOT" : "TPOT p99");
    add(RecommendFigure::Rated, question.power, "rated power");
    add(RecommendFigure::Price, question.price, "price");
    add(RecommendFigure::Token, question.cost, "cost of tokens");
    return limits;
}

std::pair<double, const RecommendLimit*> worstMiss(const std::vector<RecommendLimit>& limits,
                                                   const std::array<double, kRecommendFigures>& values) {
    std::pair<double, const RecommendLimit*> worst{0.0, nullptr};
    for (const auto& limit : limits) {
        const double ratio = values[at(limit.figure)] / limit.most;
        if (!(ratio <= worst.first)) // also where it is not known
            worst = {ratio == ratio ? ratio : kNone, &limit};
    }
    return worst;
}

} // namespace heteroscape::engine
