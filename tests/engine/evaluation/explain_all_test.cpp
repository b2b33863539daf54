// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/evaluation/simulate.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("every metric that a preset has is derived, to the last digit") {
    std::size_t checked = 0;
    for (const auto& info : listPresets(catalog())) {
        auto scenario = preset(info.id);
        scenario.serving.arrivals = arrivalsNamed("poisson"); // so that the simulated ones are set too
        scenario.serving["requests"].value = 40.0;
        auto evaluation = evaluate(scenario);
        if (!evaluation.feasible)
            continue;
        setServingMetrics(simulate(scenario, evaluation), evaluation);
        for (const auto& spec : metricSpecs()) {
            const double value = toEdge(evaluation.metric(spec.metric), spec.scale);
            if (std::isnan(value))
                continue;
            CAPTURE(info.id);
            CAPTURE(std::string(spec.key));
            const auto explanation = explain(scenario, std::string(spec.key));
            CHECK(explanation.value == value);
            CHECK_FALSE(explanation.formula.empty());
            CHECK_FALSE(explanation.terms.empty());
            ++checked;
        }
    }
    CHECK(checked > 600);
}
