// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/documents/frontier_document.h"
#include "app/text_table.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"
#include "engine/scenario/scenario_json.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct FrontierOptions {
    std::string definition;
    FrontierWishes wishes;
    std::vector<std::string> systems; ///< "name=design", beside the definition's
    std::string csv;
    int jobs = 0;
    bool json = false, all = false, measured = false;
    std::optional<std::size_t> design; ///< a point that is written as a design
    std::string out;
};

std::string cellText(double value) {
    return std::isfinite(value) ? shortText(value, 4) : std::string("-");
}

std::vector<std::string> pointCells(const ComputedFrontier& computed, std::size_t ordinal) {
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
void addNamed(FrontierDefinition& definition, const std::string& text) {
    const auto equals = text.find('=');
    const bool named = equals != std::string::npos;
    addSystem(definition, named ? text.substr(0, equals) : std::string(),
              scenarioFrom(named ? text.substr(equals + 1) : text, {}), text);
}

/// What is asked for, with what the options change of it.
FrontierDefinition definitionOf(const FrontierOptions& options) {
    auto definition = findFrontier(catalog(), options.definition);
    putWishes(definition, options.wishes);
    for (const auto& text : options.systems)
        addNamed(definition, text);
    return definition;
}

void printMeasured(const ComputedFrontier& computed) {
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
    auto definition = definitionOf(options);
    if (options.design)
        return writeDesign(options, definition, GpuServers(parts, shippedKernels()));
    const auto computed = computeFrontier(std::move(definition), parts, options.jobs, options.measured);
    const auto& [defined, points, fronts, front, details, measured] = computed;
    if (!options.csv.empty())
        writeFileAtomically(options.csv, frontierCsv(defined, points, front, details, measured));
    if (options.json) {
        printJson(frontierJson(computed, options.all, options.measured));
        return;
    }
    const auto& shown = defined.shown;
    const auto per = std::string(frontierAxisNames()[static_cast<std::size_t>(shown.axis)]);
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
    for (std::size_t i = 0; i < defined.systems.size(); ++i) {
        const auto isShort = [i](const FrontierPoint& point) {
            return point.system == i && !point.answered();
        };
        const auto count = std::count_if(points.begin(), points.end(), isShort);
        if (count > 0)
            std::cout << defined.systems[i].name << ": no answer for " << count
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
    command->add_option("--per", options->wishes.per,
                        "What tok/s are held against: " + joined(frontierAxisNames()) +
                            " (total: prompt and output tokens a device; budget: all replicas that it buys; "
                            "default: the definition's)");
    command->add_option("--against", options->wishes.against,
                        "What lies along: " + joined(frontierAlongNames()) +
                            " (tok/s of a user, median time to first token, price of a replica; default: the "
                            "definition's)");
    command->add_option("--load", options->wishes.load,
                        "What users are for designs: " + joined(frontierLoadNames()) +
                            " (one batch of so many in steady state, or simulated in a closed loop; default: "
                            "the definition's)");
    command
        ->add_option("--system", options->systems,
                     "One more system, of your own: NAME=FILE.hscape, or the id of a preset")
        ->type_name("DESIGN");
    command->add_option("--users", options->wishes.users, "Users, such as 1,8,64 (default: the definition's)")
        ->delimiter(',')
        ->check(CLI::Range(1.0, kMostFrontierUsers));
    command->add_option("--ttft", options->wishes.ttft,
                        "Limit on the median time to first token, s (0: none; default: the definition's)");
    command
        ->add_option("--tpot", options->wishes.tpot,
                     "Limit on the mean time per output token, ms (0: none; default: the definition's)")
        ->check(CLI::NonNegativeNumber);
    command
        ->add_option("--price", options->wishes.price,
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
