// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/cli/interrupt.h"
#include "app/documents/recommend_document.h"
#include "app/text_table.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/parallel.h"
#include "engine/frontier/recommend.h"
#include "engine/scenario/scenario_json.h"
#include "engine/store/store.h"
#include "engine/study_run/run_study.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

struct RecommendOptions {
    RecommendQuestion question;
    std::string prompt = "1024", output = "1024", users = "1", ttft, tpot, power, lengthError = "20%";
    std::vector<std::string> money;
    std::string out, store, csv;
    int jobs = 0;
    bool json = false;
};

/// Of a time, a power: a bare number could be anything.
double withUnit(const std::string& text, std::string_view unit, const std::string& where) {
    const auto remedy = unit == "s" ? "Write it as 50 ms or 1.5 s" : "Write it as 40 kW or 900 W";
    const double value = parseQuantity(text, unit, where, Decimals::Point, remedy);
    if (std::isdigit(static_cast<unsigned char>(trimmed(text).back())))
        throwInvalid(where, "\"" + text.substr(0, 80) + "\" has no unit", remedy);
    return value;
}

RecommendQuestion questionOf(const RecommendOptions& options) {
    auto question = options.question;
    question.prompt = parseQuantity(options.prompt, "tok", "--prompt");
    question.output = parseQuantity(options.output, "tok", "--output");
    question.users = parseQuantity(options.users, "", "--users");
    question.lengthError = parseQuantity(options.lengthError, "", "--length-error");
    for (const auto& [value, where] :
         {std::pair(question.prompt, "--prompt"), std::pair(question.output, "--output"),
          std::pair(question.users, "--users")})
        if (value != std::round(value))
            throwInvalid(where, exactText(value) + " is not whole", "Give a whole number");
    const auto limit = [](double value, const char* where) {
        if (!(value > 0.0))
            throwInvalid(where, exactText(value) + " is no limit", "Give more than 0, or leave it out");
        return value;
    };
    if (!options.ttft.empty())
        question.ttft = limit(withUnit(options.ttft, "s", "--ttft"), "--ttft");
    if (!options.tpot.empty())
        question.tpot = limit(withUnit(options.tpot, "s", "--tpot"), "--tpot");
    if (!options.power.empty())
        question.power = limit(withUnit(options.power, "W", "--power"), "--power");
    for (const auto& money : options.money) {
        if (money.find('/') != money.npos)
            question.cost = limit(parseQuantity(money, "$/Mtok", "--price") * units::micro, "--price");
        else
            question.price = limit(parseQuantity(money, "$", "--price"), "--price");
    }
    if (question.rented && question.price > 0.0)
        throwInvalid("--price", "what is rented has no price",
                     "Limit what tokens cost: --price $2/Mtok; or leave out --rent");
    return question;
}

std::string figureName(RecommendFigure figure, const RecommendQuestion& question) {
    return std::string(recommendFigureSpec(figure, question).label);
}

std::string valueText(const RecommendQuestion& question, RecommendFigure figure,
                      const RecommendValue& value) {
    if (!std::isfinite(value.value))
        return "-";
    auto text = recommendText(question, figure, value.value);
    if (value.hasBand())
        text += " (" + recommendText(question, figure, value.low) + " to " +
                recommendText(question, figure, value.high) + ")";
    return text;
}

std::string percent(double share) {
    return shortText(100.0 * share, 3) + " %";
}

void printQuestion(const RecommendQuestion& question) {
    std::cout << "What to " << (question.rented ? "rent" : "buy") << " to serve "
              << catalog().model(question.model, "model").name << " to " << plainText(question.users)
              << " users, " << plainText(question.prompt) << " tokens in and " << plainText(question.output)
              << " out";
    if (question.ratio < 1.0)
        std::cout << " (uniform from " << percent(question.ratio) << " of these)";
    std::string limits;
    const auto add = [&](RecommendFigure figure, double most, const char* name) {
        if (most > 0.0)
            limits += (limits.empty() ? "" : ", ") + std::string(name) +
                      " <= " + recommendText(question, figure, most);
    };
    add(RecommendFigure::FirstToken, question.ttft, "TTFT p99");
    add(RecommendFigure::PerToken, question.tpot, question.meanTpot ? "mean TPOT" : "TPOT p99");
    add(RecommendFigure::Rated, question.power, "rated power");
    add(RecommendFigure::Price, question.price, "price");
    add(RecommendFigure::Token, question.cost, "cost of tokens");
    std::cout << (limits.empty() ? "; no limits" : "; ") << limits << ":\n\n";
}

void printSystems(const Recommendation& found) {
    const auto& question = found.question;
    std::vector<std::string> heads{""};
    for (std::size_t i = 0; i < found.systems.size(); ++i)
        heads.push_back(std::to_string(i + 1));
    TextTable table(heads);
    const auto row = [&](const std::string& name, const auto& text) {
        std::vector<std::string> cells{name};
        for (const auto& system : found.systems)
            cells.push_back(text(system));
        table.add(std::move(cells));
    };
    row("System", [](const auto& system) { return exactText(system.point.count) + " x " + system.name; });
    row("Software, weights",
        [](const auto& system) { return system.point.server + ", " + system.point.precision; });
    row("Layout", [](const auto& system) { return system.point.layout; });
    row("Rests on", [](const auto& system) { return std::string(truthText(system.truth)); });
    for (std::size_t i = 0; i < kRecommendFigures; ++i) {
        const auto figure = static_cast<RecommendFigure>(i);
        row(figureName(figure, question),
            [&](const auto& system) { return valueText(question, figure, system.of(figure)); });
    }
    if (found.robust.draws > 0)
        row("Keeps all limits in", [](const auto& system) { return percent(system.kept) + " of draws"; });
    row("Against the first", [&](const auto& system) {
        return &system == &found.systems.front() ? std::string()
               : system.tooClose.empty()         ? "dearer"
                                                 : "too close to call: " + system.tooClose;
    });
    table.print(std::cout);
    std::cout << "In brackets: where 80 % are expected.\n";
}

void printRobust(const Recommendation& found) {
    const auto& robust = found.robust;
    if (robust.draws == 0)
        return;
    std::cout << "\nRobust best, which keeps all limits with a probability of 90 % ("
              << percent(robust.needed) << " of " << robust.draws
              << " draws of the model's errors, lengths and prices are asked for):\n  ";
    if (!robust.system) {
        std::cout << "none; the most that one keeps is " << percent(robust.most) << " of the draws\n";
    } else {
        const auto& system = *robust.system;
        const auto& question = found.question;
        std::cout << exactText(system.point.count) << " x " << system.name << ", " << system.point.server
                  << ' ' << system.point.precision << ", " << system.point.layout << ": "
                  << recommendText(question, RecommendFigure::Year, system.of(RecommendFigure::Year).value)
                  << " a year, TTFT p99 "
                  << recommendText(question, RecommendFigure::FirstToken,
                                   system.of(RecommendFigure::FirstToken).value)
                  << (question.meanTpot ? ", mean TPOT " : ", TPOT p99 ")
                  << recommendText(question, RecommendFigure::PerToken,
                                   system.of(RecommendFigure::PerToken).value)
                  << "; keeps them in " << percent(system.kept) << " of the draws\n";
    }
    const auto most = std::max_element(robust.changed.begin(), robust.changed.end());
    if (*most == 0)
        std::cout << "No uncertainty alone changes which system is the cheapest within limits.\n";
    else
        std::cout << "What decides most is "
                  << recommendInputText(static_cast<RecommendInput>(most - robust.changed.begin()))
                  << ": were it known, the cheapest system within limits would be another one in " << *most
                  << " of " << robust.draws << " draws.\n";
}

void print(const Recommendation& found) {
    printQuestion(found.question);
    if (found.systems.empty()) {
        std::cout << "No ready server keeps all limits.\n";
    } else {
        printSystems(found);
        printRobust(found);
    }
    if (!found.passed.empty())
        std::cout << "\nThe others:\n";
    for (const auto& passed : found.passed)
        std::cout << "  " << passed.name << ": " << passed.why << '\n';
    Truths truths;
    for (const auto& system : found.systems)
        truths.add(system.truth);
    std::cout
        << '\n'
        << truths.remarks() << found.simulated.size() << " designs simulated, of " << found.points
        << " of the grid. Users do not think between requests. Prices and what servers draw are assumed "
           "where their parts say so (show ready servers: list groups).\n";
}

/// "plan.hscape": plan-1.hscape, ... and plan-robust.hscape.
void writeDesigns(const Recommendation& found, const std::string& path) {
    constexpr std::string_view kEnding = ".hscape";
    if (!path.ends_with(kEnding))
        throwInvalid("--out", "\"" + path.substr(0, 200) + "\" is no design's file",
                     "Give it the ending .hscape");
    const auto stem = path.substr(0, path.size() - kEnding.size());
    const auto write = [&](const RecommendedSystem& system, const std::string& place) {
        const auto file = stem + "-" + place + std::string(kEnding);
        saveScenario(system.design, file);
        std::cerr << "Written: " << file << '\n';
    };
    for (std::size_t i = 0; i < found.systems.size(); ++i)
        write(found.systems[i], std::to_string(i + 1));
    if (found.robust.system)
        write(*found.robust.system, "robust");
}

void runRecommend(const RecommendOptions& options) {
    const auto question = questionOf(options);
    const GpuServers servers(catalog(), shippedKernels());
    std::stop_source stop;
    const InterruptStops interrupt(stop);
    const auto found =
        recommend(question, servers, options.jobs > 0 ? options.jobs : coreCount(), stop.get_token());
    if (!options.out.empty())
        writeDesigns(found, options.out);
    if (!options.csv.empty())
        writeFileAtomically(options.csv, recommendCsv(found));
    if (!options.store.empty() && !found.simulated.empty()) {
        Store store(options.store);
        RunOptions run;
        run.jobs = options.jobs;
        run.stop = stop.get_token();
        const auto study = runStudy(recommendStudy(found, servers), store, run);
        std::cerr << study.study.points << " points; study " << study.study.view << " in " << store.path()
                  << '\n';
    }
    if (options.json)
        printJson(recommendJson(found));
    else
        print(found);
}

} // namespace

void addRecommend(CLI::App& app) {
    auto options = std::make_shared<RecommendOptions>();
    auto& question = options->question;
    auto* command = app.add_subcommand("recommend", "What should I buy? Three whole systems out of the ready "
                                                    "servers that serve a model within limits, and why "
                                                    "the others do not");
    command->add_option("model", question.model, "Id of a model (list models)")->required();
    command->add_option("--prompt", options->prompt, "Tokens of a prompt, at most (1024)");
    command->add_option("--output", options->output, "Tokens of an answer, at most (1024)");
    command->add_option("--length-ratio", question.ratio,
                        "Lengths are uniform from this share of the longest (0.8); 1: fixed");
    command->add_option("--users", options->users, "Who send one request after another (1)");
    command->add_option("--ttft", options->ttft, "Limit of the time to first token, p99: 500ms, 2s");
    command->add_option("--tpot", options->tpot,
                        "Limit of the time per output token, p99 over requests: 50ms");
    command->add_flag("--mean-tpot", question.meanTpot, "That limit is on the mean");
    command->add_option("--power", options->power, "Limit of what the servers are rated for: 40kW");
    command->add_option(
        "--price", options->money,
        "Limit of what they cost: $1M to buy, or $2/Mtok of output under this load; may be given twice");
    command->add_flag("--rent", question.rented, "Rented by the hour in place of bought");
    command->add_flag("--per-token", question.byToken, "The best is the cheapest a token, not a year");
    command->add_option("--vendor", question.vendors, "Only devices of these vendors: NVIDIA, AMD, Intel");
    command->add_option("--ready", question.ready, "Only these ready servers: hgx-h200");
    command->add_option("--software", question.software,
                        "Only this: vllm, sglang, trtllm, class-rule (where nothing was measured)");
    command->add_option("--format", question.formats, "Only weights of these formats: bf16, fp8, fp4, int4");
    command->add_option("--length-error", options->lengthError,
                        "80 % of the mean lengths lie within it, either way, for the robust best (20%)");
    command->add_option("--draws", question.draws, "Draws for the robust best (200); 0: none");
    command->add_option("--seed", question.seed, "Of the draws (1)");
    command
        ->add_option("--out", options->out, "Write each as a design: FILE-1.hscape, ..., FILE-robust.hscape")
        ->type_name("FILE.hscape");
    command->add_option("--store", options->store, "Keep what was simulated as a study in this store");
    command->add_option("--csv", options->csv,
                        "Write the systems with their bands, and the others, to a file");
    command->add_option("--jobs", options->jobs, "Threads (default: all cores)")->check(CLI::Range(1, 4096));
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] { runRecommend(*options); });
}

} // namespace heteroscape::cli
