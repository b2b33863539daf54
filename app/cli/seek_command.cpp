// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/parameters.h"
#include "engine/search/goal_seek.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct SeekOptions {
    std::string design;
    std::string model; ///< file
    std::vector<std::string> settings;
    std::vector<std::string> limits;
    GoalSeek seek;
    std::string csv;
    bool json = false;
};

Json soughtJson(const SeekOptions& options, const Sought& sought) {
    Json json = {{"path", options.seek.path},     {"found", sought.found},
                 {"value", number(sought.value)}, {"next", number(sought.next)},
                 {"broken", sought.broken},       {"evaluations", sought.evaluations}};
    for (const auto& spec : metricSpecs())
        if (const double value = toEdge(sought.evaluation.metric(spec.metric), spec.scale);
            !std::isnan(value))
            json["metrics"][std::string(spec.key)] = value;
    return json;
}

void runSeek(SeekOptions& options, int& exitCode) {
    for (const auto& limit : options.limits)
        options.seek.limits.push_back(parseLimit(limit));
    const auto scenario = scenarioFrom(options.design, options.settings, options.model);
    std::stop_source stop;
    const InterruptStops interrupt(stop);
    const auto sought = seekValue(scenario, options.seek, stop.get_token());
    const auto unit = resolveQuantity(scenario, options.seek.path).spec.unit;
    const auto valueText = [&](double value) {
        return exactText(value) + (unit.empty() ? "" : " ") + std::string(unit);
    };
    exitCode = sought.found ? kDone : kBadInput;
    if (!options.csv.empty()) {
        std::string text = options.seek.path + ",found,next\n" + exactText(sought.value) + "," +
                           (sought.found ? "yes" : "no") + "," +
                           (std::isnan(sought.next) ? std::string() : exactText(sought.next)) + "\n";
        writeFileAtomically(options.csv, text);
    }
    if (options.json) {
        printJson(soughtJson(options, sought));
    } else if (sought.found) {
        std::cout << options.seek.path << " = " << valueText(sought.value) << '\n';
        if (std::isnan(sought.next))
            std::cout << "The end of the range keeps all limits.\n";
        else
            std::cout << "At the next, " << valueText(sought.next) << ": " << sought.broken << '\n';
    } else {
        std::cout << "No value meets the limits. Nearest, at " << valueText(sought.value) << ": "
                  << sought.broken << '\n';
    }
}

} // namespace

void addSeek(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<SeekOptions>();
    auto* command = app.add_subcommand(
        "seek", "Find the least (or largest) value of a parameter that meets limits, to the last digit");
    command->add_option("design", options->design, "Preset id or .hscape file")->required();
    command
        ->add_option("path", options->seek.path,
                     "The parameter: workload.batch, links.ID.bandwidth_gbps, ...")
        ->required();
    command
        ->add_option("--limit", options->limits,
                     "What is to be met: \"tpot_s<=0.05\", \"throughput_tok_s>=50\"")
        ->required()
        ->type_name("LIMIT");
    command->add_flag("--largest", options->seek.largest,
                      "The largest value that keeps the limits, not the least");
    command->add_option("--from", options->seek.from, "Not below this value");
    command->add_option("--to", options->seek.to, "Not above this value");
    addModelOption(*command, options->model);
    command->add_option("--set", options->settings, "Set a parameter: path=value")->type_name("PATH=VALUE");
    command->add_option("--csv", options->csv, "Write the answer to a file");
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options, &exitCode] { runSeek(*options, exitCode); });
}

} // namespace heteroscape::cli
