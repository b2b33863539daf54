// SPDX-License-Identifier: GPL-3.0-or-later
// How far figures from measured kernels are expected to be off.
#include "engine/evaluation/expected_error.h"

#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/explain.h"
#include "engine/timing/kernels/kernel_time.h"
#include "tests/engine/fixtures.h"

#include "tests/engine/timing/kernels/kernel_fixtures.h"
#include <cmath>
#include <fstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Scenario serve(const std::string& device, const std::string& runtime,
               const std::string& model = "llama3-1-70b") {
    return presetWith("preserve/llama3-70b-8h100", {{"nodes.gpu.device", device},
                                                    {"nodes.gpu.runtime", runtime},
                                                    {"nodes.gpu.server", "none"},
                                                    {"model", model},
                                                    {"workload.batch", "2"}, // 10,922 rows of a prefill
                                                    {"techniques.l2_prefetch.enabled", "false"}});
}

ExpectedError expected(const Scenario& scenario, Metric metric) {
    const auto evaluation = evaluate(scenario);
    REQUIRE(evaluation.feasible);
    return ExpectedErrors(scenario, evaluation).of(metric);
}

Term leaf(const char* name, double value, double percent, double other = 0.0) {
    return Term::counted(name, value, measures::seconds, "counted").expecting({percent, other, 0.0});
}

} // namespace

TEST_CASE("errors of leaves add up by what the whole depends on them") {
    const auto a = leaf("a", 3.0, 10.0), b = leaf("b", 1.0, 2.0, 1.0);
    const auto sum = (a + b).named("sum", measures::seconds);
    CHECK(off(expectedError(sum).percent, 0.75 * 10 + 0.25 * 2) < 1e-12);
    CHECK(off(expectedError(sum).otherDevice, 0.25) < 1e-12);
    CHECK(expectedError(sum).evidence() == Evidence::AnotherDevice);
    const auto known = Term::counted("n", 5.0, measures::count, "counted");
    CHECK(off(expectedError(known / sum).percent, 8.0) < 1e-12); // a rate is off as the time is
    CHECK(off(expectedError(known * a).percent, 10.0) < 1e-12);
    CHECK(off(expectedError(a * b).percent, 12.0) < 1e-12);
    CHECK(off(expectedError(a - b).percent, 1.5 * 10 + 0.5 * 2) < 1e-12);
    CHECK(off(expectedError(max(a, b)).percent, 10.0) < 1e-12);
    CHECK(off(expectedError(min(a, b)).percent, 2.0) < 1e-12);
    // What cancels out adds nothing, also where it is explained a second time.
    CHECK_FALSE(expectedError((a * known) / leaf("a", 3.0, 10.0)));
    CHECK_FALSE(expectedError(known));
    CHECK_FALSE(expectedError(Term()));
}

TEST_CASE("a device whose rows were held out has their error, another the largest, edited or not") {
    const auto& row = kernels().gemm.require({"hopper", "trtllm", "bfloat16"});
    const auto trusted = [&](const Gpu& on) { return trustIn(row.heldOut, on); };
    CHECK(trusted(gpu("h100_sxm")).percent == doctest::Approx(3.6));
    CHECK(trusted(gpu("h100_sxm")).evidence == Evidence::Interpolated);
    CHECK(trusted(gpu("h200_sxm")).percent == doctest::Approx(4.1));
    CHECK(trusted(gpu("h200_sxm")).evidence == Evidence::AnotherDevice);
    auto edited = gpu("h100_sxm");
    edited.edited = true;
    CHECK(trusted(edited).percent == doctest::Approx(4.1));
    CHECK(trusted(edited).evidence == Evidence::AnotherDevice);
    const auto far = trusted(gpu("h100_sxm")).of({10.0, KernelBound::Memory}, false);
    CHECK(far.evidence == Evidence::Beyond);
    CHECK(far.errorPercent == doctest::Approx(12.3));
    CHECK(trustIn({}, gpu("h100_sxm")).evidence == Evidence::Beyond);
}

TEST_CASE("every figure of a design that rests on measured kernels says how far off it may be") {
    const auto h100 = serve("h100-sxm", "trtllm");
    for (const auto metric : {Metric::TimeToFirstToken, Metric::TimePerToken, Metric::Latency,
                              Metric::Throughput, Metric::RequestRate}) {
        CAPTURE(metricSpec(metric).key);
        const auto error = expected(h100, metric);
        CHECK(error.percent > 2.0);
        CHECK(error.percent < 15.0);
        CHECK(error.evidence() == Evidence::Interpolated);
        CHECK(error.text().find("interpolated") != std::string::npos);
        CHECK(std::isnan(error.most)); // of kernels alone
    }
    CHECK_FALSE(expected(h100, Metric::Price));
    CHECK_FALSE(expected(h100, Metric::Weights));
    for (const auto* runtime : {"ideal", "fused-fp16"}) {
        CHECK(expected(serve("h100-sxm", runtime), Metric::TimePerToken).text() == "at best");
        CHECK_FALSE(expected(serve("h100-sxm", runtime), Metric::Price));
    }
    CHECK_FALSE(hasExpectedErrors(preset("preserve/llama3-70b-8h100")));

    CHECK(expected(serve("h200-sxm", "trtllm"), Metric::TimePerToken).evidence() == Evidence::AnotherDevice);
    CHECK(expected(with(h100, "nodes.gpu.device.sms", "200"), Metric::TimePerToken).evidence() ==
          Evidence::AnotherDevice);
    CHECK(expected(h100, Metric::TimePerToken).beyond == 0.0);
    const auto longPrompt = with(with(h100, "workload.prompt_tokens", "60000"), "workload.batch", "1");
    CHECK(expected(longPrompt, Metric::TimeToFirstToken).evidence() == Evidence::Beyond);
}

TEST_CASE("metrics of nodes and explained terms say the same") {
    const auto scenario = serve("h100-sxm", "sglang");
    const auto evaluation = evaluate(scenario);
    const ExpectedErrors errors(scenario, evaluation);
    const auto node = errors.of("nodes.gpu.decode_ms");
    CHECK(node.percent > 2.0);
    CHECK(errors.of("tpot_s").text() == errors.of(Metric::TimePerToken).text());
    CHECK(off(expectedError(explain(scenario, "tpot_s")).percent, errors.of("tpot_s").percent) < 1e-9);
    CHECK(errors.of("nodes.gpu.decode_compute_pct").text() == node.text());
    CHECK_FALSE(errors.of("nodes.gpu.weights_gb"));
    CHECK(errors.of(Metric::FirstTokenP99).text() == errors.of(Metric::TimeToFirstToken).text());
}

TEST_CASE("mixtures have the errors of their experts' kernels and of latent attention") {
    const auto error = expected(serve("h200-sxm", "sglang", "deepseek-v3"), Metric::TimePerToken);
    CHECK(error.percent > 3.0);
    CHECK(error.percent < 40.0);
    CHECK(error.evidence() != Evidence::Interpolated);
}

TEST_CASE("under a server errors are those of whole systems, and energy and money have their own") {
    const auto kernels = serve("h100-sxm", "vllm");
    const auto served = with(kernels, "nodes.gpu.server", "vllm");
    const auto& known = SystemErrors::shipped();
    const auto one = servedCaseOf(served);
    REQUIRE(one);
    CHECK(one->server == "vllm");
    CHECK(one->kind == "dense");
    CHECK(one->regime == "at_once");
    CHECK_FALSE(servedCaseOf(kernels));
    const std::vector<std::pair<Metric, SystemQuantity>> metrics{
        {Metric::TimeToFirstToken, SystemQuantity::Prompts},
        {Metric::TimePerToken, SystemQuantity::Tokens},
        {Metric::Throughput, SystemQuantity::Rates},
        {Metric::CostPerToken, SystemQuantity::Money}};
    for (const auto& [metric, quantity] : metrics) {
        CAPTURE(metricSpec(metric).key);
        const auto error = expected(served, metric);
        CHECK(error.percent == doctest::Approx(100.0 * known.of(*one, quantity).half));
        CHECK(error.most == doctest::Approx(100.0 * known.of(*one, quantity).most));
        CHECK(error.most > error.percent);
        CHECK(error.text().find("(80 %: ") != std::string::npos);
    }
    // Those of times and of what a Hopper draws, which hide each other in part.
    const double rates = std::log1p(known.of(*one, SystemQuantity::Rates).most);
    CHECK(expected(served, Metric::EnergyPerToken).most > 100.0 * std::expm1(0.22));
    CHECK(expected(served, Metric::EnergyPerToken).most < 100.0 * std::expm1(std::hypot(0.22, rates)));
    CHECK(expected(served, Metric::Power).most > 100.0 * std::expm1(0.22));
    CHECK(expected(served, Metric::Power).most < expected(served, Metric::EnergyPerToken).most);
    // Never those of time alone, with a server or without.
    for (const auto metric : {Metric::EnergyPerToken, Metric::CostPerToken}) {
        CHECK(expected(served, metric).percent > expected(served, Metric::Throughput).percent);
        CHECK(expected(kernels, metric).percent > expected(kernels, Metric::Throughput).percent);
    }
}

TEST_CASE("the errors of a case are those of any, times what it has") {
    const auto& known = SystemErrors::shipped();
    for (const auto* server : {"vllm", "sglang", "trtllm", "my-own"})
        for (const auto* kind : {"dense", "mixture", "latent attention"})
            for (const auto regime : servedRegimes())
                for (const bool older : {false, true})
                    for (const auto quantity :
                         {SystemQuantity::Prompts, SystemQuantity::Tokens, SystemQuantity::Rates,
                          SystemQuantity::Energy, SystemQuantity::Money}) {
                        const auto error = known.of({server, kind, regime, older, {}, {}}, quantity);
                        CHECK(error.half > 0.0);
                        CHECK(error.most > error.half);
                    }
    const auto served = with(serve("h100-sxm", "vllm"), "nodes.gpu.server", "vllm");
    const auto two = servedCaseOf(served), many = servedCaseOf(with(served, "workload.batch", "65"));
    REQUIRE(two);
    REQUIRE(many);
    CHECK(two->crowd == servedCrowds().front());
    CHECK(many->crowd == servedCrowds().back());
    CHECK(servedCaseOf(with(served, "workload.output_tokens", "1"))->stepPrompts ==
          servedStepPrompts().back());
    CHECK(known.of(*many, SystemQuantity::Prompts).half > 1.2 * known.of(*two, SystemQuantity::Prompts).half);

    const TemporaryFolder folder;
    const auto path = folder.path() + "/system_errors.csv";
    std::ofstream(path) << "quantity,of,level,rows,groups,half,most\n"
                           "prompts,,,9,3,0.1,0.21\ntokens,,,9,3,0.1,0.5\nrates,,,9,3,0.1,0.21\n"
                           "energy,,,9,3,0.1,0.21\nmoney,,,0,0,0.1,0.21\n"
                           "prompts,kind,dense,6,2,2,1.5\nprompts,age,\"older, dense\",3,2,3,2\n"
                           "tokens,crowd,to 8,3,2,3,1\n";
    const SystemErrors by(path);
    const auto widths = [&](const ServedCase& one, SystemQuantity quantity, double half, double most) {
        const auto error = by.of(one, quantity);
        CHECK(error.half == doctest::Approx(half));
        CHECK(error.most == doctest::Approx(most));
    };
    widths({}, SystemQuantity::Prompts, 0.1, 0.21);
    widths({"", "dense", "users", false, {}, {}}, SystemQuantity::Prompts, 0.21, std::pow(1.1, 3) - 1);
    widths({"", "dense", "users", true, {}, {}}, SystemQuantity::Prompts, std::pow(1.1, 6) - 1,
           std::pow(1.1, 7.2) - 1);
    widths({"", "dense", "", false, "to 8", {}}, SystemQuantity::Tokens, std::pow(1.1, 3) - 1, 0.5);
    CHECK(isOlder("2025-02", "2026-03"));
    CHECK_FALSE(isOlder("2025-12-24", "2026-03"));
    CHECK_FALSE(isOlder("", "2026-03"));
    const SystemError band{0.1, 0.25};
    CHECK(band.holdsHalf(100.0, 109.0));
    CHECK(band.holdsHalf(100.0, 91.0));
    CHECK_FALSE(band.holdsHalf(100.0, 111.0));
    CHECK_FALSE(band.holdsHalf(100.0, 90.0));
    CHECK(band.holdsMost(100.0, 81.0));
}
