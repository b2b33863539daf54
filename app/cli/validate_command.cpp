// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/cli/validate_metrics.h"
#include "app/cli/validate_serving.h"
#include "app/documents/validation_document.h"
#include "app/text_table.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/units/number_text.h"
#include "engine/validation/metric_validation.h"
#include "engine/validation/serving_validation.h"
#include "engine/validation/validation.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

void printValidated(const KernelValidation& validated) {
    auto header = validated.keys;
    for (const auto* column : {"rows", "median %", "p90 %", "bias %", "roofline %"})
        header.emplace_back(column);
    TextTable table(header);
    const auto add = [&](std::vector<std::string> cells, const ValidationGroup& group) {
        cells.push_back(std::to_string(group.rows));
        cells.push_back(percentText(group.medianPercent));
        cells.push_back(percentText(group.p90Percent));
        cells.push_back(percentText(group.biasPercent));
        cells.push_back(percentText(group.rooflinePercent));
        table.add(std::move(cells));
    };
    for (const auto& group : validated.groups)
        add(group.labels, group);
    table.print(std::cout);
    const auto answered = validated.all.empty() ? 0 : validated.all.front().rows;
    std::cout << '\n' << answered << " of " << validated.rows.size() << " measured kernels have an answer";
    if (answered > 0)
        std::cout << "; of all, predicted / measured - 1 is off by "
                  << percentText(validated.all.front().medianPercent) << "% (median), "
                  << percentText(validated.all.front().p90Percent)
                  << "% (90th percentile); a plain roofline by "
                  << percentText(validated.all.front().rooflinePercent) << "%";
    std::cout << ".\n";
    std::map<std::string, std::vector<const ValidatedRow*>> reasons;
    for (const auto& row : validated.rows)
        if (!row.answered())
            reasons[row.why].push_back(&row);
    for (const auto& [why, rows] : reasons)
        std::cout << "no answer for " << rows.size() << (rows.size() == 1 ? " row, " : " rows, first ")
                  << validated.place(*rows.front()) << ": " << why << '\n';
}

} // namespace

void addValidate(CLI::App& app) {
    struct Options {
        std::vector<std::string> measured;
        std::string by;
        std::string design, out, near;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    auto* command =
        app.add_subcommand("validate", "Hold kernel models and simulated servers against measurements");
    command
        ->add_option(
            "--measured", options->measured,
            "CSV in the columns of presets/measured/kernels.csv, experts.csv, "
            "attention.csv or serving/serving.csv (default: all), or of metrics of servers: device, count, "
            "model, weight_format, layout, framework, isl, osl, concurrency_or_batch, metric, "
            "measured")
        ->type_name("FILE");
    command->add_option("--by", options->by,
                        "Group errors of kernels by: " + joined(validationKeys()) +
                            " (default: op); of servers by: " + joined(servingKeys()) +
                            " (default: set, group); of metrics of servers by: " + joined(metricKeys()) +
                            " (default: kind,quantity)");
    command->add_flag("--json", options->json,
                      "One JSON document: measured, predicted (us; of servers ms) and bound of every row");
    auto* design =
        command->add_option("--design", options->design,
                            "Write the server of the row with this id (of metrics: its LINE, or FILE:LINE) "
                            "as a design, with --out");
    auto* out = command->add_option("--out", options->out, "The design's file (.hscape)")
                    ->type_name("FILE")
                    ->needs(design);
    design->needs(out);
    command
        ->add_option(
            "--near", options->near,
            "Tell the published runs of servers that are nearest to this design (a preset or file): of its "
            "model and GPUs, by users, devices, lengths, software and weights")
        ->type_name("DESIGN")
        ->excludes(design);
    command->callback([options] {
        const auto keys = CLI::detail::split(options->by, ',');
        const auto own = options->by.empty() ? std::vector<std::string>{} : keys;
        const auto [kernels, servers, metrics] = measuredFiles(catalog(), options->measured, own);
        if (!options->design.empty()) {
            if (!writeServedDesign(servers, options->design, options->out) &&
                !writeMetricDesign(metrics, options->design, options->out))
                throw Error(ErrorCode::NotFound, "--design",
                            "no row has the id \"" + options->design.substr(0, 120) + "\"",
                            "Ids stand in the first column, of metrics they are lines: validate --measured "
                            "FILE --json lists them");
            return;
        }
        if (!options->near.empty()) {
            const auto near = nearRuns(catalog(), scenarioFrom(options->near, {}), servers);
            return options->json ? printJson(nearJson(near)) : printNear(near);
        }
        if (options->json)
            return printJson(validationJson(catalog(), {kernels, servers, metrics}, own));
        const char* between = "";
        const auto tell = [&](const std::vector<std::string>& files, const auto& print) {
            if (files.empty())
                return;
            std::cout << between;
            between = "\n";
            print();
        };
        tell(kernels, [&] { printValidated(validatedKernels(catalog(), kernels, own)); });
        tell(servers, [&] { printServing(validatedServers(catalog(), servers, own), own); });
        tell(metrics, [&] { printMetrics(validatedMetrics(catalog(), metrics, own), own); });
    });
}

} // namespace heteroscape::cli
