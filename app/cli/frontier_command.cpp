// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/text_table.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/parallel.h"
#include "engine/catalog/named.h"
#include "engine/frontier/frontier.h"
#include "engine/frontier/frontier_csv.h"
#include "engine/scenario/scenario_json.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <optional>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct FrontierOptions {
    std::string definition;
    std::string per = "device";
    std::string csv;
    double ttft = -1.0; ///< s; below 0: the definition's
    double tpot = 0.0;  ///< ms; 0: no limit
    double price = 0.0; ///< $
    int jobs = 0;
    bool json = false, all = false;
    std::optional<std::size_t> design; ///< a point that is written as a design
    std::string out;
};

Json limitJson(double limit) {
    return limit > 0 ? number(limit) : Json(nullptr);
}

Json pointJson(const FrontierDefinition& definition, const FrontierPoint& point, std::size_t ordinal,
               bool front) {
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
    json["front"] = front;
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
    json["copies"] = number(point.copies);
    json["budget_output_tok_s"] = number(frontierValue(point, FrontierAxis::Budget));
    return json;
}

std::vector<std::string> pointCells(const FrontierDefinition& definition, const FrontierPoint& point,
                                    FrontierAxis axis) {
    const auto text = [](double value) {
        return std::isfinite(value) ? shortText(value, 4) : std::string("-");
    };
    return {definition.systems[point.system].name,
            point.server.empty() ? "-" : point.server,
            point.precision.empty() ? "-" : point.precision,
            point.layout,
            exactText(point.users),
            text(frontierValue(point, axis)),
            text(point.rates.perUser),
            text(point.ttftMedian)};
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

void runFrontier(const FrontierOptions& options) {
    const auto& parts = catalog();
    if (options.definition.empty()) {
        TextTable table({"frontier", "name"});
        for (const auto& id : shippedFrontiers(parts.folder))
            table.add({id, findFrontier(parts.folder, id).name});
        table.print(std::cout);
        return;
    }
    const auto axis = static_cast<FrontierAxis>(indexOfName(options.per, frontierAxisNames(), "--per"));
    const auto definition = findFrontier(parts.folder, options.definition);
    const FrontierLimits limits(options.ttft >= 0 ? options.ttft : definition.ttftLimit, options.tpot / 1e3,
                                options.price);
    const GpuServers servers(parts, shippedKernels());
    if (options.design)
        return writeDesign(options, definition, servers);
    const auto points =
        frontierPoints(definition, parts, servers, options.jobs > 0 ? options.jobs : coreCount());
    std::vector<char> front(points.size(), 0);
    std::vector<std::vector<std::size_t>> fronts;
    for (std::size_t i = 0; i < definition.systems.size(); ++i) {
        fronts.push_back(frontierFront(points, i, axis, limits));
        for (const auto place : fronts.back())
            front[place] = 1;
    }
    if (!options.csv.empty())
        writeFileAtomically(options.csv, frontierCsv(definition, points, {front.begin(), front.end()}));
    if (options.json) {
        Json list = Json::array();
        for (std::size_t i = 0; i < points.size(); ++i)
            if (options.all || front[i] != 0 || !points[i].answered())
                list.push_back(pointJson(definition, points[i], i, front[i] != 0));
        printJson({{"frontier", definition.id},
                   {"model", definition.model},
                   {"prompt_tokens", number(definition.prompt)},
                   {"output_tokens", number(definition.output)},
                   {"per", options.per},
                   {"ttft_limit_s", limitJson(limits.ttft)},
                   {"tpot_limit_s", limitJson(limits.timePerToken)},
                   {"price_limit_usd", limitJson(limits.price)},
                   {"simulated", points.size()},
                   {"points", std::move(list)}});
        return;
    }
    TextTable table({"system", "server", "weights", "layout", "users", "tok/s per " + options.per,
                     "tok/s/user", "TTFT p50 s"});
    for (const auto& places : fronts)
        for (const auto place : places)
            table.add(pointCells(definition, points[place], axis));
    table.print(std::cout);
    std::cout << '\n'
              << points.size() << " points; listed are those that no other of their system beats in both.\n";
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
    command->add_option("definition", options->definition,
                        "Id of a shipped frontier or a .json file; without: which there are");
    command->add_option("--per", options->per,
                        "What tok/s are held against: " + joined(frontierAxisNames()) +
                            " (total: prompt and output tokens a device; budget: all copies that it buys; "
                            "default: device)");
    command->add_option("--ttft", options->ttft,
                        "Limit on the median time to first token, s (0: none; default: the definition's)");
    command
        ->add_option("--tpot", options->tpot, "Limit on the mean time per output token, ms (default: none)")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--price", options->price, "Limit on the price of one copy, $ (default: none)")
        ->check(CLI::NonNegativeNumber);
    command->add_option("--csv", options->csv, "Write all points here")->type_name("FILE");
    auto* out = command->add_option("--out", options->out, "File for --design")->type_name("FILE");
    command
        ->add_option("--design", options->design, "Write this point (of --json --all) as a design to --out")
        ->needs(out);
    command->add_option("--jobs", options->jobs, "Threads (default: one for each core)")
        ->check(CLI::Range(1, 1024));
    command->add_flag("--all", options->all, "With --json: all points, not the fronts alone");
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] { runFrontier(*options); });
}

} // namespace heteroscape::cli
