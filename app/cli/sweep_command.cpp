// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "app/study_input.h"
#include "app/study_text.h"

#include "engine/base/csv.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/claims/figure_study.h"
#include "engine/evaluation/metric.h"
#include "engine/exporters/study_csv.h"
#include "engine/study/truths.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/study_run/run_study.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <unistd.h>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct SweepOptions {
    std::string design;
    std::vector<std::string> settings;
    std::string model; ///< file
    std::vector<std::string> axes;
    std::string points; ///< file
    std::vector<std::string> metrics;
    std::string name;
    std::string db; ///< empty: the default store
    std::string csv;
    std::string shard;
    int jobs = 0;
    bool json = false;
    bool expectedError = false;
};

void showProgress(const StudyProgress& progress) {
    std::fputs("\r", stderr); // std::cerr would show it
    std::cerr << progress.done << " of " << progress.total << " points, " << shortText(progress.rate(), 3)
              << " points/s, " << shortText(progress.secondsLeft(), 2) << " s left   " << std::flush;
    if (progress.done == progress.total)
        std::cerr << '\n';
}

Json summaryJson(const StudyRun& run, const StudyTable& table, const std::vector<std::string>& metrics,
                 Truths truths) {
    Json rows = Json::array();
    const auto columns = shownColumns(table, metrics);
    for (std::size_t row = 0; row < table.rows(); ++row) {
        Json one;
        for (const auto* column : columns)
            one[column->name] = column->name == "feasible" ? Json(column->at(row) != 0.0)
                                : column->isChoice()       ? Json(column->text(column->at(row)))
                                                           : number(column->at(row));
        one["bound"] = table.bound(row);
        rows.push_back(std::move(one));
    }
    Json json = {{"study", run.study.name},  {"view", run.study.view}, {"points", run.study.points},
                 {"computed", run.computed}, {"reused", run.reused},   {"cancelled", run.cancelled},
                 {"seconds", run.seconds},   {"rows", std::move(rows)}};
    if (const auto only = truths.only(); only && !truthRemark(*only).empty())
        json["truth"] = truthName(*only);
    return json;
}

/// A figure of a paper by its id, or a design with the axes given.
Study studyFrom(const SweepOptions& options) {
    Study study;
    const auto figures = listStudies(catalog());
    const bool isFigure = std::find(figures.begin(), figures.end(), options.design) != figures.end();
    if (isFigure && options.axes.empty() && options.points.empty()) {
        study = loadStudy(catalog(), options.design, "design").study;
        study.base.change([&](Scenario& base) { applySettings(base, options.settings, options.model); });
        for (auto& axis : study.axes)
            resolveChoices(axis, study.base, catalog()); // choices build on what was set
    } else {
        auto base = isFigure ? *loadStudy(catalog(), options.design, "design").study.base
                             : scenarioFrom(options.design, {});
        applySettings(base, options.settings, options.model);
        study = studyOf(std::move(base), catalog(), options.axes, options.points);
    }
    if (!options.name.empty())
        study.name = options.name;
    requireValid(study.base);
    checkStudy(study);
    if (!isFigure)
        sayIdle(study, options.design, options.settings, options.model);
    return study;
}

void runSweep(const SweepOptions& options, int& exitCode) {
    auto study = studyFrom(options);
    takeMetrics(options.metrics, study);

    PointShard shard;
    if (!options.shard.empty()) {
        shard = parsePointShard(options.shard);
        if (options.db.empty())
            throwInvalid("--db", "missing", "Name a store for this shard alone; merge joins them");
        if (!options.csv.empty() || options.json)
            throwInvalid("--shard", "has no table of its own", "Write the table with merge --csv");
    }
    Store store(options.db.empty() ? defaultStorePath() : options.db);
    std::stop_source stop;
    const InterruptStops interrupt(stop);
    RunOptions run;
    run.jobs = options.jobs;
    run.shard = shard;
    run.stop = stop.get_token();
    if (::isatty(STDERR_FILENO))
        run.progress = showProgress;
    const auto result = runStudy(study, store, run);
    std::cerr << result.study.points << " points: " << result.computed << " computed, " << result.reused
              << " from the store, " << shortText(result.seconds) << " s; study " << result.study.view
              << " in " << store.path() << '\n';
    for (const auto& damage : result.damage)
        std::cerr << "Damaged in " << store.path() << ", computed again: " << damage << '\n';
    if (result.cancelled) {
        std::cerr << "Cancelled. What is done is stored; the same command goes on from there.\n";
        exitCode = kUnfinished;
        return;
    }
    if (!shard.isWhole())
        return;
    const auto id = result.study.id;
    if (!options.expectedError) { // a table of any size is written and printed by pieces
        if (!options.csv.empty())
            writeCsvFile(options.csv,
                         [&](const auto& take) { studyCsv(store, id, study, options.metrics, take); });
        if (options.json) {
            auto table = store.read(id, options.metrics);
            const auto truths = addTruths(table, study);
            printJson(summaryJson(result, table, options.metrics, truths));
        } else {
            printStudy(std::cout, store, id, options.metrics, study);
        }
        return;
    }
    auto table = store.read(id, metricsToRead(result.study, options.metrics));
    const auto truths = addTruths(table, study, true);
    addExpectedErrors(table, study, options.metrics);
    if (!options.csv.empty())
        writeFileAtomically(options.csv,
                            csvFile(studyCsv(table, options.metrics, {studyKeys(table, study)})));
    if (options.json)
        printJson(summaryJson(result, table, options.metrics, truths));
    else
        printStudy(std::cout, table, options.metrics, truths);
}

} // namespace

void addSweep(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<SweepOptions>();
    auto* command =
        app.add_subcommand("sweep", "Evaluate a grid of designs; results are kept and never computed twice");
    command->add_option("design", options->design, "Preset id, .hscape file, or study id (see list studies)")
        ->required();
    command
        ->add_option(
            "--axis", options->axes,
            "path=a,b,c or path=from:to[:step] or path=from:to:*factor or path=from:to:log7 (7 values "
            "evenly on a log scale; lin7 on a linear one); choices by name, * for all, your own by file "
            "(system=mine.hscape, nodes.ID.device=mine.json, model=config.json); "
            "nodes.ID.layout=\"tp 8 dp 4 ep 32\",... or =valid for every layout that divides the devices; "
            "\"path=a,b;path=c,d\" moves several together")
        ->type_name("AXIS");
    command
        ->add_option(
            "--points", options->points,
            "A CSV of points in place of axes: the header names parameter paths, each row is a design")
        ->type_name("FILE")
        ->excludes("--axis");
    addModelOption(*command, options->model);
    command->add_option("--set", options->settings, "Set a parameter: path=value")->type_name("PATH=VALUE");
    command
        ->add_option("--metric", options->metrics,
                     "Metric to show, also of a node: nodes.gpu.decode_ms (default: all)")
        ->type_name("METRIC");
    command->add_option("--name", options->name, "Name of the study");
    command->add_option("--db", options->db, "Store of the studies (default: the user's)");
    command->add_option("--csv", options->csv, "Write the table to a file");
    command->add_option("--shard", options->shard, "Only part i of n, for several machines; needs --db")
        ->type_name("i/n");
    command->add_option("--jobs", options->jobs, "Threads (default: all cores)")->check(CLI::Range(1, 4096));
    command->add_flag("--expected-error", options->expectedError,
                      "Beside each metric how far it is expected to be off, per cent, where it rests on "
                      "measured kernels");
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options, &exitCode] { runSweep(*options, exitCode); });
}

} // namespace heteroscape::cli
