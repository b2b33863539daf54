// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"

#include "engine/exporters/study_csv.h"
#include "tests/engine/fixtures.h"

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;

namespace {

ClaimResult result(ClaimKind kind, double error) {
    ClaimResult made;
    made.claim.kind = kind;
    made.error = error;
    return made;
}

} // namespace

TEST_CASE("claims are counted by kind within 1, 5 and 10 %, by unrounded errors, either way") {
    const std::vector<ClaimResult> results{
        result(ClaimKind::Predicted, 0.01),
        result(ClaimKind::Predicted, -0.0100001),
        result(ClaimKind::Predicted, 0.05),
        result(ClaimKind::Predicted, 0.0999),
        result(ClaimKind::Predicted, -0.2),
        result(ClaimKind::Predicted, std::numeric_limits<double>::quiet_NaN()),
        result(ClaimKind::Count, 0.0),
        result(ClaimKind::Calibrated, -0.004),
        result(ClaimKind::Calibrated, 0.1001),
    };
    const auto summary = summarise(results);
    REQUIRE(summary.size() == 3); // nothing was chosen
    CHECK(summary[0] == KindSummary{ClaimKind::Count, 1, {1, 1, 1}});
    CHECK(summary[1] == KindSummary{ClaimKind::Calibrated, 2, {1, 1, 1}});
    CHECK(summary[2] == KindSummary{ClaimKind::Predicted, 6, {1, 3, 4}});
    CHECK(summaryText(summary) == "Count: 1 of 1 within 1 %. Calibrated: 1 of 2 within 1 %. "
                                  "Predicted: 1 of 6 within 1 %, 3 within 5 %, 4 within 10 %.");
}

TEST_CASE("a claim on an ideal design is marked, in the table too") {
    Paper paper;
    paper.id = "p";
    for (const auto* preset : {"served/qwen3-235b-8u280-4h200", "glitches/8a100"}) {
        Claim claim;
        claim.id = claim.scenario = preset;
        claim.paper = 1.0;
        claim.model = std::make_shared<const Json>(2.0);
        paper.claims.push_back(claim);
    }
    const auto comparison = compare(test::catalog(), paper);
    CHECK(comparison.results[0].truth == Truth::Ideal);
    CHECK(comparison.results[1].truth == Truth::Modelled);
    const auto csv = claimsCsv(std::vector{comparison});
    CHECK(csv.find(",note,truth\n") != std::string::npos);
    CHECK(csv.find(",served/qwen3-235b-8u280-4h200,,ideal\n") != std::string::npos);
}

TEST_CASE("the summary of several papers is the sum of theirs") {
    PaperComparison first, second;
    first.results = {result(ClaimKind::Count, 0.0), result(ClaimKind::Predicted, 0.03)};
    second.results = {result(ClaimKind::Count, 0.2)};
    const auto summary = summarise(std::vector{first, second});
    REQUIRE(summary.size() == 2);
    CHECK(summary[0] == KindSummary{ClaimKind::Count, 2, {1, 1, 1}});
    CHECK(summary[1] == KindSummary{ClaimKind::Predicted, 1, {0, 1, 1}});
    CHECK(summaryText({}).empty());
}
