// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/find_output.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "app/study_input.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/search/search_record.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <unistd.h>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct FindOptions {
    std::string design;
    std::string model; ///< file
    std::vector<std::string> settings;
    SearchWishes wishes;
    std::string method = "exhaustive";
    std::uint64_t evaluations = 10'000;
    std::uint32_t seed = 1;
    std::string shard;
    std::string part; ///< file
    std::string checkpoint;
    double every = 10.0; ///< s
    int jobs = 0;
    FindOutput output;
};

void showSearch(const SearchProgress& progress) {
    const double rate = progress.seconds > 0 ? static_cast<double>(progress.done) / progress.seconds : 0.0;
    std::fputs("\r", stderr); // std::cerr would show it
    std::cerr << progress.done << " of " << progress.total << " points, " << shortText(rate, 3)
              << " points/s";
    if (rate > 0)
        std::cerr << ", " << shortText(static_cast<double>(progress.total - progress.done) / rate, 2)
                  << " s left";
    std::cerr << "   " << std::flush;
    if (progress.done == progress.total)
        std::cerr << '\n';
}

SearchProblem problemFrom(const FindOptions& options) {
    auto base = scenarioFrom(options.design, options.settings, options.model);
    requireValid(base);
    auto problem = searchProblemOf(std::move(base), catalog(), options.wishes);
    if (std::isnan(options.every))
        throwInvalid("--checkpoint-every", "is no number", "Give seconds");
    sayIdle(problem.study, options.design, options.settings, options.model);
    return problem;
}

void runFind(const FindOptions& options, int& exitCode) {
    const auto& method = searchMethods().at(options.method, "--method");
    SearchOptions search;
    if (!options.shard.empty()) {
        search.shard = parsePointShard(options.shard);
        if (!method.canShard())
            throwInvalid("--shard", "cannot be used with --method " + options.method,
                         "Take --method exhaustive, or run it whole");
        if (options.part.empty())
            throwInvalid("--part", "missing", "Name the file that this shard is written to");
    }
    const auto problem = problemFrom(options);
    std::stop_source stop;
    const InterruptStops interrupt(stop);
    search.stop = stop.get_token();
    search.jobs = options.jobs;
    search.evaluations = options.evaluations;
    search.seed = options.seed;
    if (::isatty(STDERR_FILENO))
        search.progress = showSearch;
    std::optional<SearchCheckpoint> checkpoint;
    if (!options.checkpoint.empty()) {
        checkpoint.emplace(options.checkpoint, SearchRecord{problem, &method, search.shard,
                                                            options.evaluations, options.seed, nullptr});
        search.from = checkpoint->read(catalog());
        if (search.from)
            std::cerr << "Going on from " << search.from->done << " points in " << options.checkpoint << '\n';
        search.stateEvery = std::chrono::milliseconds(static_cast<long long>(1000.0 * options.every));
        search.soFar = [&](const std::shared_ptr<const SearchState>& state) { checkpoint->write(state); };
    }
    const auto start = std::chrono::steady_clock::now();
    const auto tally = method.run(problem, search);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const auto done = tally.points() - (search.from ? search.from->done : 0);
    std::cerr << done << " points in " << shortText(seconds) << " s, "
              << shortText(static_cast<double>(done) / seconds, 3) << " points/s\n";
    if (!options.part.empty())
        writeFileAtomically(options.part, searchPartText(problem, search.shard, tally));
    if (search.shard.isWhole())
        exitCode = tellFound(problem, tally, options.output);
    if (checkpoint)
        checkpoint->remove();
}

} // namespace

void addFind(CLI::App& app, int& exitCode) {
    auto options = std::make_shared<FindOptions>();
    auto* command =
        app.add_subcommand("find", "Find the best designs within limits, by every point of a grid or "
                                   "by evolution; any number of points");
    command->add_option("design", options->design, "Preset id or .hscape file")->required();
    command
        ->add_option("--axis", options->wishes.axes,
                     "A variable and its values, as for sweep; choices by name, * for all, your own by file")
        ->type_name("AXIS");
    command
        ->add_option(
            "--max", options->wishes.most,
            "Maximise a metric, a metric of a node, an axis by its path, or \"devices\"; one to three "
            "objectives with --min")
        ->type_name("METRIC");
    command->add_option("--min", options->wishes.least, "Minimise one")->type_name("METRIC");
    command
        ->add_option("--limit", options->wishes.limits,
                     "What a design must keep: \"ttft_s<=1\", \"price_usd<=1000000\", \"power_w<=40000\", "
                     "\"devices<=64\", metric=from:to; \"measured\": timed by measured kernels")
        ->type_name("LIMIT");
    command->add_option("--method", options->method, "exhaustive (default) or evolutionary (NSGA-II)");
    command->add_option("--best", options->wishes.best, "So many best of each objective (default 10)");
    command->add_option("--evaluations", options->evaluations,
                        "Evaluations of the evolutionary method (10000)");
    command->add_option("--seed", options->seed, "Seed of the evolutionary method (1)");
    command->add_option("--shard", options->shard, "Only part i of n, for several machines; needs --part")
        ->type_name("i/n");
    command->add_option("--part", options->part, "Write what this shard found to a file; merge joins them");
    command
        ->add_option(
            "--checkpoint", options->checkpoint,
            "Keep how far it is in a file, go on from it where it is there, and remove it at the end")
        ->type_name("FILE");
    command->add_option("--checkpoint-every", options->every, "Seconds between two writings of it (10)")
        ->check(CLI::Range(0.0, 86400.0));
    command->add_option("--jobs", options->jobs, "Threads (default: all cores)")->check(CLI::Range(1, 4096));
    command->add_option("--csv", options->output.csv, "Write the front to a file");
    command->add_flag("--json", options->output.json, "One JSON document");
    addModelOption(*command, options->model);
    command->add_option("--set", options->settings, "Set a parameter: path=value")->type_name("PATH=VALUE");
    command->callback([options, &exitCode] { runFind(*options, exitCode); });
}

} // namespace heteroscape::cli
