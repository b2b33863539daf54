// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/frontier/recommend.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/catalog/named.h"
#include "engine/evaluation/compare_designs.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/evaluation/system_errors.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kSystems = 3; ///< that are told

bool isAmong(const std::vector<std::string>& names, const std::string& name) {
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
}

void checkAmong(const std::vector<std::string>& names, const std::vector<std::string>& known,
                const char* where) {
    for (const auto& name : names)
        if (known.empty() || !isAmong(known, name))
            throw Error(ErrorCode::NotFound, where, "\"" + name.substr(0, 80) + "\" is not known",
                        "There are: " + joined(known));
}

void checkQuestion(const RecommendQuestion& question, const GpuServers& servers) {
    const auto& catalog = servers.catalog();
    catalog.model(question.model, "model");
    const auto inside = [](double value, double least, double most, const char* where) {
        if (!(value >= least && value <= most))
            throwInvalid(where, exactText(value) + " is not allowed",
                         "Allowed: from " + exactText(least) + " to " + exactText(most));
    };
    constexpr double kMostDraws = 100'000;
    inside(question.prompt, 1, kMostFrontierTokens, "prompt");
    inside(question.output, 1, kMostFrontierTokens, "output");
    inside(question.ratio, 0, 1, "length_ratio");
    inside(question.users, 1, kMostFrontierUsers, "users");
    inside(question.lengthError, 0, 10, "length_error");
    inside(static_cast<double>(question.draws), 0, kMostDraws, "draws");
    for (const auto limit : {question.ttft, question.tpot, question.power, question.price, question.cost})
        inside(limit, 0, 1e15, "limit");
    if (question.rented && question.price > 0.0)
        throwInvalid("price", "what is rented has no price", "Limit what a token costs, or buy");
    std::vector<std::string> vendors, ready, software{std::string(kClassSoftware)};
    for (const auto& group : servers.ready()) {
        ready.push_back(group.id);
        for (const auto& node : group.clip.nodes)
            if (const std::string vendor(node.device.vendor);
                isAccelerator(node.device.kind) && (vendors.empty() || !isAmong(vendors, vendor)))
                vendors.push_back(vendor);
    }
    for (const auto& server : catalog.servers)
        software.push_back(server.id);
    checkAmong(question.vendors, vendors, "vendors");
    checkAmong(question.ready, ready, "ready");
    checkAmong(question.software, software, "software");
    checkAmong(question.formats, {"bf16", "fp8", "fp4", "int4"}, "formats");
}

std::vector<std::string> softwareOf(const Device& device, const GpuServers& servers) {
    std::vector<std::string> ids;
    if (!device.kernels.empty() && servers.recipes().findDevice(device.kernels, device.id)) {
        for (const auto& server : servers.catalog().servers)
            if (canRun(servers.catalog().runtime(server.runtime, "runtime").on(device), device))
                ids.push_back(server.id);
    } else if (device.kernels.empty() &&
               canRun(servers.catalog().runtime(std::string(kClassSoftware), "runtime").on(device), device)) {
        ids.emplace_back(kClassSoftware);
    }
    return ids;
}

/// Formats of weights that a device multiplies or unpacks, those of the checkpoint first; each once. None
/// wider than the checkpoint and no INT4 that it does not have, unless they are asked for.
std::vector<std::string> formatsOf(const RecommendQuestion& question, const Device& device,
                                   const GpuServers& servers) {
    const auto& model = servers.catalog().model(question.model, "model");
    const double bytes =
        model.weights ? model.weights->of(model.isMixture() ? ModelPart::Experts : ModelPart::Dense).bytes
                      : 2.0;
    constexpr double kNarrow = 0.75, kWide = 1.5; // B an element
    std::vector<std::string> order{"bf16", "fp8", "fp4"};
    if (bytes < kNarrow)
        order = {"fp4", "int4"};
    else if (bytes < kWide)
        order = {"fp8", "fp4"};
    if (!question.formats.empty())
        order = question.formats;
    const bool fp4 = device.kernels.empty() ? device.peakFp4.isSet()
                                            : servers.kernels()
                                                  .architecture(servers.kernels().gpu(device.kernels).arch)
                                                  .multiplies(Rate::Fp4);
    std::vector<std::string> formats;
    std::vector<ServedFormats> known;
    for (const auto& format : order) {
        RecipeLabels labels;
        labels.model = question.model;
        labels.device = device.id;
        labels.backend =
            device.kernels.empty() ? std::string(kClassSoftware) : servers.catalog().servers.front().id;
        labels.precision = labels.denseFormat = labels.expertFormat = format;
        const auto served = servers.plan(labels, {}).recipe.formats;
        const bool multiplied = fp4 || (served.dense != "nvfp4" && served.experts != "nvfp4");
        if (multiplied && std::find(known.begin(), known.end(), served) == known.end()) {
            known.push_back(served);
            formats.push_back(format);
        }
    }
    return formats;
}

/// All to eight, then by a seventh more each, to the most that a limit or the users leave.
std::vector<double> countsWithin(double most) {
    std::vector<double> counts;
    for (double count = 1; count < most; count = count < 8 ? count + 1 : std::ceil(count * 8 / 7))
        counts.push_back(count);
    counts.push_back(most);
    return counts;
}

/// Why not even one of a ready server can be taken; else empty, and the most that can.
std::string whyNone(const RecommendQuestion& question, const ReadyGroup& ready, const Node& node,
                    double& most) {
    const auto passes = [&](double one, double limit, const std::string& words) {
        if (!(limit > 0.0))
            return std::string();
        most = std::min(most, std::floor(limit / one));
        return most >= 1.0 ? std::string() : words + ", " + shortText(one / limit, 2) + " times the limit";
    };
    const double price = priceOf(ready, 1);
    if (question.rented ? !node.device.rent.isSet() : !(price > 0.0))
        return question.rented ? "its rent is not known" : "its price is not known";
    if (auto why = passes(price, question.price, "one costs $" + plainText(price)); !why.empty())
        return why;
    const double rated =
        node.chassisRated.value * std::ceil(node.count.value / node.chassisDevices.valueOr(node.count.value));
    if (question.power > 0.0 && !(rated > 0.0))
        return "what it is rated for is not known";
    return passes(rated, question.power, "one is rated for " + shortText(rated / units::kilo) + " kW");
}

/// One software, format and layout on a ready server, with any number of these.
struct Variant {
    std::size_t first = 0, count = 0;               ///< in the grid
    std::map<std::size_t, RecommendAnswer> answers; ///< by place
    std::size_t best = SIZE_MAX;                    ///< the fewest that keep the limits
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
    const std::vector<RecommendLimit>& limits() const { return m_limits; }
    const RecommendQuestion& question() const { return m_question; }
    const GpuServers& servers() const { return m_servers; }
    const std::string& readyOf(std::size_t place) const {
        return m_definition.systems[m_points[place].system].ready;
    }
    Scenario design(std::size_t place) const {
        return frontierScenario(m_definition, m_points[place], m_servers.catalog(), m_servers);
    }
    /// Whether one is preferred to another of the same ready server.
    bool isBetter(std::size_t place, const RecommendAnswer& one, std::size_t otherPlace,
                  const RecommendAnswer& other) const {
        const auto key = [&](std::size_t of, const RecommendAnswer& answer) {
            return std::pair(
                recommendOrder(m_question, m_points[of].count, answer.of(RecommendFigure::Token)), of);
        };
        return key(place, one) < key(otherPlace, other);
    }
    RecommendAnswer answer(std::size_t place) const {
        return recommendAnswer(design(place), m_question, m_stop);
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

    /// Whether a step in steady state, which no prompt holds up, comes near the limit.
    bool comesNear(std::size_t place) const {
        if (!(m_question.tpot > 0.0))
            return true;
        constexpr double kSpare = 1.2;
        const auto design = this->design(place);
        if (hasErrors(validate(design)))
            return false;
        Evaluation steady;
        evaluateInto(design, steady, Detail::Metrics);
        return !(steady.metric(Metric::TimePerToken) > kSpare * m_question.tpot);
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
RecommendedSystem systemOf(const Search& search, std::size_t place, const RecommendAnswer& answer) {
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
    // The rule of a class has a band of rates, none of money: both errors have nothing to do with each other.
    auto& token = system.figures[static_cast<std::size_t>(RecommendFigure::Token)];
    if (const auto [down, up] = errors.of(Metric::ServedThroughput).band(); !token.hasBand())
        token = banded(token.value, {std::hypot(prices, up), std::hypot(prices, down)});
    return system;
}

std::string timesText(double ratio) {
    return shortText(ratio, 2) + " times";
}

std::string whatOf(const FrontierPoint& point) {
    return exactText(point.count) + " x, " + point.server + " " + point.precision + ", " + point.layout;
}

/// Why a ready server does not keep the limits, at its best.
std::string reasonOf(const Search& search, const FrontierDefinition& definition, std::size_t ordinal) {
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
        return failed.empty() ? whyNoPoint(definition, ordinal, search.servers()) : failed;
    const auto& [ratio, limit] = least;
    if (!limit || !std::isfinite(ratio))
        return "its " + std::string(limit ? limit->name : "cost") + " is not known";
    return std::string(limit->name) + " " +
           recommendText(search.question(), limit->figure, nearest->of(limit->figure)) + " at best, " +
           timesText(ratio) + " the limit (" + whatOf(search.points()[place]) + ")";
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

} // namespace

std::pair<FrontierDefinition, std::vector<RecommendPassed>>
recommendDefinition(const RecommendQuestion& question, const GpuServers& servers) {
    checkQuestion(question, servers);
    FrontierDefinition definition;
    definition.id = "recommendation";
    definition.where = definition.id;
    definition.model = question.model;
    definition.name = "What to buy for " + servers.catalog().model(question.model, "model").name + ", " +
                      exactText(question.users) + " users";
    definition.prompt = question.prompt;
    definition.output = question.output;
    definition.ratio = question.ratio;
    definition.users = {question.users};
    definition.rented = question.rented;
    std::vector<RecommendPassed> passed;
    for (const auto& ready : servers.ready()) {
        const auto computes = [](const Node& one) { return isAccelerator(one.device.kind); };
        const auto sorts = std::count_if(ready.clip.nodes.begin(), ready.clip.nodes.end(), computes);
        if (!isAmong(question.ready, ready.id) || sorts == 0)
            continue;
        const auto pass = [&](std::string why) { passed.push_back({ready.id, ready.name, std::move(why)}); };
        if (sorts > 1) {
            pass("several servers in one; they are tried by themselves");
            continue;
        }
        const auto& node = acceleratorsOf(ready);
        if (!isAmong(question.vendors, std::string(node.device.vendor))) {
            pass("not of the vendors asked for");
            continue;
        }
        double most = std::min(kMostReady, question.users);
        if (auto why = whyNone(question, ready, node, most); !why.empty()) {
            pass(std::move(why));
            continue;
        }
        FrontierSystem system;
        system.name = ready.name;
        system.ready = ready.id;
        system.counts = countsWithin(most);
        for (auto& id : softwareOf(node.device, servers))
            if (isAmong(question.software, id))
                system.servers.push_back(std::move(id));
        system.precisions = formatsOf(question, node.device, servers);
        if (system.servers.empty() || system.precisions.empty())
            pass(system.servers.empty() ? "no kernels of the software asked for"
                                        : "it has no rates for these formats");
        else
            definition.systems.push_back(std::move(system));
    }
    return {std::move(definition), std::move(passed)};
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
    Search search(question, definition, servers, stop); // of the definition as it is told
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
            why[names[i]] = reasonOf(search, definition, i);
    }
    const auto figure = question.byToken ? RecommendFigure::Token : RecommendFigure::Year;
    std::stable_sort(best.begin(), best.end(), [&](const auto& one, const auto& other) {
        return one.rank(question) < other.rank(question);
    });
    std::vector<double> costs(definition.systems.size(), 0.0); // those of each ready server
    for (const auto& system : best)
        costs[system.point.system] = system.rank(question);
    for (std::size_t i = kSystems; i < best.size(); ++i)
        why[names[best[i].point.system]] =
            "keeps all limits at " + recommendText(question, figure, best[i].of(figure).value) +
            (question.byToken ? ", " : " a year, ") +
            timesText(best[i].of(figure).value / best.front().of(figure).value) + " the best (" +
            whatOf(best[i].point) + ")";
    best.resize(std::min(best.size(), kSystems));
    for (std::size_t i = 1; i < best.size(); ++i)
        best[i].tooClose = closeness(best.front(), best[i], question, servers.catalog());
    std::vector<const Variant*> ways; // in the order of their ready servers' costs
    for (const auto& variant : search.variants())
        if (variant.best != SIZE_MAX)
            ways.push_back(&variant);
    const auto key = [&](const Variant* way) {
        const auto& point = search.points()[way->best];
        const auto token = way->answers.at(way->best).of(RecommendFigure::Token);
        return std::pair(costs[point.system], recommendOrder(question, point.count, token));
    };
    std::stable_sort(ways.begin(), ways.end(),
                     [&](const auto* one, const auto* other) { return key(one) < key(other); });
    const auto further = [&](std::size_t way, std::size_t more,
                             const RecommendWanted& wanted) -> std::optional<RecommendedSystem> {
        const auto& variant = *ways[way];
        const auto place = variant.best + more;
        if (place >= variant.first + variant.count)
            return {};
        const auto known = variant.answers.find(place);
        const auto answer = known != variant.answers.end() ? known->second : search.answer(place);
        if (!answer.why.empty() || !wanted(search.readyOf(place), search.points()[place].count, answer))
            return {};
        return systemOf(search, place, answer);
    };
    if (question.draws > 0 && !best.empty())
        found.robust = robustBest(question, best, ways.size(), further, stop);
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

Study recommendStudy(const Recommendation& recommendation, const GpuServers& servers) {
    return frontierStudy(recommendation.definition, recommendation.simulated, servers.catalog(), servers);
}

} // namespace heteroscape::engine
