// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/scenario_json.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

namespace fs = std::filesystem;

struct NewPaper {
    std::string folder, design, title;
};

/// An id out of a name: what ids cannot have becomes '-'.
std::string idOfName(const std::string& name) {
    std::string id;
    for (const char c : lowered(name))
        id += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ? c : '-';
    id = id.substr(0, 64);
    checkId(id, "the folder's name");
    return id;
}

/// Half, the same and twice the prompt.
std::string promptAxis(double tokens) {
    return "workload.prompt_tokens=" + exactText(std::max(1.0, std::floor(tokens / 2.0))) + "," +
           exactText(tokens) + "," + exactText(2.0 * tokens);
}

double inFiveDigits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.5g", value);
    return std::stod(text);
}

Json firstClaims(const std::string& id, const std::string& title, const Scenario& design, double throughput) {
    const auto& spec = metricSpec(Metric::Throughput);
    Json claim = {{"id", "throughput"},
                  {"quantity", spec.label},
                  {"condition", design.model.name + ", " + exactText(design.workload.promptTokens.value) +
                                    " in, " + exactText(design.workload.outputTokens.value) + " out"},
                  {"unit", spec.unit},
                  {"paper", inFiveDigits(throughput)},
                  {"kind", claimKindName(ClaimKind::Computed)},
                  {"where", "computed when the folder was made"},
                  {"scenario", id + "/design"},
                  {"model", {{"metric", spec.key}, {"scenario", id + "/design"}}}};
    return {{"id", id}, {"name", id}, {"title", title}, {"claims", Json::array({std::move(claim)})}};
}

Json firstStudy(const std::string& id, const Scenario& design) {
    const auto axis = promptAxis(design.workload.promptTokens.value);
    Json plot = {{"title", "Throughput"},
                 {"kind", "lines"},
                 {"x", axis.substr(0, axis.find('='))},
                 {"metrics", {metricSpec(Metric::Throughput).key}}};
    return {{"name", "Throughput over the length of prompts"},
            {"scenario", id + "/design"},
            {"axes", {axis}},
            {"plots", Json::array({std::move(plot)})}};
}

std::string firstWords(const Scenario& design) {
    return design.name + " serves " + design.model.name +
           " with {{design throughput_tok_s}}: the first token comes after {{design ttft_s}}, each further "
           "one "
           "after {{design tpot_s}}.\n\nThe claim of this folder, {{claim throughput}}, was computed with "
           "the "
           "design: it says what has changed since, and nothing about accuracy. Put numbers that were "
           "measured "
           "or stated elsewhere beside it, as claims of the kind `predicted`.\n";
}

void makePaper(const NewPaper& options) {
    const fs::path folder = (fs::path(options.folder) / "").lexically_normal().parent_path();
    const auto id = idOfName(fs::weakly_canonical(folder).filename().string());
    const auto design = scenarioFrom(options.design, {});
    requireValid(design);
    const auto evaluation = evaluate(design);
    const double throughput =
        toEdge(evaluation.metric(Metric::Throughput), metricSpec(Metric::Throughput).scale);
    if (!evaluation.feasible || !(throughput > 0.0))
        throwInvalid(options.design, "has no throughput: " + evaluation.reason, "Name a design that runs");
    if (const auto& trace = design.serving.trace.path; !trace.empty())
        throwInvalid(options.design, "reads the trace " + trace + ", which would stay behind",
                     "Name a design without one, and add the trace to the folder afterwards");
    if (fs::exists(folder) && !(fs::is_directory(folder) && fs::is_empty(folder)))
        throwInvalid(folder.string(), "is there already, and nothing is written over", "Name a new folder");
    std::error_code failure;
    fs::create_directories(folder / "studies", failure);
    if (failure)
        throw Error(ErrorCode::Io, folder.string(), "cannot be made: " + failure.message(),
                    "Name another folder");
    const auto write = [&](const char* file, const std::string& text) {
        writeFileAtomically((folder / file).string(), text);
        std::cout << (folder / file).string() << '\n';
    };
    const auto title = options.title.empty() ? design.name : options.title;
    write("design.json", scenarioText(design));
    write("claims.json", firstClaims(id, title, design, throughput).dump(2) + "\n");
    write("studies/prompts.json", firstStudy(id, design).dump(2) + "\n");
    write("paper.md", firstWords(design));
}

} // namespace

void addPaperCommand(CLI::App& app) {
    auto options = std::make_shared<NewPaper>();
    auto* paper =
        app.add_subcommand("paper", "A paper of your own: a folder of designs, claims, studies and words");
    paper->require_subcommand(1);
    auto* command =
        paper->add_subcommand("new", "Make the folder from a design, for compare and export --paper");
    command->add_option("folder", options->folder, "The new folder; its name becomes the paper's id")
        ->required()
        ->type_name("DIR");
    command->add_option("--design", options->design, "A preset, or a .hscape file")->required();
    command->add_option("--title", options->title, "Of the paper (default: the design's name)");
    command->callback([options] { makePaper(*options); });
}

} // namespace heteroscape::cli
