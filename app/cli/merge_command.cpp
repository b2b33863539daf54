// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/find_output.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "app/study_text.h"
#include "engine/base/csv.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/exporters/study_csv.h"
#include "engine/search/search_record.h"
#include "engine/store/recover_store.h"
#include "engine/study/truths.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct MergeOptions {
    std::vector<std::string> parts;
    std::string db;
    std::vector<std::string> metrics;
    FindOutput output;
};

/// Stores of studies begin so; parts of searches are JSON.
bool isStore(const std::string& path) {
    constexpr std::string_view start = "SQLite format 3";
    InputFile file(path);
    std::string head(start.size(), '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    return head == start;
}

void mergeSweeps(const MergeOptions& options, int& exitCode) {
    if (options.db.empty())
        throwInvalid("--db", "missing", "Name the store that the points of all shards are put into");
    if (options.output.json)
        throwInvalid("--json", "is for parts of find", "Use --csv for studies");
    Store store(options.db);
    std::stop_source stop;
    const InterruptStops interrupt(stop);
    const auto studies = mergeStudies(options.parts, store, catalog(), stop.get_token());
    for (const auto& study : studies) {
        std::cerr << study.name << ": " << study.done << " of " << study.points << " points; study "
                  << study.view << " in " << store.path() << '\n';
        if (study.done < study.points) {
            std::cerr << "Shards are missing: run these again, then merge all.\n";
            exitCode = kUnfinished;
        }
    }
    if (exitCode != kDone)
        return;
    if (!options.output.csv.empty())
        writeStudyCsv(store, studies.front().id, catalog(), options.metrics, options.output.csv);
    else
        printStudy(std::cout, store, studies.front().id, options.metrics,
                   store.definition(studies.front().id, catalog()));
}

void runMerge(const MergeOptions& options, int& exitCode) {
    std::size_t stores = 0;
    for (const auto& part : options.parts)
        stores += isStore(part) ? 1 : 0;
    if (stores == options.parts.size()) {
        mergeSweeps(options, exitCode);
        return;
    }
    if (stores > 0)
        throwInvalid("parts", "some are of find, some of sweep", "Merge those of one command at a time");
    const auto merged = mergeSearch(options.parts, catalog());
    exitCode = tellFound(merged.problem, merged.tally, options.output);
}

} // namespace

void addMerge(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<MergeOptions>();
    auto* command =
        app.add_subcommand("merge", "Put the shards of a find or a sweep together: the same bytes as from "
                                    "one machine");
    command->add_option("parts", options->parts, "Files that find --part or sweep --db wrote, in any order")
        ->required();
    command->add_option("--db", options->db, "Sweeps: the store that all points are put into");
    command->add_option("--metric", options->metrics, "Sweeps: metric to show (default: all)")
        ->type_name("METRIC");
    command->add_option("--csv", options->output.csv, "Write the front, or the table of a sweep, to a file");
    command->add_flag("--json", options->output.json, "Searches: one JSON document");
    command->callback([options, &exitCode] { runMerge(*options, exitCode); });
}

} // namespace heteroscape::cli
