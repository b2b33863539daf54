// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/text_table.h"

#include "engine/base/file.h"
#include "engine/claims/claims.h"
#include "engine/exporters/study_csv.h"
#include "engine/units/number_text.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

std::string signedPercentText(double share) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%+.2f%%", 100.0 * share);
    return buffer;
}

Json partsJson(const Claim& claim, const std::vector<double>& values) {
    Json parts = Json::array();
    for (std::size_t i = 0; i < claim.parts.size(); ++i)
        parts.push_back(
            {{"label", claim.parts[i].label}, {"unit", claim.parts[i].unit}, {"model", number(values[i])}});
    return parts;
}

Json claimsJson(const std::vector<KindSummary>& summary) {
    Json kinds = Json::array();
    for (const auto& kind : summary) {
        Json one = {{"kind", claimKindName(kind.kind)}, {"claims", kind.claims}};
        for (std::size_t i = 0; i < kSummaryWithin.size(); ++i)
            one["within_" + exactText(100.0 * kSummaryWithin[i]) + "_percent"] = kind.within[i];
        kinds.push_back(std::move(one));
    }
    return kinds;
}

Json comparisonJson(const PaperComparison& comparison) {
    Json claims = Json::array();
    for (const auto& result : comparison.results) {
        const auto& claim = result.claim;
        Json one = {{"id", claim.id},
                    {"quantity", claim.quantity},
                    {"condition", claim.condition},
                    {"unit", claim.unit},
                    {"paper", claim.paper},
                    {"model", number(result.model)},
                    {"error", number(result.error)},
                    {"kind", claimKindName(claim.kind)},
                    {"misfit", result.misfit},
                    {"where", claim.where},
                    {"scenario", claim.scenario},
                    {"note", claim.note}};
        if (claim.relation != ClaimRelation::Equal)
            one["relation"] = claimRelationName(claim.relation);
        if (result.truth == Truth::Ideal)
            one["truth"] = truthName(result.truth);
        if (!claim.parts.empty())
            one["parts"] = partsJson(claim, result.parts);
        for (std::size_t i = 0; i < claim.variants.size(); ++i) {
            const auto& value = result.variants[i];
            auto& variant = one["variants"][claim.variants[i]];
            variant = {{"model", number(value.model)}, {"error", number(value.error)}};
            if (!claim.parts.empty())
                variant["parts"] = partsJson(claim, value.parts);
        }
        claims.push_back(std::move(one));
    }
    return {{"paper", comparison.paper.id},
            {"title", comparison.paper.title},
            {"misfits", comparison.misfits},
            {"mean_predicted_error", comparison.meanPredictedError},
            {"summary", claimsJson(summarise(comparison.results))},
            {"claims", std::move(claims)}};
}

std::string markText(const ClaimResult& result) {
    const std::string misfit = result.misfit ? "misfit" : "";
    return result.truth != Truth::Ideal ? misfit : misfit.empty() ? "ideal" : misfit + ", ideal";
}

void printComparison(const PaperComparison& comparison) {
    std::cout << comparison.paper.name << ": " << comparison.paper.title << "\n\n";
    const auto& variants = comparison.paper.variants;
    std::vector<std::string> header{"claim", "condition", "paper", "model", "unit", "error", "kind", ""};
    for (const auto& variant : variants)
        header.push_back(variant.label);
    TextTable table(std::move(header));
    for (const auto& result : comparison.results) {
        const auto& claim = result.claim;
        constexpr std::array<const char*, 3> relations{"", "\u2264 ", "\u2265 "};
        std::vector<std::string> cells{claim.quantity,
                                       claim.condition,
                                       relations[static_cast<std::size_t>(claim.relation)] +
                                           exactText(claim.paper),
                                       shortText(result.model, 5),
                                       claim.unit,
                                       signedPercentText(result.error),
                                       std::string(claimKindName(claim.kind)),
                                       markText(result)};
        for (const auto& variant : variants) {
            const auto at = std::find(claim.variants.begin(), claim.variants.end(), variant.id);
            cells.push_back(
                at == claim.variants.end()
                    ? std::string()
                    : shortText(result.variants[static_cast<std::size_t>(at - claim.variants.begin())].model,
                                5));
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
    std::cout << '\n'
              << comparison.results.size() << " claims, " << comparison.misfits
              << " misfits (off by more than " << exactText(100 * kMisfitError)
              << "%, or less where the claim says so); mean error of the predicted ones "
              << shortText(100 * comparison.meanPredictedError) << "%\n"
              << summaryText(summarise(comparison.results)) << '\n';
}

} // namespace

void addCompare(CLI::App& app) {
    struct Options {
        std::string paper;
        std::string csv;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    auto* command = app.add_subcommand("compare", "Hold a paper's claims against the model");
    command->add_option("paper", options->paper, "Paper id, or all")->required();
    command->add_option("--csv", options->csv, "Write the table to a file");
    command->add_flag("--json", options->json, "One JSON document");
    command->callback([options] {
        std::vector<PaperComparison> comparisons;
        for (const auto& paper : options->paper == "all"
                                     ? loadPapers(catalog())
                                     : std::vector<Paper>{loadPaper(catalog(), options->paper)})
            comparisons.push_back(compare(catalog(), paper));
        if (!options->csv.empty())
            writeFileAtomically(options->csv, claimsCsv(comparisons));
        if (options->json && options->paper != "all") {
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
