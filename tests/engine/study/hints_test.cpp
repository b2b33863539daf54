// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/hints.h"

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/diagnostics.h"
#include "tests/engine/fixtures.h"
#include "tests/shipped_catalog.h"

#include <algorithm>

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
        const auto* technique = std::get_if<SetTechnique>(&change.edit);
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

TEST_CASE("hints of what cannot run are empty, and they stop when asked") {
    Scenario empty;
    CHECK(hints(empty, *shippedCatalog()).bound.empty());
    CHECK(hints(empty, *shippedCatalog()).tried == 0);
    std::stop_source stop;
    stop.request_stop();
    const auto scenario = loadPreset(*shippedCatalog(), "glitches/8a100", "test");
    CHECK_THROWS_AS(hints(scenario, *shippedCatalog(), stop.get_token()), Error);
}
