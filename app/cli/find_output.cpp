// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/find_output.h"

#include "app/cli/commands.h"
#include "app/cli/input.h"
#include "app/text_table.h"
#include "engine/base/csv.h"
#include "engine/base/file.h"
#include "engine/search/search_result.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

namespace heteroscape::cli {

using namespace heteroscape::engine;

namespace {

constexpr std::size_t kPrintedDesigns = 50;

void printDesigns(const SearchProblem& problem, const SearchResult& result,
                  const std::vector<FoundDesign>& designs) {
    std::vector<std::string> header;
    for (const auto& axis : problem.study.axes)
        header.push_back(axis.path);
    for (const auto& column : result.columns)
        header.push_back(column);
    const bool tells = result.truths.areMixed();
    if (tells)
        header.emplace_back("truth");
    header.push_back("bound");
    TextTable table(std::move(header));
    for (std::size_t i = 0; i < std::min(designs.size(), kPrintedDesigns); ++i) {
        auto row = designs[i].place;
        for (const double value : designs[i].values)
            row.push_back(shortText(value, 5));
        if (tells)
            row.emplace_back(truthName(designs[i].truth));
        row.push_back(designs[i].bound);
        table.add(std::move(row));
    }
    table.print(std::cout);
    if (designs.size() > kPrintedDesigns)
        std::cout << "... and " << designs.size() - kPrintedDesigns << " more: see --csv or --json\n";
}

} // namespace

int tellFound(const SearchProblem& problem, const SearchTally& tally, const FindOutput& output) {
    if (!output.csv.empty())
        writeFileAtomically(output.csv, csvFile(searchCsv(problem, tally)));
    if (output.json) {
        printJson(searchJson(problem, tally));
        return tally.kept() > 0 ? kDone : kBadInput;
    }
    const auto result = searchResult(problem, tally);
    std::cout << tally.points() << " points, " << tally.running() << " run, " << tally.kept()
              << " within the limits\n";
    if (!result.unmet.empty()) {
        std::cout << result.unmet << '\n';
        return kBadInput;
    }
    std::cout << "\nDesigns that none beats in";
    for (const auto& goal : problem.goals)
        std::cout << ' ' << goalText(goal) << (&goal == &problem.goals.back() ? "\n" : ",");
    printDesigns(problem, result, result.front);
    for (std::size_t g = 0; problem.best > 0 && g < problem.goals.size(); ++g) {
        std::cout << "\nBest by " << goalText(problem.goals[g]) << '\n';
        printDesigns(problem, result, result.best[g]);
    }
    Truths front;
    for (const auto& design : result.front)
        front.add(design.truth);
    const bool led = front.has(Truth::Ideal);
    for (const auto truth : {Truth::Ideal, Truth::Class})
        if (front.has(truth))
            std::cout << '\n' << truthName(truth) << ": " << truthRemark(truth) << '\n';
    if (led && result.truths.anyMeasured())
        std::cout
            << "Ideal designs stand on the front beside measured ones. Like for like: --limit measured\n";
    return kDone;
}

} // namespace heteroscape::cli
