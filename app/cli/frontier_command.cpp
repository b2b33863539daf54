// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/text_table.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/parallel.h"
#include "engine/catalog/named.h"
#include "engine/frontier/frontier.h"
#include "engine/scenario/scenario_json.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <type_traits>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct FrontierOptions {
    std::string definition;
    std::string per, against;         ///< empty: the definition's
    std::vector<std::string> systems; ///< "name=design", beside the definition's
    std::string csv;
    double ttft = -1.0, tpot = -1.0, price = -1.0; ///< s, ms, $; 0: no limit; below 0: the definition's
    std::vector<double> users;                     ///< empty: the definition's
    std::string load;
    int jobs = 0;
    bool json = false, all = false, measured = false;
    std::optional<std::size_t> design; ///< a point that is written as a design
    std::string out;
};

Json limitJson(double limit) {
    return limit > 0 ? number(limit) : Json(nullptr);
}

/// What is computed, and what of it is on a front.
struct Computed {
    FrontierDefinition definition;
    std::vector<FrontierPoint> points;
    std::vector<std::vector<std::size_t>> fronts;  ///< of each system
    std::vector<bool> front;                       ///< parallel to the points
    std::map<std::size_t, FrontierDetail> details; ///< of those on fronts
    std::vector<FrontierMeasured> measured;
};

Json pointJson(const Computed& computed, std::size_t ordinal) {
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
    json["output_tok_s_per_device"] = number(point.rates.outputPerDevice);
    json["total_tok_s_per_device"] = number(point.rates.totalPerDevice);
    json["output_tok_s_per_usd"] = number(frontierValue(point, FrontierAxis::Dollar));
    json["output_tok_s_per_watt"] = number(frontierValue(point, FrontierAxis::Watt));
    json["tok_s_per_user"] = number(point.rates.perUser);
    json["tok_s_per_user_p50"] = number(point.rates.perUserMedian);
    json["ttft_s"] = number(point.ttft);
    json["ttft_p50_s"] = number(point.ttftMedian);
    json["price_usd"] = number(point.price);
    json["power_w"] = number(point.watts);
    json["copies"] = number(point.replicas);
    json["budget_output_tok_s"] = number(frontierValue(point, FrontierAxis::Budget));
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

std::string cellText(double value) {
    return std::isfinite(value) ? shortText(value, 4) : std::string("-");
}

std::vector<std::string> pointCells(const Computed& computed, std::size_t ordinal) {
    const auto& point = computed.points[ordinal];
    const auto& shown = computed.definition.shown;
    std::vector<std::string> cells{computed.definition.systems[point.system].name,
                                   point.server.empty() ? "-" : point.server,
                                   point.precision.empty() ? "-" : point.precision,
                                   point.layout,
                                   exactText(point.users),
                                   cellText(frontierValue(point, shown.axis)),
                                   cellText(point.rates.perUser),
                                   cellText(point.ttftMedian)};
    if (shown.along == FrontierAlong::Price)
        cells.push_back(cellText(point.price));
    const auto detail = computed.details.find(ordinal);
    const auto error = detail == computed.details.end() ? ExpectedError() : detail->second.rate;
    cells.push_back(std::isfinite(error.percent) ? "\u00b1" + shortText(error.percent, 2) + " %" : "-");
    if (truthsOf(computed.details).areMixed())
        cells.emplace_back(detail == computed.details.end() ? "-" : truthName(detail->second.truth));
    return cells;
}

/// Writes the design of one point, without computing the others.
void writeDesign(const FrontierOptions& options, const FrontierDefinition& definition,
                 const GpuServers& servers) {
    const auto points = frontierGrid(definition, catalog(), servers);
    if (*options.design >= points.size())
        throw Error(ErrorCode::InvalidInput, "--design",
                    "there is no point " + std::to_string(*options.design),
                    "Points are 0 to " + std::to_string(points.size() - 1) + ": --json --all lists them");
    saveScenario(frontierScenario(definition, points[*options.design], catalog(), servers), options.out);
}

/// "mine=mine.hscape", or a design alone: it goes by its own name then.
void addSystem(FrontierDefinition& definition, const std::string& text) {
    const auto equals = text.find('=');
    const bool named = equals != std::string::npos;
    FrontierSystem system;
    system.open = std::make_shared<const Scenario>(scenarioFrom(named ? text.substr(equals + 1) : text, {}));
    system.name = named ? text.substr(0, equals) : system.open->name;
    for (const auto& other : definition.systems)
        if (system.name.empty() || other.name == system.name)
            throwInvalid("--system " + text.substr(0, 200),
                         system.name.empty() ? "the design has no name"
                                             : "there is a system of that name already",
                         "Give it another one: --system NAME=" + (named ? text.substr(equals + 1) : text));
    definition.systems.push_back(std::move(system));
}

/// What is asked for, with what the options change of it.
FrontierDefinition definitionOf(const FrontierOptions& options) {
    auto definition = findFrontier(catalog(), options.definition);
    auto& shown = definition.shown;
    const auto choose = [](auto& into, const std::string& name, const auto& names, const char* option) {
        if (!name.empty())
            into = static_cast<std::remove_reference_t<decltype(into)>>(indexOfName(name, names, option));
    };
    choose(shown.axis, options.per, frontierAxisNames(), "--per");
    choose(shown.along, options.against, frontierAlongNames(), "--against");
    choose(definition.load, options.load, frontierLoadNames(), "--load");
    if (options.ttft >= 0)
        shown.limits.ttft = options.ttft;
    if (options.tpot >= 0)
        shown.limits.timePerToken = options.tpot / 1e3;
    if (options.price >= 0)
        shown.limits.price = options.price;
    if (!options.users.empty())
        definition.users = options.users;
    for (const auto& text : options.systems)
        addSystem(definition, text);
    return definition;
}

/// No points where one was written as a design.
Computed compute(const FrontierOptions& options, FrontierDefinition definition) {
    const auto& parts = catalog();
    const GpuServers servers(parts, shippedKernels());
    Computed computed{std::move(definition), {}, {}, {}, {}, {}};
    if (options.design) {
        writeDesign(options, computed.definition, servers);
        return computed;
    }
    const int threads = options.jobs > 0 ? options.jobs : coreCount();
    computed.points = frontierPoints(computed.definition, parts, servers, threads);
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
        frontierDetails(computed.points, places, computed.definition, parts, servers, threads);
    for (std::size_t i = 0; i < places.size(); ++i)
        computed.details[places[i]] = details[i];
    if (options.measured)
        computed.measured = frontierMeasured(computed.definition, parts, servers);
    return computed;
}

void printMeasured(const Computed& computed) {
    if (computed.measured.empty()) {
        std::cout << "\nNo shipped measurement is of these servers, this model and these lengths.\n";
        return;
    }
    std::cout << "\nMeasured; the rate follows from users and their measured times:\n";
    TextTable table({"system", "server", "weights", "layout", "users", "tok/s per device", "tok/s/user",
                     "TTFT s", "row"});
    for (const auto& [id, prompt, output, point] : computed.measured)
        table.add({computed.definition.systems[point.system].name, point.server, point.precision,
                   point.layout, exactText(point.users), cellText(point.rates.outputPerDevice),
                   cellText(point.rates.perUser), cellText(point.ttft), id});
    table.print(std::cout);
}

void runFrontier(const FrontierOptions& options) {
    const auto& parts = catalog();
    if (options.definition.empty()) {
        TextTable table({"frontier", "name"});
        for (const auto& id : shippedFrontiers(parts.folder))
            table.add({id, findFrontier(parts, id).name});
        table.print(std::cout);
        return;
    }
    const auto computed = compute(options, definitionOf(options));
    const auto& [definition, points, fronts, front, details, measured] = computed;
    if (options.design) // is written
        return;
    if (!options.csv.empty())
        writeFileAtomically(options.csv, frontierCsv(definition, points, front, details, measured));
    const auto& shown = definition.shown;
    const auto per = std::string(frontierAxisNames()[static_cast<std::size_t>(shown.axis)]);
    if (options.json) {
        Json list = Json::array(), rows = Json::array();
        for (std::size_t i = 0; i < points.size(); ++i)
            if (options.all || front[i] || !points[i].answered())
                list.push_back(pointJson(computed, i));
        for (const auto& row : measured)
            rows.push_back(measuredJson(definition, row));
        Json json = {{"frontier", definition.id},
                     {"model", definition.model},
                     {"prompt_tokens", number(definition.prompt)},
                     {"output_tokens", number(definition.output)},
                     {"per", per},
                     {"against", frontierAlongNames()[static_cast<std::size_t>(shown.along)]},
                     {"design_load", frontierLoadNames()[static_cast<std::size_t>(definition.load)]},
                     {"ttft_limit_s", limitJson(shown.limits.ttft)},
                     {"tpot_limit_s", limitJson(shown.limits.timePerToken)},
                     {"price_limit_usd", limitJson(shown.limits.price)},
                     {"simulated", points.size()},
                     {"points", std::move(list)}};
        if (options.measured)
            json["measured"] = std::move(rows);
        printJson(json);
        return;
    }
    std::vector<std::string> heads{"system", "server",           "weights",    "layout",
                                   "users",  "tok/s per " + per, "tok/s/user", "TTFT p50 s"};
    if (shown.along == FrontierAlong::Price)
        heads.emplace_back("price $");
    heads.emplace_back("expected error");
    const auto truths = truthsOf(details);
    if (truths.areMixed())
        heads.emplace_back("truth");
    TextTable table(heads);
    for (const auto& places : fronts)
        for (const auto place : places)
            table.add(pointCells(computed, place));
    table.print(std::cout);
    if (options.measured)
        printMeasured(computed);
    std::cout << '\n'
              << points.size() << " points; listed are those that no other of their system beats in both.\n";
    std::cout << truths.remarks();
    for (std::size_t i = 0; i < definition.systems.size(); ++i) {
        const auto isShort = [i](const FrontierPoint& point) {
            return point.system == i && !point.answered();
        };
        const auto count = std::count_if(points.begin(), points.end(), isShort);
        if (count > 0)
            std::cout << definition.systems[i].name << ": no answer for " << count
                      << (count == 1 ? " point: " : " points, first: ")
                      << std::find_if(points.begin(), points.end(), isShort)->why << '\n';
    }
}

} // namespace

void addFrontier(CLI::App& app) {
    auto options = std::make_shared<FrontierOptions>();
    auto* command = app.add_subcommand(
        "frontier", "Throughput a device against interactivity, over layouts, users, formats and servers");
    command->add_option(
        "definition", options->definition,
        "Id of a shipped frontier, a .json file, or a design that keeps one; without: which there are");
    command->add_option("--per", options->per,
                        "What tok/s are held against: " + joined(frontierAxisNames()) +
                            " (total: prompt and output tokens a device; budget: all replicas that it buys; "
                            "default: the definition's)");
    command->add_option("--against", options->against,
                        "What lies along: " + joined(frontierAlongNames()) +
                            " (tok/s of a user, median time to first token, price of a replica; default: the "
                            "definition's)");
    command->add_option("--load", options->load,
                        "What users are for designs: " + joined(frontierLoadNames()) +
                            " (one batch of so many in steady state, or simulated in a closed loop; default: "
                            "the definition's)");
    command
        ->add_option("--system", options->systems,
                     "One more system, of your own: NAME=FILE.hscape, or the id of a preset")
        ->type_name("DESIGN");
    command->add_option("--users", options->users, "Users, such as 1,8,64 (default: the definition's)")
        ->delimiter(',')
        ->check(CLI::Range(1.0, kMostFrontierUsers));
    command->add_option("--ttft", options->ttft,
                        "Limit on the median time to first token, s (0: none; default: the definition's)");
    command
        ->add_option("--tpot", options->tpot,
                     "Limit on the mean time per output token, ms (0: none; default: the definition's)")
        ->check(CLI::NonNegativeNumber);
    command
        ->add_option("--price", options->price,
                     "Limit on the price of one replica, $ (0: none; default: the definition's)")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--csv", options->csv, "Write all points here")->type_name("FILE");
    auto* out = command->add_option("--out", options->out, "File for --design")->type_name("FILE");
    command
        ->add_option("--design", options->design, "Write this point (of --json --all) as a design to --out")
        ->needs(out);
    command->add_option("--jobs", options->jobs, "Threads (default: one for each core)")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--measured", options->measured,
                      "Shipped measurements of these servers, model and lengths beside them");
    command->add_flag("--all", options->all, "With --json: all points, not the fronts alone");
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] { runFrontier(*options); });
}

} // namespace heteroscape::cli
