// SPDX-License-Identifier: GPL-3.0-or-later
// Explanations are taken apart and added up again, and compared with what evaluate() and simulate() say.
#include "engine/evaluation/explain.h"

#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/edit.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"
#include "tests/engine/random_edits.h"
#include "tests/engine/term_check.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// Explanations take a product for a quotient by a reciprocal, and a step at the middle of a run of contexts
/// for the line through it, which is known to a part in 1e12 itself: a few roundings in each of up to 24
/// operators, chains and runs.
constexpr double kRounding = 1e-11;

bool agree(double explained, double evaluated) {
    if (std::isnan(explained) || std::isnan(evaluated))
        return std::isnan(explained) && std::isnan(evaluated);
    return std::fabs(explained - evaluated) <= kRounding * std::fabs(evaluated);
}

Evaluation evaluated(const Scenario& scenario) {
    auto evaluation = evaluate(scenario);
    if (evaluation.feasible && scenario.serving.isSimulated())
        setServingMetrics(simulate(scenario, evaluation), evaluation);
    return evaluation;
}

/// Every metric of a design; returns how many have a value.
std::size_t checkMetrics(const Scenario& scenario) {
    const auto evaluation = evaluated(scenario);
    std::size_t known = 0;
    for (const auto& spec : metricSpecs()) {
        CAPTURE(std::string(spec.key));
        const auto term = explain(scenario, std::string(spec.key));
        const double value = evaluation.metric(spec.metric);
        CHECK(TermCheck(term).problem() == "");
        CHECK(term.name() == spec.label);
        CHECK_MESSAGE(agree(term.value(), value), "explained ", exactText(term.value()), ", evaluated ",
                      exactText(value));
        if (std::isnan(value) || value == 0.0)
            continue;
        CHECK_FALSE(term.terms().empty());
        ++known;
    }
    return known;
}

/// Every metric of a node that is explained.
void checkNodes(const Scenario& scenario) {
    const auto evaluation = evaluate(scenario);
    if (!evaluation.feasible)
        return;
    for (const auto& path : explainedNodeMetrics(scenario)) {
        CAPTURE(path);
        const auto known = findMetric(scenario, evaluation, path);
        const auto term = explain(scenario, path);
        CHECK(TermCheck(term).problem() == "");
        CHECK(term.name() == known.label);
        CHECK_MESSAGE(agree(term.shown(), known.value), "explained ", exactText(term.shown()), ", evaluated ",
                      exactText(known.value));
    }
}

} // namespace

TEST_CASE("every metric of every preset is what its terms add up to") {
    std::size_t known = 0;
    for (const auto& info : listPresets(catalog())) {
        CAPTURE(info.id);
        auto scenario = preset(info.id);
        known += checkMetrics(scenario);
        checkNodes(scenario);
        scenario.serving.arrivals = arrivalsNamed("poisson"); // so that the simulated ones are set too
        scenario.serving["requests"].value = 40.0;
        known += checkMetrics(scenario);
    }
    CHECK(known > 1000);
}

TEST_CASE("so is every metric of designs that were edited at random") {
    RandomEdits edits(catalog(), 20260731);
    const auto presets = listPresets(catalog());
    std::size_t known = 0;
    for (int design = 0; design < rounds(200); ++design) {
        const auto& id = presets[static_cast<std::size_t>(design) % presets.size()].id;
        CAPTURE(id);
        CAPTURE(design);
        auto scenario = preset(id);
        scenario.serving.arrivals = arrivalsNamed("steady");
        for (std::size_t step = 0; step <= edits.below(3); ++step) {
            auto edited = scenario;
            try {
                applyEdit(edited, edits.next(scenario));
            } catch (const Error&) {
                continue; // it did not fit
            }
            scenario = std::move(edited);
        }
        scenario.serving.arrivals = arrivalsNamed("steady"); // simulations are the presets' part
        known += checkMetrics(scenario);
        checkNodes(scenario);
    }
    CHECK(known > scaled(1500u));
}

TEST_CASE("the layer's time is the sum of its operators") {
    const auto scenario = preset("preserve/llama3-70b-8h100");
    const auto layer = explain(scenario, "layer_us");
    REQUIRE(layer.terms().size() == 2);
    CHECK(layer.formula() == "Attention segment + FFN segment");
    CHECK(layer.terms()[0].value() + layer.terms()[1].value() == layer.value());
    CHECK(layer.terms()[0].terms().size() >= 6);
}

TEST_CASE("infeasible explains why, unknown metrics list the known") {
    auto scenario = preset("glitches/a100-7u280");
    scenario.links.clear();
    CHECK(explain(scenario, "throughput_tok_s").source().find("No path") == 0);
    CHECK(errorOf([&] { explain(scenario, "speed"); }).find("throughput_tok_s") != std::string::npos);
}
