// SPDX-License-Identifier: GPL-3.0-or-later
// What is told of a recommendation: its figures, its sentences, its table.
#include "engine/base/csv.h"
#include "engine/frontier/recommend.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace heteroscape::engine {

RecommendFigureSpec recommendFigureSpec(RecommendFigure figure, const RecommendQuestion& question) {
    const auto tpot = question.meanTpot ? Metric::TokenMean : Metric::TokenP99;
    const std::array<std::optional<Metric>, kRecommendFigures> metrics{
        std::nullopt, Metric::ServedCost,       Metric::Price,      Metric::FirstTokenP99,
        tpot,         Metric::ServedThroughput, Metric::RatedPower, Metric::ServedFacilityPower};
    const auto metric = metrics[static_cast<std::size_t>(figure)];
    if (!metric)
        return {"usd_per_year", "Cost a year", "$", 1.0, metric};
    const auto& spec = metricSpec(*metric);
    return {spec.key, spec.label, spec.unit, spec.scale, metric};
}

namespace {

/// The unit that a figure of this size is told in, and what stands before and after its number.
struct Told {
    double factor = 1.0;
    std::string before, after, band; ///< `band`: after the numbers of a band
};

Told toldAs(std::string_view unit, double value) {
    const double size = std::fabs(value);
    if (unit.starts_with("$")) {
        const bool large = size >= units::mega, middle = size >= 1e4;
        const std::string prefix = large ? "M" : middle ? "k" : "";
        return {large    ? units::micro
                : middle ? units::milli
                         : 1.0,
                "$", prefix + std::string(unit.substr(1)), prefix};
    }
    if (unit == "W" && size >= units::kilo)
        return {units::milli, "", " kW", ""};
    if (unit == "tok/s" && size >= units::kilo)
        return {units::milli, "", " ktok/s", ""};
    const auto shown = unit == "s" ? shownUnit("s", value) : ShownUnit{std::string(unit), 1.0};
    return {shown.factor, "", " " + shown.name, ""};
}

} // namespace

std::string recommendText(const RecommendQuestion& question, RecommendFigure figure, double value) {
    const auto spec = recommendFigureSpec(figure, question);
    if (!std::isfinite(value))
        return "not known";
    const auto told = toldAs(spec.unit, value / spec.scale);
    return told.before + shortText(value / spec.scale * told.factor) + told.after;
}

std::string recommendText(const RecommendQuestion& question, RecommendFigure figure,
                          const RecommendValue& value) {
    auto text = recommendText(question, figure, value.value);
    if (!value.hasBand())
        return text;
    const auto spec = recommendFigureSpec(figure, question);
    const auto told = toldAs(spec.unit, value.value / spec.scale);
    const auto edge = [&](double at) { return shortText(at / spec.scale * told.factor, 2); };
    return text + " (" + edge(value.low) + " to " + edge(value.high) + told.band + ")";
}

std::string recommendTimes(double ratio) {
    return shortText(ratio, ratio < 1.1 ? 3 : 2) + " times";
}

std::string_view recommendInputText(RecommendInput input) {
    constexpr std::array<std::string_view, kRecommendInputs> kTexts{
        "the time to first token", "the time per output token", "the mean length of prompts",
        "the mean length of outputs", "the price"};
    return kTexts[static_cast<std::size_t>(input)];
}

namespace {

std::string percentOf(double share) {
    return plainText(100.0 * share, 3) + " %";
}

/// What the systems of a list rest on, after "by".
std::string basisOf(Truth truth) {
    return std::string(truth == Truth::Class ? "the rule of their class" : truthText(truth));
}

std::string limitsText(const RecommendQuestion& question) {
    std::string limits;
    for (const auto& limit : recommendLimits(question))
        limits += (limits.empty() ? "Limits: " : ", ") + std::string(limit.name) +
                  " <= " + recommendText(question, limit.figure, limit.most);
    return (limits.empty() ? "No limits" : limits) + ".";
}

RecommendWords::List listWords(const Recommendation& found, const RecommendList& list) {
    RecommendWords::List words;
    const std::string remark(truthRemark(list.truth));
    words.head = "By " + basisOf(list.truth) + (remark.empty() ? "" : " (" + remark + ")");
    const auto nearest = std::find_if(found.passed.begin(), found.passed.end(), [&](const auto& one) {
        return !one.ready.empty() && one.ready == list.nearest;
    });
    if (!list.systems.empty())
        words.head += ":";
    else if (nearest == found.passed.end())
        words.head += ": none can be taken; why stands below.";
    else
        words.head += ": none keeps all limits. Nearest is " + nearest->name + ": " + nearest->why + ".";
    std::map<std::string, std::string> close; // reason, numbers
    for (std::size_t i = 1; i < list.systems.size(); ++i)
        if (const auto& why = list.systems[i].tooClose; !why.empty())
            close[why] += (close[why].empty() ? "" : " and ") + std::to_string(i + 1);
    for (const auto& [why, numbers] : close)
        words.close.push_back("Too close to call: " + numbers + " against 1, as " + why + ".");
    return words;
}

void putRobust(const Recommendation& found, RecommendWords& words) {
    const auto& robust = found.robust;
    if (!robust.truth)
        return;
    words.robust = "Robust best by " + basisOf(*robust.truth) +
                   ", the cheapest that keeps all limits with a probability of 90 % under the model's errors "
                   "and those of lengths and prices (asked for: " +
                   percentOf(robust.needed) + " of " + std::to_string(robust.draws) +
                   " draws, so that other draws keep them too):";
    if (robust.system) {
        const auto& system = *robust.system;
        const auto text = [&](RecommendFigure figure) {
            return recommendText(found.question, figure, system.of(figure).value);
        };
        words.chosen = recommendName(system) + ", " + system.point.server + ' ' + system.point.precision +
                       ", " + system.point.layout + ": " + text(RecommendFigure::Year) + " a year, " +
                       text(RecommendFigure::Token) + ", TTFT p99 " + text(RecommendFigure::FirstToken) +
                       (found.question.meanTpot ? ", mean TPOT " : ", TPOT p99 ") +
                       text(RecommendFigure::PerToken) + "; keeps them in " + percentOf(system.kept) +
                       " of the draws";
    } else {
        words.chosen =
            "none was found; the most that one keeps is " + percentOf(robust.most) + " of the draws";
    }
    if (robust.measurements.empty()) {
        words.measure = "No error alone changes which of these servers are the cheapest within limits.";
        return;
    }
    const auto& first = robust.measurements.front();
    words.measure = "Measure first: " + std::string(recommendInputText(first.input)) +
                    (first.name.empty() ? "" : " of " + first.name) +
                    ". Its error alone changes which of these servers are the cheapest within limits in " +
                    std::to_string(first.changed) + " of " + std::to_string(robust.draws) + " draws.";
}

std::string notesOf(const Recommendation& found) {
    const auto isList = [](const RecommendList& list) { return !list.systems.empty(); };
    const auto first = std::find_if(found.lists.begin(), found.lists.end(), isList);
    std::string notes;
    if (first != found.lists.end() && !found.question.rented) {
        const auto& cost = first->systems.front().design.cost;
        notes = "A year: price over " + plainText(cost.lifetime.value / units::year) +
                " years, and electricity at $" + shortText(cost.electricity.value * units::kWh, 2) + "/kWh. ";
    }
    if (std::any_of(found.lists.begin(), found.lists.end(),
                    [&](const auto& list) { return isList(list) && list.truth == Truth::Class; }))
        notes += "By the rule of a class no server software takes time of its own. ";
    if (std::count_if(found.lists.begin(), found.lists.end(), isList) > 1)
        notes += "The lists are not ranked against each other. ";
    return notes + "Prices, rents and powers are assumed where their parts say so. " +
           std::to_string(found.simulated.size()) + " designs simulated, of " + std::to_string(found.points) +
           " of the grid.";
}

} // namespace

std::string recommendName(const RecommendedSystem& system) {
    const bool isCounted = std::isdigit(static_cast<unsigned char>(system.name.front())); // "4 x HGX H100"
    return exactText(system.point.count) + " x " + (isCounted ? "(" + system.name + ")" : system.name);
}

RecommendWords recommendWords(const Recommendation& found, const Catalog& catalog) {
    const auto& question = found.question;
    RecommendWords words;
    words.asked = "What to " + std::string(question.rented ? "rent" : "buy") + " to serve " +
                  catalog.model(question.model, "model").name + " to " + plainText(question.users) +
                  (question.users == 1.0 ? " user, " : " users, ") + plainText(question.prompt) +
                  " tokens in and " + plainText(question.output) + " out.";
    words.terms =
        (question.ratio < 1.0 ? "Lengths are uniform from " + percentOf(question.ratio) + " of these. "
                              : std::string()) +
        "Users send one request after another without a pause.";
    words.limits = limitsText(question);
    for (const auto& list : found.lists)
        words.lists.push_back(listWords(found, list));
    putRobust(found, words);
    for (const auto& passed : found.passed) {
        const auto like = std::find_if(words.others.begin(), words.others.end(),
                                       [&](const auto& other) { return other.first == passed.why; });
        if (like == words.others.end())
            words.others.emplace_back(passed.why, passed.name);
        else
            like->second += "; " + passed.name;
    }
    words.notes = notesOf(found);
    return words;
}

std::string recommendCsv(const Recommendation& recommendation) {
    std::string text = "place,ready,servers,software,weights,layout,truth,kept,too_close";
    for (std::size_t i = 0; i < kRecommendFigures; ++i) {
        const auto key =
            std::string(recommendFigureSpec(static_cast<RecommendFigure>(i), recommendation.question).key);
        text += ',' + key + ',' + key + "_low," + key + "_high";
    }
    text += ",why\n";
    const auto name = [](const std::optional<Truth>& truth) {
        return truth ? std::string(truthName(*truth)) : std::string();
    };
    const auto add = [&](const std::string& place, const std::optional<Truth>& truth,
                         const RecommendedSystem& system) {
        text += place;
        for (const auto& cell :
             {system.ready, exactText(system.point.count), system.point.server, system.point.precision,
              system.point.layout, name(truth), exactText(system.kept), system.tooClose})
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
    for (const auto& list : recommendation.lists)
        for (std::size_t i = 0; i < list.systems.size(); ++i)
            add(std::to_string(i + 1), list.truth, list.systems[i]);
    if (recommendation.robust.system)
        add("robust", recommendation.robust.truth, *recommendation.robust.system);
    for (const auto& passed : recommendation.passed)
        text += "," + csvField(passed.ready.empty() ? passed.name : passed.ready) + ",,,,," +
                name(passed.truth) + std::string(3 + 3 * kRecommendFigures, ',') + csvField(passed.why) +
                '\n';
    return csvFile(text);
}

} // namespace heteroscape::engine
