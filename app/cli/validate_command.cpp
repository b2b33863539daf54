// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/cli/validate_metrics.h"
#include "app/cli/validate_serving.h"
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

struct Validated {
    std::vector<MeasuredTable> tables;
    std::vector<std::string> keys;
    std::vector<ValidatedRow> rows;
    std::vector<ValidationGroup> groups;
    std::vector<ValidationGroup> all; ///< one group of all, none where no row has an answer

    std::string place(const ValidatedRow& row) const {
        return tables[row.table].name + ":" + std::to_string(row.row->line());
    }
};

Json groupJson(const Validated& validated, const ValidationGroup& group) {
    Json json = {{"rows", group.rows},
                 {"median_percent", number(group.medianPercent)},
                 {"p90_percent", number(group.p90Percent)},
                 {"bias_percent", number(group.biasPercent)},
                 {"roofline_median_percent", number(group.rooflinePercent)}};
    for (std::size_t i = 0; i < group.labels.size(); ++i)
        json[validated.keys[i]] = group.labels[i];
    return json;
}

Json rowJson(const Validated& validated, const ValidatedRow& row) {
    Json json = {{"file", validated.tables[row.table].name},
                 {"line", row.row->line()},
                 {"measured", number(row.measuredUs)}};
    for (const auto* key : {"op", "device", "framework", "precision"})
        json[key] = validationLabel(row, key);
    for (const auto& key : validated.keys)
        json[key] = validationLabel(row, key);
    if (!row.answered()) {
        json["why"] = row.why;
        return json;
    }
    json["predicted"] = number(row.predictedUs);
    json["error"] = number(row.error());
    json["bound"] = kernelBoundName(row.bound);
    json["roofline"] = number(row.rooflineUs);
    return json;
}

Json validatedJson(const Validated& validated) {
    Json files = Json::array(), rows = Json::array(), unanswered = Json::array(), groups = Json::array();
    for (const auto& table : validated.tables)
        files.push_back({{"file", table.name}, {"rows", table.rows.size()}});
    for (const auto& row : validated.rows)
        (row.answered() ? rows : unanswered).push_back(rowJson(validated, row));
    for (const auto& group : validated.groups)
        groups.push_back(groupJson(validated, group));
    Json json = {{"unit", "us"},
                 {"files", std::move(files)},
                 {"by", validated.keys},
                 {"groups", std::move(groups)},
                 {"rows", std::move(rows)},
                 {"unanswered", std::move(unanswered)}};
    if (!validated.all.empty())
        json["all"] = groupJson(validated, validated.all.front());
    return json;
}

void printValidated(const Validated& validated) {
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

Validated validatedKernels(const std::vector<std::string>& files, const std::vector<std::string>& keys) {
    Validated validated;
    validated.keys = keys;
    groupErrors({}, validated.keys); // an unknown key, before any work
    for (const auto& file : files)
        validated.tables.push_back(readMeasured(file));
    validated.rows = validateKernels(loadKernelCatalog(catalog().folder), validated.tables);
    validated.groups = groupErrors(validated.rows, validated.keys);
    validated.all = groupErrors(validated.rows, {});
    return validated;
}

bool areKernelKeys(const std::vector<std::string>& keys) {
    const auto there = validationKeys();
    return std::all_of(keys.begin(), keys.end(), [&](const std::string& key) {
        return std::find(there.begin(), there.end(), key) != there.end();
    });
}

} // namespace

void addValidate(CLI::App& app) {
    struct Options {
        std::vector<std::string> measured;
        std::string by;
        std::string design, out;
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
    command->callback([options] {
        const auto& folder = catalog().folder;
        const auto keys = CLI::detail::split(options->by, ',');
        const bool own = !options->by.empty(); // keys
        std::vector<std::string> kernels, servers, metrics;
        if (options->measured.empty()) {
            // With keys that only one sort of rows has, the others are left out.
            if (!own || !areServingKeys(keys) || areKernelKeys(keys))
                kernels = shippedMeasured(folder);
            if (!own || areServingKeys(keys))
                servers = shippedServing(folder);
        }
        for (const auto& file : options->measured)
            (isMetricFile(file) ? metrics : isServingFile(file) ? servers : kernels).push_back(file);
        if (!options->design.empty()) {
            if (!writeServedDesign(servers, options->design, options->out) &&
                !writeMetricDesign(metrics, options->design, options->out))
                throw Error(ErrorCode::NotFound, "--design",
                            "no row has the id \"" + options->design.substr(0, 120) + "\"",
                            "Ids stand in the first column, of metrics they are lines: validate --measured "
                            "FILE --json lists them");
            return;
        }
        const auto ownKeys = own ? keys : std::vector<std::string>{};
        Json json = Json::object();
        bool first = true;
        const auto tell = [&](const char* form, bool there, const auto& asJson, const auto& print) {
            if (!there)
                return;
            if (options->json && first)
                json = asJson();
            else if (options->json)
                json[form] = asJson();
            else {
                std::cout << (first ? "" : "\n");
                print();
            }
            first = false;
        };
        if (!kernels.empty()) {
            const auto validated = validatedKernels(kernels, own ? keys : std::vector<std::string>{"op"});
            tell(
                "kernels", true, [&] { return validatedJson(validated); },
                [&] { printValidated(validated); });
        }
        tell(
            "serving", !servers.empty(), [&] { return servingJson(servers, ownKeys); },
            [&] { printServing(servers, ownKeys); });
        tell(
            "metrics", !metrics.empty(), [&] { return metricsJson(metrics, ownKeys); },
            [&] { printMetrics(metrics, ownKeys); });
        if (options->json)
            printJson(json);
    });
}

} // namespace heteroscape::cli
