// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/decisive.h"

#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "tests/engine/fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("the parts of a batch add up to the latency, on every preset") {
    std::size_t checked = 0;
    for (const auto& info : listPresets(catalog())) {
        const auto scenario = preset(info.id);
        const auto evaluation = evaluate(scenario);
        const auto parts = batchParts(scenario, evaluation);
        CAPTURE(info.id);
        if (!evaluation.feasible) {
            CHECK(parts.empty());
            continue;
        }
        double sum = 0.0;
        for (const auto& part : parts) {
            CHECK(part.seconds > 0.0);
            sum += part.seconds;
        }
        CHECK(off(sum, evaluation.metric(Metric::Latency)) < 1e-12);
        CHECK(parts.front().seconds == evaluation.metric(Metric::TimeToFirstToken));
        ++checked;
    }
    CHECK(checked > 10);
}

TEST_CASE("what a technique gains is told in words that its ratio bears out") {
    TechniqueGain gain{"l2_prefetch", "L2 prefetch", true, {}, 0.144, 1.25, 1.0};
    CHECK(gainText(gain) ==
          "L2 prefetch, against without: throughput 6.944 \u00d7 worse, latency 1.250 \u00d7 better, "
          "time per token unchanged");
    gain.throughput = gain.latency = 1.0;
    CHECK(gainText(gain) == "L2 prefetch: changes nothing here");
}

TEST_CASE("an offloading design's decode is divided by what it waits for") {
    const auto scenario = preset("inf2/opt-30b-a100-16csd");
    const auto evaluation = evaluate(scenario);
    std::size_t waits = 0;
    for (const auto& part : batchParts(scenario, evaluation))
        if (part.kind == BatchPart::Kind::Offload) {
            CAPTURE(part.key);
            CHECK(off(part.seconds, evaluation.metric(part.metric)) < 1e-9);
            ++waits;
        }
    CHECK(waits >= 2);
}

TEST_CASE("what decides: the phase of the metric, longest first") {
    const auto scenario = preset("glitches/a100-7u280");
    const auto evaluation = evaluate(scenario);
    const auto first = decisivePart(scenario, evaluation, Metric::TimeToFirstToken);
    REQUIRE(first);
    CHECK(first->phase == Phase::Prefill);
    CHECK(first->name.find("A100") != std::string::npos);
    const auto token = decisivePart(scenario, evaluation, Metric::TimePerToken);
    REQUIRE(token);
    CHECK(token->phase == Phase::Decode);
    CHECK(token->name.find("U280") != std::string::npos);
    REQUIRE(token->works.size() == 5);
    double share = 0.0;
    for (std::size_t i = 0; i < token->works.size(); ++i) {
        share += token->works[i].share;
        if (i > 0)
            CHECK(token->works[i].seconds <= token->works[i - 1].seconds);
    }
    CHECK(share > 0.5);
    CHECK(share <= 1.0 + 1e-12);
    CHECK_FALSE(decisivePart(scenario, evaluation, Metric::Price));
}
