// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"

#include "engine/claims/expression.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const Claim& claimOf(const Paper& paper, const std::string& id) {
    return *std::find_if(paper.claims.begin(), paper.claims.end(),
                         [&](const Claim& c) { return c.id == id; });
}

/// The metric of an opened design, evaluated anew.
double valueOf(const ClaimDesign& design) {
    return findMetric(design.scenario, evaluate(design.scenario), design.metric).value;
}

} // namespace

TEST_CASE("the design of a claim that is one metric gives the claim's number") {
    std::size_t checked = 0;
    for (const auto& paper : loadPapers(catalog())) {
        ExpressionEvaluator evaluator(catalog());
        for (const auto& claim : paper.claims) {
            if (!claim.model->is_object() || !claim.model->contains("metric"))
                continue;
            CAPTURE(claim.id);
            const auto designs = claimDesigns(catalog(), claim);
            REQUIRE(designs.size() == 1);
            const double number = evaluator.value(*claim.model, claim.id);
            CHECK(designs[0].value == number);
            CHECK(valueOf(designs[0]) == number);
            checked += claim.model->contains("set") ? 1 : 0;
        }
    }
    CHECK(checked > 20); // not only presets as they are
}

TEST_CASE("the designs of a ratio give its parts") {
    std::size_t checked = 0, pairs = 0;
    for (const auto& paper : loadPapers(catalog())) {
        ExpressionEvaluator evaluator(catalog());
        for (const auto& claim : paper.claims) {
            if (!claim.model->is_object() || !claim.model->contains("ratio"))
                continue;
            const auto& over = (*claim.model)["ratio"][0];
            const auto& under = (*claim.model)["ratio"][1];
            if (!over.contains("metric") || !under.contains("metric"))
                continue;
            CAPTURE(claim.id);
            const auto designs = claimDesigns(catalog(), claim);
            REQUIRE(designs.size() >= 1);
            REQUIRE(designs.size() <= 2); // one where both are metrics of the same design
            CHECK(valueOf(designs[0]) == evaluator.value(over, claim.id));
            ++checked;
            if (designs.size() == 2) {
                CHECK(valueOf(designs[1]) == evaluator.value(under, claim.id));
                ++pairs;
            }
        }
    }
    CHECK(checked > 20);
    CHECK(pairs > 10);
}

TEST_CASE("the design that an optimum is found at stands first") {
    const auto paper = loadPaper(catalog(), "preserve");
    const auto& claim = claimOf(paper, "fig7-best");
    const auto designs = claimDesigns(catalog(), claim);
    REQUIRE_FALSE(designs.empty());
    ExpressionEvaluator evaluator(catalog());
    const double best = evaluator.value(*claim.model, claim.id);
    CHECK(designs[0].scenario.nodes[0].count.value == best);
}

TEST_CASE("every claim has a design, no two alike, and not more than can be shown") {
    std::size_t checked = 0, several = 0;
    for (const auto& paper : loadPapers(catalog()))
        for (const auto& claim : paper.claims) {
            CAPTURE(claim.id);
            const auto designs = claimDesigns(catalog(), claim);
            CHECK_FALSE(designs.empty());
            CHECK(designs.size() <= kMostClaimDesigns);
            std::vector<std::string> keys;
            for (const auto& design : designs)
                keys.push_back(scenarioKey(design.scenario));
            std::sort(keys.begin(), keys.end());
            CHECK(std::adjacent_find(keys.begin(), keys.end()) == keys.end());
            ++checked;
            several += designs.size() > 1 ? 1 : 0;
        }
    CHECK(checked > 100);
    CHECK(several > 10);
}
