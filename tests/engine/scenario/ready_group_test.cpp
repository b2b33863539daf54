// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/clip.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/system_terms.h"
#include "engine/scenario/diagnostics.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// A design of that group alone, serving Llama-3.1-70B.
Scenario designOf(const ReadyGroup& group) {
    Scenario scenario;
    scenario.name = group.name;
    scenario.model = catalog().model("llama3-1-70b", "test");
    scenario.workload = catalog().workload("s4k", "test");
    scenario.workload.batch = {16.0, Provenance::User, {}};
    std::vector<NodeId> placed;
    applyEdit(scenario, pasteEdit(scenario, group.clip, {}, placed));
    return scenario;
}

} // namespace

TEST_CASE("ready groups: each is linked as it is sold, and serves as it is placed") {
    const auto groups = loadGroups(catalog());
    REQUIRE(groups.size() >= 7);
    for (const auto& group : groups) {
        CAPTURE(group.id);
        CHECK(!group.about.empty());
        const auto& first = group.clip.nodes.front();
        CHECK(first.position.x == 0.0);
        CHECK(first.position.y == 0.0);
        for (const auto& link : group.clip.links) {
            const auto ends = [&](const NodeId& id) -> const Device& {
                return std::find_if(group.clip.nodes.begin(), group.clip.nodes.end(),
                                    [&](const Node& node) { return node.id == id; })
                    ->device;
            };
            const auto offers = catalog().linkOffers(ends(link.from), ends(link.to));
            CHECK(std::any_of(offers.begin(), offers.end(),
                              [&](const LinkType* offer) { return offer->id == link.type.id; }));
        }
        const auto scenario = designOf(group);
        if (!isAccelerator(first.device.kind))
            continue;
        CHECK(first.runtime.has_value());
        for (const auto& finding : validate(scenario)) {
            CAPTURE(finding.message);
            CHECK(finding.severity != Severity::Error);
        }
        const auto evaluation = evaluate(scenario);
        CAPTURE(evaluation.reason);
        CHECK(evaluation.feasible);
        CHECK(std::isfinite(evaluation.metric(Metric::CostPerToken)));
        // The server around the devices, with where each figure comes from; prices are nobody's data sheet.
        for (const auto metric : {Metric::FacilityPower, Metric::RatedPower})
            CHECK(evaluation.metric(metric) > evaluation.metric(Metric::Power));
        for (const auto& node : scenario.nodes) {
            if (!isAccelerator(node.device.kind))
                continue;
            for (const auto* figure : {&node.chassisDevices, &node.chassisPrice, &node.chassisHost,
                                       &node.chassisLoss, &node.chassisRated}) {
                CHECK(figure->isSet());
                CHECK_FALSE(figure->source.empty());
            }
            CHECK(node.chassisPrice.provenance == Provenance::Assumed);
        }
        CHECK(metricNote(scenario, Metric::Price).starts_with("devices and the servers around them"));
    }
}

TEST_CASE("ready groups: an unknown one is refused by name") {
    try {
        loadGroup(catalog(), "../devices/u280");
        FAIL("not refused");
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::NotFound);
        CHECK(std::string(error.what()).find("hgx-h100") != std::string::npos);
    }
}
