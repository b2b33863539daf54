// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/frontier_document.h"

#include "app/documents/number.h"

#include "engine/base/error.h"
#include "engine/base/parallel.h"
#include "engine/catalog/named.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/number_text.h"

#include <nlohmann/json.hpp>

#include <array>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

/// What a point with an answer reaches.
struct Column {
    std::string_view key, unit;
    double (*value)(const FrontierPoint& point);
};
constexpr std::array<Column, 12> kColumns{{
    {"output_tok_s_per_device", "tok/s", [](const auto& point) { return point.rates.outputPerDevice; }},
    {"total_tok_s_per_device", "tok/s", [](const auto& point) { return point.rates.totalPerDevice; }},
    {"output_tok_s_per_usd", "tok/s/$",
     [](const auto& point) { return frontierValue(point, FrontierAxis::Dollar); }},
    {"output_tok_s_per_watt", "tok/s/W",
     [](const auto& point) { return frontierValue(point, FrontierAxis::Watt); }},
    {"tok_s_per_user", "tok/s", [](const auto& point) { return point.rates.perUser; }},
    {"tok_s_per_user_p50", "tok/s", [](const auto& point) { return point.rates.perUserMedian; }},
    {"ttft_s", "s", [](const auto& point) { return point.ttft; }},
    {"ttft_p50_s", "s", [](const auto& point) { return point.ttftMedian; }},
    {"price_usd", "$", [](const auto& point) { return point.price; }},
    {"power_w", "W", [](const auto& point) { return point.watts; }},
    {"copies", "", [](const auto& point) { return point.replicas; }},
    {"budget_output_tok_s", "tok/s",
     [](const auto& point) { return frontierValue(point, FrontierAxis::Budget); }},
}};

Json limitJson(double limit) {
    return limit > 0 ? number(limit) : Json(nullptr);
}

Json pointJson(const ComputedFrontier& computed, std::size_t ordinal) {
    const auto& point = computed.points[ordinal];
    const auto& definition = computed.definition;
    const bool apart = point.plan.prefill.has_value();
    Json json = {{"point", ordinal},
                 {"system", definition.systems[point.system].name},
                 {"layout", point.layout},
                 {"server", point.server.empty() ? Json(nullptr) : Json(point.server)},
                 {"precision", point.precision.empty() ? Json(nullptr) : Json(point.precision)},
                 {"users", number(point.users)},
                 {"devices", number(point.devices)},
                 {"prefill_workers", apart ? number(point.plan.prefill->count) : Json(nullptr)},
                 {"decode_workers", apart ? number(point.plan.workers.count) : Json(nullptr)}};
    if (!point.answered()) {
        json["why"] = point.why;
        return json;
    }
    json["front"] = static_cast<bool>(computed.front[ordinal]);
    for (const auto& column : kColumns)
        json[std::string(column.key)] = number(column.value(point));
    if (const auto detail = computed.details.find(ordinal); detail != computed.details.end()) {
        json["rate_expected_error_pct"] = number(detail->second.rate.percent);
        json["speed_expected_error_pct"] = number(detail->second.speed.percent);
        json["bottleneck"] = detail->second.bottleneck;
        if (!truthRemark(detail->second.truth).empty() || truthsOf(computed.details).areMixed())
            json["truth"] = truthName(detail->second.truth);
    }
    return json;
}

Json measuredJson(const FrontierDefinition& definition, const FrontierMeasured& measured) {
    const auto& point = measured.point;
    return {{"id", measured.id},
            {"system", definition.systems[point.system].name},
            {"server", point.server},
            {"precision", point.precision},
            {"layout", point.layout},
            {"users", number(point.users)},
            {"devices", number(point.devices)},
            {"prompt_tokens", number(measured.prompt)},
            {"output_tokens", number(measured.output)},
            {"output_tok_s_per_device", number(point.rates.outputPerDevice)},
            {"tok_s_per_user", number(point.rates.perUser)},
            {"ttft_s", number(point.ttft)}};
}

} // namespace

std::map<std::string, std::string> frontierUnits() {
    std::map<std::string, std::string> units;
    for (const auto& column : kColumns)
        if (!column.unit.empty())
            units.emplace(column.key, column.unit);
    return units;
}

void putWishes(FrontierDefinition& definition, const FrontierWishes& wishes) {
    auto& shown = definition.shown;
    const auto choose = [](auto& into, const std::string& name, const auto& names, const char* option) {
        if (!name.empty())
            into = static_cast<std::remove_reference_t<decltype(into)>>(indexOfName(name, names, option));
    };
    choose(shown.axis, wishes.per, frontierAxisNames(), "--per");
    choose(shown.along, wishes.against, frontierAlongNames(), "--against");
    choose(definition.load, wishes.load, frontierLoadNames(), "--load");
    if (wishes.ttft >= 0)
        shown.limits.ttft = wishes.ttft;
    if (wishes.tpot >= 0)
        shown.limits.timePerToken = wishes.tpot / 1e3;
    if (wishes.price >= 0)
        shown.limits.price = wishes.price;
    for (const double users : wishes.users)
        if (!(users >= 1.0 && users <= kMostFrontierUsers))
            throwInvalid("--users", exactText(users) + " is outside of its range",
                         "Give 1 to " + exactText(kMostFrontierUsers));
    if (!wishes.users.empty())
        definition.users = wishes.users;
}

void addSystem(FrontierDefinition& definition, std::string name, Scenario design, const std::string& text) {
    FrontierSystem system;
    system.name = name.empty() && text.find('=') == std::string::npos ? design.name : std::move(name);
    system.open = std::make_shared<const Scenario>(std::move(design));
    for (const auto& other : definition.systems)
        if (system.name.empty() || other.name == system.name)
            throwInvalid("--system " + text.substr(0, 200),
                         system.name.empty() ? "the design has no name"
                                             : "there is a system of that name already",
                         "Give it another one: --system NAME=" +
                             text.substr(text.find('=') == std::string::npos ? 0 : text.find('=') + 1));
    definition.systems.push_back(std::move(system));
}

ComputedFrontier computeFrontier(FrontierDefinition definition, const Catalog& catalog, int jobs,
                                 bool measured, const std::stop_token& stop) {
    const GpuServers servers(catalog, shippedKernels());
    ComputedFrontier computed{std::move(definition), {}, {}, {}, {}, {}};
    const int threads = jobs > 0 ? jobs : coreCount();
    computed.points = frontierPoints(computed.definition, catalog, servers, threads, stop);
    if (stop.stop_requested())
        return computed;
    computed.front.resize(computed.points.size());
    const auto& shown = computed.definition.shown;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < computed.definition.systems.size(); ++i) {
        const bool off = shown.off.contains(computed.definition.systems[i].name);
        computed.fronts.push_back(
            off ? std::vector<std::size_t>()
                : frontierFront(computed.points, i, shown.axis, shown.limits, shown.along));
        for (const auto place : computed.fronts.back()) {
            computed.front[place] = true;
            places.push_back(place);
        }
    }
    const auto details =
        frontierDetails(computed.points, places, computed.definition, catalog, servers, threads, stop);
    for (std::size_t i = 0; i < places.size(); ++i)
        computed.details[places[i]] = details[i];
    if (measured)
        computed.measured = frontierMeasured(computed.definition, catalog, servers);
    return computed;
}

Json frontierJson(const ComputedFrontier& computed, bool all, bool measured) {
    const auto& definition = computed.definition;
    const auto& shown = definition.shown;
    Json list = Json::array(), rows = Json::array();
    for (std::size_t i = 0; i < computed.points.size(); ++i)
        if (all || computed.front[i] || !computed.points[i].answered())
            list.push_back(pointJson(computed, i));
    for (const auto& row : computed.measured)
        rows.push_back(measuredJson(definition, row));
    Json json = {{"frontier", definition.id},
                 {"model", definition.model},
                 {"prompt_tokens", number(definition.prompt)},
                 {"output_tokens", number(definition.output)},
                 {"per", frontierAxisNames()[static_cast<std::size_t>(shown.axis)]},
                 {"against", frontierAlongNames()[static_cast<std::size_t>(shown.along)]},
                 {"design_load", frontierLoadNames()[static_cast<std::size_t>(definition.load)]},
                 {"ttft_limit_s", limitJson(shown.limits.ttft)},
                 {"tpot_limit_s", limitJson(shown.limits.timePerToken)},
                 {"price_limit_usd", limitJson(shown.limits.price)},
                 {"simulated", computed.points.size()},
                 {"points", std::move(list)}};
    if (measured)
        json["measured"] = std::move(rows);
    return json;
}

} // namespace heteroscape::cli
