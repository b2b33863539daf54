// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/hints.h"

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/timeline.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/runtime_choice.h"
#include "tests/engine/fixtures.h"
#include "tests/shipped_catalog.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape;
using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("what hints promise of a change and of a number is what the changed design does") {
    int ranges = 0; // changes whose gain depends on a share of theirs
    for (const auto& id : shippedCatalog()->systems) {
        const auto scenario = loadPreset(*shippedCatalog(), id, id);
        if (scenario.nodes.size() > 12) // the same equations, for longer
            continue;
        const auto now = evaluate(scenario);
        const auto found = hints(scenario, *shippedCatalog());
        CAPTURE(id);
        REQUIRE(now.feasible);
        CHECK(found.bound == boundLabel(scenario, now));
        CHECK(found.tried > found.changes.size());
        CHECK(found.changes.size() <= Hints::kMostChanges);
        REQUIRE(!found.working.empty());
        for (const auto& one : found.working) {
            CHECK(one.share >= 0);
            CHECK(one.share <= 1);
        }
        double before = 1e300;
        for (const auto& change : found.changes) {
            auto changed = scenario;
            applyEdit(changed, change.edit);
            CAPTURE(change.label);
            CHECK(validate(changed).size() <= validate(scenario).size());
            CHECK(change.gain ==
                  evaluate(changed).metric(Metric::Throughput) / now.metric(Metric::Throughput));
            CHECK(change.gain > 1);
            CHECK(change.atBest >= change.gain);
            ranges += change.atBest > change.gain;
            CHECK(change.gain <= before);
            before = change.gain;
        }
        if (!found.sweep)
            continue;
        CHECK(std::find(found.sweep->values.begin(), found.sweep->values.end(), found.sweep->now) !=
              found.sweep->values.end());
        for (std::size_t i = 0; i < found.sweep->values.size(); ++i) {
            auto changed = scenario;
            const auto quantity = resolveQuantity(changed, found.sweep->path);
            quantity.access(changed) = {found.sweep->values[i] * quantity.spec.scale, Provenance::User, {}};
            CHECK(found.sweep->throughput[i] == evaluate(changed).metric(Metric::Throughput));
        }
    }
    CHECK(ranges > 0);
}

TEST_CASE("the best of a change is reached by a share at an end of its range") {
    const auto scenario = loadPreset(*shippedCatalog(), "preserve/llama3-70b-4npu-measured", "test");
    const double now = evaluate(scenario).metric(Metric::Throughput);
    for (const auto& change : hints(scenario, *shippedCatalog()).changes) {
        const auto* technique = change.edit.as<SetTechnique>();
        if (!technique || change.atBest == change.gain)
            continue;
        CAPTURE(change.label);
        double best = 0;
        for (const auto& [spec, initial] : techniqueOf(technique->id).parameters())
            for (const double end : {0.0, 1.0}) {
                auto changed = scenario;
                applyEdit(changed, change.edit);
                const auto path = "techniques." + technique->id + "." + std::string(spec.key);
                if (spec.maximum == 1)
                    applyEdit(changed, SetQuantity{path, {end, Provenance::User, {}}});
                best = std::max(best, evaluate(changed).metric(Metric::Throughput) / now);
            }
        CHECK(change.atBest >= best);
    }
}

TEST_CASE("ideal software is no gain of a design whose software is not ideal") {
    for (const auto* id : {"glitches/8a100", "preserve/llama3-70b-4npu-measured"}) {
        CAPTURE(id);
        const auto scenario = loadPreset(*shippedCatalog(), id, "test");
        int runtimes = 0; // that the catalogue has for it, and that are ideal
        for (const auto& node : scenario.nodes) {
            if (!node.runtime)
                continue;
            REQUIRE(!isIdeal(*node.runtime));
            for (const auto& entry : shippedCatalog()->runtimes)
                runtimes += canRun(entry.on(node.device), node.device) && isIdeal(entry.on(node.device));
        }
        CHECK(runtimes > 0);
        for (const auto& change : hints(scenario, *shippedCatalog()).changes)
            if (const auto* set = change.edit.as<SetDevice>()) {
                CAPTURE(change.label);
                const std::optional<Runtime>& runtime = *set->runtime;
                CHECK(!(runtime && isIdeal(*runtime)));
            }
    }
}

TEST_CASE("a count of copies to which the throughput is proportional is no number to sweep") {
    const auto scenario = loadPreset(*shippedCatalog(), "glitches/8a100", "test");
    const auto found = hints(scenario, *shippedCatalog());
    const auto bound = evaluate(scenario).bound.node;
    const auto count = "nodes." + scenario.nodes[bound].id.value + ".count";
    auto twice = scenario;
    const auto quantity = resolveQuantity(twice, count);
    quantity.access(twice).value *= 2;
    const double gain =
        evaluate(twice).metric(Metric::Throughput) / evaluate(scenario).metric(Metric::Throughput);
    REQUIRE(std::abs(gain - 2) < 1e-9);
    REQUIRE(found.sweep);
    CHECK(found.sweep->path != count);
}

TEST_CASE("the link of collectives works for as much of the step as the timeline says") {
    const auto scenario = loadPreset(*shippedCatalog(), "preserve/llama3-70b-8h100", "test");
    const auto now = evaluate(scenario);
    const auto& node = scenario.nodes[now.bound.node];
    const auto* link = collectiveLink(scenario, node);
    REQUIRE(link);
    const auto step = stepTimeline(scenario, node.id, now.bound.phase);
    double seconds = 0;
    for (const auto& segment : step.segments)
        if (segment.lane == Lane::Network)
            seconds += segment.end - segment.start;
    REQUIRE(seconds > 0);
    const auto& working = hints(scenario, *shippedCatalog()).working;
    const auto found = std::find_if(working.begin(), working.end(), [&](const WorkingShare& one) {
        return one.label == link->type.name + " link";
    });
    REQUIRE(found != working.end());
    CHECK(found->share == doctest::Approx(seconds / step.seconds));
}

TEST_CASE("hints of what cannot run are empty, and they stop when asked") {
    Scenario empty;
    CHECK(hints(empty, *shippedCatalog()).bound.empty());
    CHECK(hints(empty, *shippedCatalog()).tried == 0);
    std::stop_source stop;
    stop.request_stop();
    const auto scenario = loadPreset(*shippedCatalog(), "glitches/8a100", "test");
    CHECK_THROWS_AS(hints(scenario, *shippedCatalog(), stop.get_token()), Error);
}
