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
#include <cctype>
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
        const bool byToken = money.find('/') != money.npos;
        const double amount = parseQuantity(money, byToken ? "$/Mtok" : "$", "--price", Decimals::Point,
                                            "Write it as $1M, or $2/Mtok for tokens");
        (byToken ? question.cost : question.price) =
            limit(byToken ? amount * units::micro : amount, "--price");
    }
    if (question.rented && question.price > 0.0)
        throwInvalid("--price", "what is rented has no price",
                     "Limit what tokens cost: --price $2/Mtok; or leave out --rent");
    return question;
}

std::string percent(double share) {
    return plainText(100.0 * share, 3) + " %";
}

/// Lines of at most 100 characters, those after the first set in by `indent`. Words stay whole.
std::string wrapped(std::string_view text, std::size_t indent = 0) {
    constexpr std::size_t kWide = 100;
    std::string lines;
    std::size_t used = 0; // UTF-8 continuation bytes take no place
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(' ', at), text.size());
        const auto word = text.substr(at, end - at);
        const auto size = static_cast<std::size_t>(
            std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));
        if (used > indent && used + 1 + size > kWide) {
            lines += '\n' + std::string(indent, ' ');
            used = indent;
        } else if (at > 0) {
            lines += ' ';
            ++used;
        }
        lines += word;
        used += size;
        at = end + 1;
    }
    return lines + '\n';
}

/// What is told of a system in a column.
struct RecommendRow {
    std::string name;
    std::string (*text)(const RecommendQuestion&, const RecommendedSystem&);
};

template <RecommendFigure figure>
std::string figureText(const RecommendQuestion& question, const RecommendedSystem& system) {
    return recommendText(question, figure, system.of(figure));
}

void printSystems(const RecommendList& list, const RecommendQuestion& question, bool isDrawn) {
    std::vector<RecommendRow> rows{
        {"System",
         [](const auto&, const auto& system) { // without "8 GPUs"
             return exactText(system.point.count) + " x " + system.name.substr(0, system.name.rfind(','));
         }},
        {"Devices", [](const auto&, const auto& system) { return exactText(system.point.devices); }},
        {"Software, weights",
         [](const auto&, const auto& system) { return system.point.server + ", " + system.point.precision; }},
        {"Layout", [](const auto&, const auto& system) { return system.point.layout; }},
        {question.rented ? "Rent of a year" : "Cost of a year", figureText<RecommendFigure::Year>}};
    if (!question.rented)
        rows.push_back({"Price", figureText<RecommendFigure::Price>});
    rows.push_back({"Cost of 1M tokens", [](const auto& of, const auto& system) {
                        auto text = figureText<RecommendFigure::Token>(of, system);
                        const auto unit = text.find("/Mtok");
                        return unit == text.npos ? text : text.erase(unit, 5);
                    }});
    rows.push_back({"TTFT p99", figureText<RecommendFigure::FirstToken>});
    rows.push_back({question.meanTpot ? "TPOT mean" : "TPOT p99", figureText<RecommendFigure::PerToken>});
    rows.push_back({"Throughput", figureText<RecommendFigure::Throughput>});
    rows.push_back({"Rated power", figureText<RecommendFigure::Rated>});
    rows.push_back({"Power drawn", figureText<RecommendFigure::Drawn>});
    if (isDrawn)
        rows.push_back({"Keeps all limits", [](const auto&, const auto& system) {
                            return "in " + percent(system.kept) + " of draws";
                        }});
    std::vector<std::string> heads{""};
    for (std::size_t i = 0; i < list.systems.size(); ++i)
        heads.push_back(std::to_string(i + 1));
    TextTable table(heads);
    for (const auto& row : rows) {
        std::vector<std::string> cells{row.name};
        for (const auto& system : list.systems)
            cells.push_back(row.text(question, system));
        table.add(std::move(cells));
    }
    table.print(std::cout);
    std::cout << "In brackets: where 80 % are expected.\n";
}

void print(const Recommendation& found) {
    const auto words = recommendWords(found, catalog());
    std::cout << words.asked << '\n' << words.terms << '\n' << wrapped(words.limits) << '\n';
    const auto answered = std::count_if(found.lists.begin(), found.lists.end(),
                                        [](const auto& list) { return !list.systems.empty(); });
    if (answered == 0)
        std::cout << "No ready server keeps all limits.\n\n";
    for (std::size_t i = 0; i < found.lists.size(); ++i) {
        std::cout << wrapped(words.lists[i].head);
        if (!found.lists[i].systems.empty())
            printSystems(found.lists[i], found.question, found.robust.draws > 0);
        for (const auto& close : words.lists[i].close)
            std::cout << wrapped(close);
        std::cout << '\n';
    }
    if (!words.robust.empty())
        std::cout << wrapped(words.robust) << wrapped("  " + words.chosen, 2) << wrapped(words.measure)
                  << '\n';
    if (!words.others.empty())
        std::cout << "The others:\n";
    for (const auto& [why, names] : words.others)
        std::cout << wrapped("  " + names + ": " + why, 4);
    std::cout << '\n'
              << wrapped(words.notes + (answered > 1 ? " heteroscape-cli compare holds two designs (--out) "
                                                       "against each other on like evidence."
                                                     : ""));
}

/// "plan.hscape": plan-served-1.hscape, plan-class-1.hscape, ... and plan-robust.hscape.
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
    for (const auto& list : found.lists)
        for (std::size_t i = 0; i < list.systems.size(); ++i)
            write(list.systems[i], std::string(truthName(list.truth)) + '-' + std::to_string(i + 1));
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
    auto* command =
        app.add_subcommand("recommend", "What should I buy? The three best whole systems out of the ready "
                                        "servers that serve a model within limits, of those measured and of "
                                        "those by the rule of their class, and why the others do not");
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
    command->add_option("--vendor,--vendors", question.vendors,
                        "Only devices of these vendors: NVIDIA, AMD, Intel");
    command->add_option("--ready", question.ready, "Only these ready servers: hgx-h200");
    command->add_option("--software", question.software,
                        "Only this: vllm, sglang, trtllm, class-rule (where nothing was measured)");
    command->add_option("--format", question.formats, "Only weights of these formats: bf16, fp8, fp4, int4");
    command->add_option("--length-error", options->lengthError,
                        "80 % of the mean lengths lie within it, either way, for the robust best (20%)");
    command->add_option("--draws", question.draws, "Draws for the robust best (200); 0: none")
        ->check(CLI::Range(0, 100000));
    command->add_option("--seed", question.seed, "Of the draws (1)");
    command
        ->add_option(
            "--out", options->out,
            "Write each as a design: FILE-served-1.hscape, FILE-class-1.hscape, ..., FILE-robust.hscape")
        ->type_name("FILE.hscape");
    command->add_option("--store", options->store, "Keep what was simulated as a study in this store");
    command->add_option("--csv", options->csv,
                        "Write the systems with their bands, and the others, to a file");
    command->add_option("--jobs", options->jobs, "Threads (default: all cores)")->check(CLI::Range(1, 4096));
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] { runRecommend(*options); });
}

} // namespace heteroscape::cli
