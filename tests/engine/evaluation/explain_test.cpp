// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/explain.h"

#include "engine/evaluation/evaluate.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Every constant below a node says where it comes from.
void checkSources(const Explanation& node) {
    CAPTURE(node.name);
    if (node.terms.empty())
        CHECK_FALSE(node.source.empty());
    for (const auto& term : node.terms)
        checkSources(term);
}

} // namespace

TEST_CASE("every metric explains itself down to sources, with its own value") {
    for (const auto* id : {"glitches/a100-7u280", "glitches/8a100", "glitches/8u280"}) {
        const auto scenario = preset(id);
        const auto e = evaluate(scenario);
        for (const auto& spec : metricSpecs()) {
            CAPTURE(std::string(spec.key));
            const auto explanation = explain(scenario, std::string(spec.key));
            const double value = toEdge(e.metric(spec.metric), spec.scale);
            if (std::isnan(value))
                CHECK(std::isnan(explanation.value));
            else
                CHECK(explanation.value == value);
            if (!explanation.terms.empty())
                checkSources(explanation);
        }
    }
}

TEST_CASE("the text names constants and their origin") {
    const auto text = explanationText(explain(preset("glitches/a100-7u280"), "throughput_tok_s"));
    CHECK(text.find(
              "Issue of one load = 40 cycles  [U280 decode of GLITCHES, Table I (21.50 ms) (calibrated)]") !=
          std::string::npos);
    CHECK(text.find("Prefetch ratio M = 4") != std::string::npos);
}

TEST_CASE("infeasible explains why, unknown metrics list the known") {
    auto scenario = preset("glitches/a100-7u280");
    scenario.links.clear();
    CHECK(explain(scenario, "throughput_tok_s").source.find("No path") == 0);
    CHECK(errorOf([&] { explain(scenario, "speed"); }).find("throughput_tok_s") != std::string::npos);
}
