// SPDX-License-Identifier: GPL-3.0-or-later
// What should I buy: held against every point of the grid, and against draws of other seeds.
#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/simulate.h"
#include "engine/frontier/recommend.h"
#include "engine/scenario/scenario_json.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"
#include "tests/rounds.h"
#include "tests/shipped_catalog.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

using namespace heteroscape;
using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const GpuServers& shippedServers() {
    static const GpuServers servers(*shippedCatalog(), shippedKernels());
    return servers;
}

/// Four ready servers of two makers, one software each.
RecommendQuestion reducedQuestion(const std::string& model) {
    RecommendQuestion question;
    question.model = model;
    question.ready = {"hgx-h200", "dgx-b200", "mi300x-platform", "l40s-server"};
    question.software = {"vllm", "class-rule"};
    question.price = 1.2e6;
    return question;
}

/// The same questions on every machine: of four ready servers each.
std::vector<RecommendQuestion> drawnQuestions(std::size_t count) {
    std::mt19937 random(20);
    const auto one = [&](const auto& of) { return of[random() % of.size()]; };
    const std::vector<std::string> models{"llama3-1-8b", "llama3-1-70b", "gpt-oss-120b", "qwen3-30b-a3b"};
    const std::vector<std::string> software{"vllm", "sglang", "trtllm"};
    const std::vector<double> prompts{512, 1024, 4000}, outputs{64, 128, 256}, users{4, 16, 48, 200};
    const std::vector<double> ttft{0.3, 1, 3, 0}, tpot{0.012, 0.02, 0.05}, power{20e3, 45e3, 0};
    std::vector<RecommendQuestion> questions;
    for (std::size_t i = 0; i < count; ++i) {
        RecommendQuestion question;
        question.model = one(models);
        std::vector<std::string> ready{"hgx-a100",        "hgx-h100",       "hgx-h200",    "dgx-b200",
                                       "dgx-b300",        "gaudi3-server",  "l40s-server", "mi300x-platform",
                                       "mi325x-platform", "mi355x-platform"};
        for (std::size_t k = 0; k < 4; ++k) {
            std::swap(ready[k], ready[k + random() % (ready.size() - k)]);
            question.ready.push_back(ready[k]);
        }
        question.software = {one(software), "class-rule"};
        question.prompt = one(prompts);
        question.output = one(outputs);
        question.users = one(users);
        question.ttft = one(ttft);
        question.tpot = one(tpot);
        question.power = one(power);
        question.meanTpot = random() % 2 == 0;
        question.byToken = random() % 4 == 0;
        question.rented = random() % 4 == 0;
        question.price = question.rented ? 0.0 : 1.2e6;
        questions.push_back(std::move(question));
    }
    return questions;
}

std::string nameOf(const std::string& ready, const FrontierPoint& point) {
    return ready + ": " + exactText(point.count) + ", " + point.server + " " + point.precision + ", " +
           point.layout;
}

std::vector<RecommendedSystem> systemsOf(const Recommendation& found) {
    std::vector<RecommendedSystem> systems;
    for (const auto& list : found.lists)
        systems.insert(systems.end(), list.systems.begin(), list.systems.end());
    return systems;
}

using Names = std::map<Truth, std::vector<std::string>>; ///< in the order in which they are told

/// The best of every point of the grid: by another way, through a study.
Names exhaustive(const RecommendQuestion& question) {
    const auto& servers = shippedServers();
    const auto definition = recommendDefinition(question, servers).first;
    if (definition.systems.empty())
        return {};
    const auto points = frontierGrid(definition, servers.catalog(), servers);
    if (points.empty())
        return {};
    const auto table = evaluateStudy(frontierStudy(definition, points, servers.catalog(), servers));
    const auto at = [&](Metric metric, std::size_t row) {
        return table.find(std::string(metricSpec(metric).key))->at(row) * metricSpec(metric).scale;
    };
    const auto keeps = [](double value, double limit) { return limit <= 0 || value <= limit; };
    struct Best {
        std::tuple<double, double, std::size_t> key;
        double cost;
    };
    std::map<std::size_t, Best> best; // by system
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double token = at(Metric::ServedCost, i);
        if (!std::isfinite(token) || !keeps(at(Metric::FirstTokenP99, i), question.ttft) ||
            !keeps(at(question.meanTpot ? Metric::TokenMean : Metric::TokenP99, i), question.tpot) ||
            !keeps(at(Metric::Price, i), question.price) || !keeps(at(Metric::RatedPower, i), question.power))
            continue;
        const Economics cost;
        const auto& node = acceleratorsOf(servers.ready(definition.systems[points[i].system].ready));
        const double perSecond = question.rented
                                     ? points[i].devices * node.device.rent.value
                                     : at(Metric::Price, i) / cost.lifetime.value +
                                           at(Metric::ServedFacilityPower, i) * cost.electricity.value;
        const double year = perSecond * units::year;
        const Best one{{question.byToken ? 0.0 : points[i].count, token, i}, question.byToken ? token : year};
        const auto found = best.find(points[i].system);
        if (found == best.end() || one.key < found->second.key)
            best.insert_or_assign(points[i].system, one);
    }
    std::vector<std::pair<double, std::size_t>> order;
    for (const auto& [system, one] : best)
        order.emplace_back(one.cost, std::get<2>(one.key));
    std::stable_sort(order.begin(), order.end());
    Names names;
    for (const auto& [cost, place] : order) {
        auto& list = names[truthOf(frontierScenario(definition, points[place], servers.catalog(), servers))];
        if (list.size() < 3)
            list.push_back(nameOf(definition.systems[points[place].system].ready, points[place]));
    }
    return names;
}

} // namespace

TEST_CASE("recommend: the three of a list are the best of every point of the grid, for twenty questions") {
    std::size_t answered = 0;
    for (const auto& question : drawnQuestions(rounds(std::size_t{20}, 6))) {
        const auto found = recommend(question, shippedServers(), 2);
        Names names;
        for (const auto& list : found.lists)
            for (const auto& system : list.systems)
                names[list.truth].push_back(nameOf(system.ready, system.point));
        CAPTURE(question.model);
        CAPTURE(question.users);
        CAPTURE(question.prompt);
        CAPTURE(question.output);
        CAPTURE(question.ttft);
        CAPTURE(question.tpot);
        CHECK(names == exhaustive(question));
        answered += names.empty() ? 0 : 1;
        // Each of the others has its line, and all devices that are in no ready server one.
        std::size_t told = 1;
        for (const auto& ready : shippedServers().ready())
            told += std::ranges::any_of(ready.clip.nodes,
                                        [](const Node& node) { return isAccelerator(node.device.kind); });
        CHECK(systemsOf(found).size() + found.passed.size() == told);
        for (const auto& passed : found.passed)
            CHECK(!passed.why.empty());
        // The robust best keeps its limits in draws that nobody looked at.
        if (found.robust.system) {
            CHECK(found.robust.system->kept >= found.robust.needed);
            CHECK(keptShare(question, *found.robust.system, 12345, 200) >= 0.9);
            CHECK(keptShare(question, *found.robust.system, 12345, 20000) >= 0.9);
        }
    }
    CHECK(answered >= rounds(std::size_t{15}, 4));
}

TEST_CASE("recommend: a system is the design that it opens as, with bands, whatever the number of threads") {
    auto question = reducedQuestion("llama3-1-70b");
    question.prompt = 2000;
    question.output = 200;
    question.users = 32;
    question.ttft = 3;
    question.tpot = 0.06;
    const auto found = recommend(question, shippedServers(), 1);
    const auto again = recommend(question, shippedServers(), 3);
    const auto systems = systemsOf(found);
    REQUIRE(systems.size() == 3);
    CHECK(recommendCsv(found) == recommendCsv(again));
    const TemporaryFolder folder;
    for (const auto& system : systems) {
        CAPTURE(system.name);
        const auto path = folder.path() + "/design.hscape";
        saveScenario(system.design, path);
        const auto opened = loadScenario(path, *shippedCatalog());
        auto evaluation = evaluate(opened);
        setServingMetrics(simulate(opened, evaluation), evaluation);
        for (const auto figure : {RecommendFigure::FirstToken, RecommendFigure::PerToken,
                                  RecommendFigure::Token, RecommendFigure::Price, RecommendFigure::Rated}) {
            const auto metric = recommendFigureSpec(figure, question).metric;
            CHECK(evaluation.metric(*metric) == system.of(figure).value);
        }
        CHECK(system.of(RecommendFigure::FirstToken).value <= question.ttft);
        CHECK(system.of(RecommendFigure::PerToken).value <= question.tpot);
        for (const auto figure :
             {RecommendFigure::FirstToken, RecommendFigure::PerToken, RecommendFigure::Year}) {
            const auto& value = system.of(figure);
            CHECK(value.low < value.value);
            CHECK(value.value < value.high);
        }
        CHECK(!system.of(RecommendFigure::Rated).hasBand());
        // Whole servers: as sold, with what is around the devices.
        const auto& ready = shippedServers().ready(system.ready);
        const auto& node = acceleratorsOf(ready);
        const double one = node.count.value * node.device.price.value + node.chassisPrice.value;
        CHECK(system.of(RecommendFigure::Price).value >= system.point.count * one * 0.999);
    }
    // What to measure: what changes the answer most first, and nothing that is known.
    const auto& measurements = found.robust.measurements;
    REQUIRE(!measurements.empty());
    CHECK(std::is_sorted(measurements.begin(), measurements.end(),
                         [](const auto& one, const auto& other) { return one.changed > other.changed; }));
    CHECK(measurements.front().changed <= found.robust.draws);
    question.lengthError = 0.0;
    for (const auto& one : recommend(question, shippedServers(), 2).robust.measurements)
        CHECK(!one.ready.empty());
    question.lengthError = 0.2;
    const auto study = recommendStudy(found, shippedServers());
    CHECK(study.axes.back().values.size() == found.simulated.size());
    // Its base keeps what the designs are made of.
    const auto kept = keptFrontier(*study.base, *shippedCatalog());
    REQUIRE(kept);
    CHECK(frontierGrid(*kept, *shippedCatalog(), shippedServers()).size() == found.points);
}

TEST_CASE("recommend: what rests on unlike evidence is ranked in lists of its own") {
    std::size_t both = 0, onlyRule = 0, nearest = 0;
    auto questions = drawnQuestions(20);
    questions.push_back(reducedQuestion("llama3-1-70b")); // no measured server is as fast for its price
    questions.back().users = 16;
    questions.back().ttft = 0.3;
    questions.back().tpot = 0.012;
    questions.back().price = 2e5;
    for (const auto& question : questions) {
        const auto found = recommend(question, shippedServers(), 2);
        CAPTURE(found.definition.name);
        CHECK(std::is_sorted(found.lists.begin(), found.lists.end(),
                             [](const auto& one, const auto& other) { return one.truth > other.truth; }));
        std::map<std::string, Truth> truths; // by ready server
        std::optional<Truth> first;
        std::size_t full = 0;
        for (const auto& list : found.lists) {
            for (const auto& system : list.systems) {
                CHECK(truthOf(system.design) == list.truth);
                CHECK(system.kept == keptShare(question, system, question.seed, question.draws));
                truths[system.ready] = list.truth;
                if (&system == &list.systems.front())
                    CHECK(system.tooClose.empty());
                else
                    CHECK(system.rank(question) >= list.systems.front().rank(question));
            }
            full += list.systems.empty() ? 0 : 1;
            if (!first && !list.systems.empty())
                first = list.truth;
        }
        both += full > 1 ? 1 : 0;
        onlyRule += first == Truth::Class && found.lists.size() > 1 ? 1 : 0;
        // Of whom nothing keeps the limits, the one that misses them least is named.
        for (const auto& one : found.passed)
            if (one.truth)
                truths[one.ready] = *one.truth;
        for (const auto& list : found.lists) {
            CHECK((list.systems.empty() || list.nearest.empty()));
            const auto named = std::find_if(found.passed.begin(), found.passed.end(),
                                            [&](const auto& one) { return one.ready == list.nearest; });
            if (list.nearest.empty() || named == found.passed.end())
                continue;
            CHECK(named->truth == list.truth);
            CHECK(named->miss > 1.0);
            for (const auto& one : found.passed)
                CHECK((one.truth != list.truth || one.isTried < named->isTried || one.miss >= named->miss));
            ++nearest;
        }
        // Others are held against the best of theirs.
        for (const auto& one : found.passed)
            if (one.why.find("dearer") == 0)
                CHECK(one.why.find(" the best of its list (") != std::string::npos);
        CHECK(found.robust.truth == first);
        if (found.robust.system)
            CHECK(truthOf(found.robust.system->design) == *first);
        for (const auto& one : found.robust.measurements)
            CHECK((one.ready.empty() || truths.at(one.ready) == *first));
    }
    CHECK(both >= 5);
    CHECK(onlyRule >= 1);
    CHECK(nearest >= 1);
}

TEST_CASE("recommend: what was measured of one's own silicon is in no list with what was not") {
    auto own = *shippedCatalog();
    for (auto& device : own.devices)
        if (device.id == "mi300x")
            device.classBand = {0.15, Provenance::Assumed, "as calibrate writes it"};
    const GpuServers servers(own, shippedKernels());
    auto question = reducedQuestion("llama3-1-8b");
    question.ready = {"hgx-h200", "mi300x-platform", "mi325x-platform"};
    question.draws = 0;
    const auto found = recommend(question, servers, 2);
    std::string told;
    for (const auto& list : found.lists)
        for (const auto& system : list.systems)
            told += std::string(truthName(list.truth)) + " " + system.ready + "; ";
    CHECK(told == "served hgx-h200; kernels mi300x-platform; class mi325x-platform; ");
    CHECK(!found.robust.truth); // nothing is drawn
}

TEST_CASE("recommend: the robust best keeps its limits in nine of ten draws that are simulated anew") {
    std::mt19937_64 random(46);
    const auto normal = [&] { // Box-Muller: the same on every machine
        const double u = (static_cast<double>(random() >> 11) + 1.0) / 9007199254740992.0;
        const double v = static_cast<double>(random() >> 11) / 9007199254740992.0;
        return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
    };
    constexpr double kEdge = 1.2815515655446004; // 80 % of a normal distribution
    std::size_t tried = 0;
    for (const auto& question : drawnQuestions(20)) {
        const auto found = recommend(question, shippedServers(), 2);
        if (!found.robust.system)
            continue;
        const auto& system = *found.robust.system;
        const auto off = [&](RecommendFigure figure) {
            const auto& value = system.of(figure);
            const double deviation = normal();
            return std::exp(std::fabs(deviation) / kEdge *
                            std::log((deviation > 0.0 ? value.high : value.low) / value.value));
        };
        std::size_t kept = 0;
        for (int draw = 0; draw < 200; ++draw) {
            auto design = system.design;
            for (auto* length : {&design.workload.promptTokens, &design.workload.outputTokens})
                length->value = std::max(
                    1.0, std::round(length->value * std::pow(1.0 + question.lengthError, normal() / kEdge)));
            auto values = recommendAnswer(design, question).values;
            for (const auto figure :
                 {RecommendFigure::FirstToken, RecommendFigure::PerToken, RecommendFigure::Price})
                values[static_cast<std::size_t>(figure)] *= off(figure);
            kept += worstMiss(recommendLimits(question), values).first <= 1.0 ? 1 : 0;
        }
        CAPTURE(question.model);
        CAPTURE(question.users);
        CAPTURE(system.name);
        CHECK(kept >= 180);
        if (++tried == 5)
            break;
    }
    CHECK(tried == 5);
}

TEST_CASE("recommend: why ready servers fall out") {
    auto question = reducedQuestion("deepseek-v3");
    question.ready = {"hgx-a100",      "gb200-nvl72", "mi300x-platform",
                      "hgx-h100-pair", "hgx-h200",    "l40s-server"};
    question.vendors = {"NVIDIA"};
    question.users = 8;
    question.output = 64;
    question.power = 40e3;
    question.price = 0;
    question.tpot = 0.001;
    const auto why = [&](const Recommendation& found, const std::string& ready) {
        for (const auto& passed : found.passed)
            if (passed.ready == ready)
                return passed.why;
        return std::string();
    };
    const auto found = recommend(question, shippedServers(), 2);
    CHECK(systemsOf(found).empty());
    REQUIRE(found.lists.size() == 1); // of AMD none is asked for
    CHECK(found.lists.front().truth == Truth::Served);
    CHECK(why(found, "gb200-nvl72") == "one is rated for 120 kW, 3.0 times the limit");
    CHECK(why(found, "mi300x-platform") == "not of the vendors asked for");
    CHECK(why(found, "dgx-b200") == "not among the ready servers asked for");
    const auto& none = found.passed.back(); // of these there is nothing to buy
    CHECK(none.ready.empty());
    CHECK(none.name.find("FPGA; Google; Groq") != std::string::npos);
    CHECK(none.name.find("AMD") == std::string::npos);
    const auto words = recommendWords(found, *shippedCatalog());
    for (const auto* who : {"MI300X", "FPGA", "DGX B200"})
        CHECK(std::ranges::count_if(words.others, [&](const auto& line) {
                  return line.second.find(who) != std::string::npos;
              }) == 1);
    CHECK(words.lists.front().head.find("none keeps all limits") != std::string::npos);
    CHECK(why(found, "l40s-server").find("does not fit") != std::string::npos);
    CHECK(why(found, "hgx-a100").find("FP8 is not native") != std::string::npos);
    CHECK(why(found, "hgx-h100-pair").find("tried by themselves") != std::string::npos);
    CHECK(why(found, "hgx-h200").find("comes to TPOT p99") == 0);
    CHECK(why(found, "hgx-h200").find("times the limit") != std::string::npos);
    question.rented = true;
    question.power = 0;
    question.vendors = {};
    question.tpot = 0.2;
    const auto rented = recommend(question, shippedServers(), 2);
    CHECK(why(rented, "mi300x-platform") == "its rent is not known");
    REQUIRE(!rented.lists.empty());
    REQUIRE(!rented.lists.front().systems.empty());
    const auto& first = rented.lists.front().systems.front();
    const auto& device = acceleratorsOf(shippedServers().ready(first.ready)).device;
    CHECK(first.of(RecommendFigure::Year).value ==
          doctest::Approx(first.point.devices * device.rent.value * units::year));
}

TEST_CASE("recommend: a question that makes no sense says what and what to do") {
    const auto refused = [](const auto& change) -> std::string {
        auto question = reducedQuestion("llama3-1-8b");
        change(question);
        try {
            recommend(question, shippedServers(), 1);
        } catch (const Error& error) {
            CHECK(!error.remedy().empty());
            return error.what();
        }
        return {};
    };
    CHECK(refused([](auto& question) { question.users = 0; }).find("users: 0 is not allowed") == 0);
    CHECK(refused([](auto& question) { question.vendors = {"Acme"}; }).find("NVIDIA") != std::string::npos);
    CHECK(refused([](auto& question) { question.ready = {"dgx"}; }).find("dgx-b200") != std::string::npos);
    CHECK(refused([](auto& question) { question.ready = {"storage-server"}; }).find("is not known") !=
          std::string::npos);
    CHECK(refused([](auto& question) { question.software = {"llama.cpp"}; }).find("sglang") !=
          std::string::npos);
    CHECK(refused([](auto& question) { question.formats = {"fp6"}; }).find("int4") != std::string::npos);
    CHECK(refused([](auto& question) { question.vendors = {"nvidia"}; }).empty());
    CHECK(refused([](auto& question) { question.model = "llama9"; }).find("llama9") != std::string::npos);
    CHECK(refused([](auto& question) { question.rented = true; }).find("rented") != std::string::npos);
}
