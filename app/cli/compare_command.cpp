// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/documents/comparison_document.h"
#include "app/text_table.h"

#include "engine/base/file.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/compare_designs.h"
#include "engine/exporters/study_csv.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <tuple>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

void printComparison(const PaperComparison& comparison) {
    std::cout << comparison.paper.name << ": " << comparison.paper.title << "\n\n";
    const auto& variants = comparison.paper.variants;
    std::vector<std::string> header{"claim", "condition", "paper", "model", "unit", "error", "kind", ""};
    for (const auto& variant : variants)
        header.push_back(variant.label);
    TextTable table(std::move(header));
    for (const auto& result : comparison.results) {
        const auto& claim = result.claim;
        std::vector<std::string> cells{claim.quantity,
                                       claim.condition,
                                       statedText(claim),
                                       computedText(claim, result.model),
                                       claim.unit,
                                       deviationText(result),
                                       std::string(claimKindName(claim.kind)),
                                       markText(result)};
        for (const auto& variant : variants) {
            const auto at = std::find(claim.variants.begin(), claim.variants.end(), variant.id);
            cells.push_back(
                at == claim.variants.end()
                    ? std::string()
                    : computedText(
                          claim,
                          result.variants[static_cast<std::size_t>(at - claim.variants.begin())].model));
        }
        table.add(std::move(cells));
        for (std::size_t i = 0; i < claim.parts.size(); ++i) {
            std::vector<std::string> part{"  " + claim.parts[i].label, "", "", shortText(result.parts[i], 5),
                                          claim.parts[i].unit,         "", "", ""};
            for (std::size_t v = 0; v < claim.variants.size(); ++v)
                part.push_back(shortText(result.variants[v].parts[i], 5));
            part.resize(8 + variants.size());
            table.add(std::move(part));
        }
    }
    table.print(std::cout);
    if (std::any_of(comparison.results.begin(), comparison.results.end(),
                    [](const ClaimResult& result) { return result.truth == Truth::Ideal; }))
        std::cout << "ideal: " << kAtBest << '\n';
    for (const auto& result : comparison.results) {
        const auto& [id, note] = std::tie(result.claim.id, result.claim.note);
        if (!result.problem.empty())
            std::cout << "not computed: " << result.problem << '\n';
        else if (std::isnan(result.model))
            std::cout << id << " has no value: a design that it takes cannot run, or lacks a figure\n";
        else if (result.misfit && result.claim.kind == ClaimKind::Trend)
            std::cout << id << " does not hold: "
                      << (note.empty() ? "no reason is stated. Give one in its note" : note) << '\n';
    }
    std::cout << '\n'
              << comparison.results.size() << " claims, " << comparison.misfits
              << " misfits (off by more than " << exactText(100 * kMisfitError)
              << "%, or less where the claim says so); mean error of the predicted ones "
              << shortText(100 * comparison.meanPredictedError) << "%\n"
              << summaryText(summarise(comparison.results)) << '\n';
}

constexpr std::string_view kNoResult = "no result: inside 1.5";

void printDesigns(const std::vector<Scenario>& designs, const ComparedDesigns& compared) {
    for (std::size_t i = 0; i < designs.size(); ++i)
        std::cout << static_cast<char>('A' + i) << ": " << designs[i].name << ", "
                  << truthText(compared.truths[i]) << '\n';
    if (compared.alike)
        std::cout << "They rest on unlike evidence; compared by: " << truthText(*compared.alike) << '\n';
    if (compared.unlike)
        std::cout << "They rest on unlike evidence, and nothing makes them alike: no comparison\n";
    std::vector<std::string> header{"metric", "unit"};
    const auto each = [&](const std::string& behind) {
        for (std::size_t i = 0; i < designs.size(); ++i)
            header.push_back(std::string(1, static_cast<char>('A' + i)) + behind);
    };
    each("");
    if (compared.alike)
        each(" alike");
    for (std::size_t i = 1; i < designs.size() && !compared.unlike; ++i)
        header.push_back(std::string(1, static_cast<char>('A' + i)) + "/A");
    TextTable table(std::move(header));
    for (const auto& metric : compared.metrics) {
        const auto& spec = metricSpec(metric.metric);
        std::vector<std::string> cells{std::string(spec.key), std::string(spec.unit)};
        for (const double value : metric.own)
            cells.push_back(shortText(value / spec.scale, 4));
        for (const double value : metric.alike)
            cells.push_back(shortText(value / spec.scale, 4));
        for (std::size_t i = 1; i < designs.size() && !compared.unlike; ++i)
            cells.push_back(compared.saysNothing(metric, i)
                                ? std::string(kNoResult)
                                : shortText(metric.held()[i] / metric.held().front(), 3));
        table.add(std::move(cells));
    }
    table.print(std::cout);
    Truths truths;
    for (const auto truth : compared.truths)
        truths.add(truth);
    std::cout << truths.remarks();
}

void compareDesigns(const std::vector<std::string>& names, bool json) {
    std::vector<Scenario> designs;
    for (const auto& name : names) {
        designs.push_back(scenarioFrom(name, {}));
        requireValid(designs.back());
    }
    const auto compared = engine::compareDesigns(designs, catalog());
    if (json)
        printJson(designsJson(designs, compared));
    else
        printDesigns(designs, compared);
}

} // namespace

void addCompare(CLI::App& app, int& exitCode) {
    struct Options {
        std::vector<std::string> names;
        std::string paper;
        std::string csv;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand(
        "compare", "Hold a paper's claims against the model, or designs against each other");
    auto* names = command->add_option("names", options->names,
                                      "Paper id, or all; or designs, the first of which is the base");
    auto* paper = command->add_option("--paper", options->paper,
                                      "A paper of your own: a folder with claims.json, designs and parts");
    paper->type_name("DIR")->excludes(names);
    command->add_option("--csv", options->csv, "Write the table to a file");
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options, &exitCode] {
        if (options->names.size() > 1) {
            compareDesigns(options->names, options->json);
            return;
        }
        if (options->names.empty() && options->paper.empty())
            throw CLI::RequiredError("names or --paper");
        auto parts = catalog();
        const auto name = options->paper.empty() ? options->names.front() : addPaper(parts, options->paper);
        std::vector<PaperComparison> comparisons;
        for (const auto& one : name == "all" && options->paper.empty()
                                   ? loadPapers(parts)
                                   : std::vector<Paper>{loadPaper(parts, name)})
            comparisons.push_back(compare(parts, one));
        for (const auto& comparison : comparisons)
            for (const auto& result : comparison.results)
                if (!result.problem.empty())
                    exitCode = kBadInput;
        if (!options->csv.empty())
            writeFileAtomically(options->csv, claimsCsv(comparisons));
        if (options->json && name != "all") {
            printJson(comparisonJson(comparisons.front()));
        } else if (options->json) {
            Json all = Json::array();
            for (const auto& comparison : comparisons)
                all.push_back(comparisonJson(comparison));
            printJson(all);
        } else {
            for (const auto& comparison : comparisons)
                printComparison(comparison);
            if (comparisons.size() > 1)
                std::cout << "\nAll papers: " << summaryText(summarise(comparisons)) << '\n';
        }
    });
}

} // namespace heteroscape::cli
