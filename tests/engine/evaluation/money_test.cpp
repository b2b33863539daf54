// SPDX-License-Identifier: GPL-3.0-or-later
// What tokens cost: steady, under load, with servers around the devices, bought or rented.
#include "engine/evaluation/explain.h"
#include "engine/evaluation/simulate.h"
#include "engine/evaluation/system_terms.h"
#include "tests/engine/serving/serving_fixtures.h"

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

constexpr double kHour = 3600.0;
const std::string kServed = "served/deepseek-v3-8h200-tp8"; // 8 x $32,000, paid off in 3 years of 365 days
constexpr double kPriceOfHour = 8 * 32000.0 / (3 * 365 * 24);

struct Load {
    Evaluation evaluation;
    double hours = 0.0;
    double tokens = 0.0;

    double metric(Metric which) const { return evaluation.metric(which); }
    double dollarsOfHour() const { return metric(Metric::ServedCost) * tokens / hours; }
};

Load loadOf(const Scenario& scenario) {
    Load load{evaluate(scenario)};
    const auto serving = simulate(scenario, load.evaluation);
    REQUIRE(serving.ran());
    setServingMetrics(serving, load.evaluation);
    load.hours = serving.result.seconds() / kHour;
    load.tokens = serving.result.outputTokens;
    return load;
}

Scenario withUsers(double users) {
    auto scenario = presetWith(kServed, {{"serving.batching", "mixed"}});
    scenario.serving.arrivals = arrivalsNamed("closed_loop");
    scenario.serving["users"].value = users;
    scenario.serving["requests"].value = 200.0;
    return scenario;
}

/// With a server around its devices, in figures that nothing ships.
Scenario withServer(Scenario scenario) {
    for (const auto& [key, value] :
         {std::pair("devices", "4"), std::pair("price_usd", "50000"), std::pair("host_w", "900"),
          std::pair("loss", "1.1"), std::pair("rated_w", "6000")})
        scenario = with(scenario, std::string("nodes.gpu.chassis_") + key, value);
    return scenario;
}

} // namespace

TEST_CASE("money: a backlog of full batches costs what the steady state does") {
    // Batches of equal requests, one after the other, have no end effects: the last ends as the first did.
    // Stated powers are the same under load; modelled ones are those of a batch's mean step, 2 % off here,
    // of which electricity has a 28th part.
    for (const auto& [id, requests, within] :
         {std::tuple("glitches/8a100", 400.0, 1e-9), std::tuple(kServed.c_str(), 640.0, 1e-3)}) {
        CAPTURE(id);
        auto scenario = preset(id);
        scenario.serving.arrivals = arrivalsNamed("backlog");
        scenario.serving["requests"].value = requests;
        const auto load = loadOf(scenario);
        CHECK(off(load.metric(Metric::ServedCost), load.metric(Metric::CostPerToken)) < within);
        CHECK(off(load.metric(Metric::ServedPerPrice), load.metric(Metric::ThroughputPerPrice)) < 1e-9);
        CHECK(off(load.metric(Metric::ServedPerPower), load.metric(Metric::ThroughputPerPower)) <
              30.0 * within);
        CHECK(off(load.metric(Metric::ServedPerPower) * load.metric(Metric::ServedEnergy), 1.0) < 1e-12);
    }
    // Of a last batch that an eighth fills, an eighth of the tokens is made in the time of almost a whole
    // one.
    auto scenario = presetWith(kServed, {{"cost.electricity_usd_per_kwh", "0"}});
    scenario.serving.arrivals = arrivalsNamed("backlog");
    scenario.serving["requests"].value = 72.0;
    const auto load = loadOf(scenario);
    const double more = load.metric(Metric::ServedCost) / load.metric(Metric::CostPerToken);
    CHECK(more > 1.15);
    CHECK(more < 2.0 / 1.125);
}

TEST_CASE("money: half the users, fewer tokens, the same dollars an hour and idle watts") {
    const auto all = loadOf(withUsers(64)), half = loadOf(withUsers(32)), one = loadOf(withUsers(1));
    CHECK(half.metric(Metric::ServedThroughput) < 0.8 * all.metric(Metric::ServedThroughput));
    CHECK(half.metric(Metric::ServedCost) > 1.25 * all.metric(Metric::ServedCost));
    CHECK(one.metric(Metric::ServedCost) > 5.0 * half.metric(Metric::ServedCost));
    for (const auto* load : {&all, &half, &one}) {
        const double power = load->metric(Metric::ServedPower);
        CHECK(off(load->dollarsOfHour(), kPriceOfHour + power / 1000.0 * 0.10) < 1e-12);
        CHECK(power > 8 * 120.0); // awake
    }
    // The price alone is the same to the last digit, whoever comes.
    for (const double users : {64.0, 32.0, 1.0})
        CHECK(off(loadOf(with(withUsers(users), "cost.electricity_usd_per_kwh", "0")).dollarsOfHour(),
                  kPriceOfHour) < 1e-12);
    // Hardly anybody comes: watts of waiting, all of them paid.
    auto idle = presetWith(kServed, {{"serving.batching", "mixed"}});
    idle.serving.arrivals = arrivalsNamed("poisson");
    idle.serving["rate_req_s"].value = 1e-5;
    idle.serving["requests"].value = 4.0;
    const auto waiting = loadOf(idle);
    CHECK(off(waiting.metric(Metric::ServedPower), 8 * 120.0) < 1e-3);
    CHECK(off(waiting.dollarsOfHour(), kPriceOfHour + 0.96 * 0.10) < 1e-4);
}

TEST_CASE("money: servers around devices are bought and fed; what is counted is said") {
    const auto bare = preset(kServed), whole = withServer(bare);
    const auto without = evaluate(bare), built = evaluate(whole);
    CHECK(without.metric(Metric::Price) == 256000.0);
    CHECK(built.metric(Metric::Price) == 256000.0 + 2 * 50000.0); // eight devices, four a server
    CHECK(built.metric(Metric::Power) == without.metric(Metric::Power));
    CHECK(built.metric(Metric::RatedPower) == 12000.0);
    CHECK(std::isnan(without.metric(Metric::RatedPower)));
    const double wall = (2 * 900 + built.metric(Metric::Power)) * 1.1;
    CHECK(off(built.metric(Metric::FacilityPower), wall) < 1e-12);
    const double hour = kPriceOfHour * 356.0 / 256.0 + wall / 1000.0 * 0.10;
    CHECK(off(built.metric(Metric::CostPerToken) * built.metric(Metric::Throughput) * kHour, hour) < 1e-12);
    const auto served = loadOf(withServer(withUsers(32)));
    const double drawn = (2 * 900 + served.metric(Metric::ServedPower)) * 1.1;
    CHECK(off(served.metric(Metric::ServedFacilityPower), drawn) < 1e-12);
    CHECK(off(served.dollarsOfHour(), kPriceOfHour * 356.0 / 256.0 + drawn / 1000.0 * 0.10) < 1e-12);
    for (const auto metric : {Metric::Price, Metric::ThroughputPerPrice, Metric::CostPerToken,
                              Metric::ServedCost, Metric::ServedPerPrice}) {
        CAPTURE(std::string(metricSpec(metric).key));
        CHECK(metricNote(bare, metric).starts_with("devices only: the servers around them (host, network"));
        CHECK(metricNote(whole, metric).starts_with("devices and the servers around them (host, network"));
    }
    for (const auto metric : {Metric::Power, Metric::EnergyPerToken, Metric::ThroughputPerPower,
                              Metric::ServedPower, Metric::ServedEnergy, Metric::ServedPerPower}) {
        CAPTURE(std::string(metricSpec(metric).key));
        CHECK(contains(metricNote(bare, metric), "is not known (nodes.ID.chassis_host_w"));
        CHECK(contains(metricNote(whole, metric), "are in facility_w"));
    }
    CHECK(metricNote(bare, Metric::Throughput).empty());
    CHECK(contains(explain(whole, "price_usd").remark(), "devices and the servers"));
    // Of two nodes one alone has its server.
    auto split = preset("served/qwen3-235b-8u280-4h200");
    std::string named;
    for (const auto& node : split.nodes)
        if (node.device.id == "h200-sxm")
            named = node.id.value;
    REQUIRE_FALSE(named.empty());
    split = with(split, "nodes." + named + ".chassis_price_usd", "1000");
    CHECK(contains(metricNote(split, Metric::Price), "alone"));
}

TEST_CASE("money: interest, utilisation and rent") {
    const auto dollars = [](const Scenario& scenario) {
        const auto evaluation = evaluate(scenario);
        return evaluation.metric(Metric::CostPerToken) * evaluation.metric(Metric::Throughput) * kHour;
    };
    const auto free = presetWith(kServed, {{"cost.electricity_usd_per_kwh", "0"}});
    CHECK(off(dollars(free), kPriceOfHour) < 1e-12);
    CHECK(dollars(with(free, "cost.interest_pct", "0")) == dollars(free));
    // Equal parts at the end of each year pay what is owed, and what it bears, to the last cent.
    const double year = dollars(with(free, "cost.interest_pct", "8")) * 365 * 24;
    double owed = 256000.0;
    for (int i = 0; i < 3; ++i)
        owed = owed * 1.08 - year;
    CHECK(std::fabs(owed) < 1e-6);
    CHECK(off(dollars(with(free, "cost.utilisation_pct", "40")), kPriceOfHour / 0.4) < 1e-12);
    auto rented = with(preset(kServed), "cost.rented", "1");
    CHECK(off(dollars(rented), 8 * 4.0) < 1e-12); // with power and building, whatever electricity costs
    CHECK(off(loadOf(with(withUsers(32), "cost.rented", "1")).dollarsOfHour(), 8 * 4.0) < 1e-12);
    CHECK(metricNote(rented, Metric::CostPerToken) == "rent of the devices, with server, power and building");
    CHECK(metricNote(rented, Metric::Price).starts_with("devices only"));
    // What nobody lets has no rent, and no cost.
    rented.nodes[0].device.rent = {};
    CHECK(std::isnan(evaluate(rented).metric(Metric::CostPerToken)));
}
