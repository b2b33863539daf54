// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/claims/expression.h"
#include "tests/engine/fixtures.h"

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

// The independent prototype's values for GLITCHES; counts hold to 0.1%, everything else to 0.5%.
TEST_CASE("every claim agrees with the independent prototype") {
    const std::map<std::string, double> prototype{{"prefill-gflop", 21137.01},
                                                  {"decode-gflop", 14.158},
                                                  {"gpu-prefill-gib", 48.75},
                                                  {"fpga-prefill-gib", 21.30},
                                                  {"gpu-decode-gib", 14.08},
                                                  {"fpga-decode-gib", 3.965},
                                                  {"gpu-prefill-intensity", 403.8},
                                                  {"fpga-prefill-intensity", 924.2},
                                                  {"gpu-decode-intensity", 0.936},
                                                  {"fpga-decode-intensity", 3.326},
                                                  {"intensity-ratio", 431.2},
                                                  {"u280-over-a100-prefill", 28.44},
                                                  {"u280-over-v100s-prefill", 12.54},
                                                  {"a100-prefill-over-decode", 7.249},
                                                  {"u280-decode-ms", 21.49},
                                                  {"prefetch-speedup-128", 1.197},
                                                  {"prefetch-speedup-1024", 1.161},
                                                  {"best-ratio", 4},
                                                  {"hbm-utilisation", 39.2},
                                                  {"a100-7u280-over-8a100-throughput", 1.286},
                                                  {"a100-7u280-over-8u280-throughput", 1.247},
                                                  {"a100-7u280-over-8a100-cost", 2.396},
                                                  {"a100-7u280-over-8u280-cost", 1.093},
                                                  {"v100s-7u280-over-8v100s-throughput", 1.491},
                                                  {"v100s-7u280-over-8v100s-cost", 2.105},
                                                  {"v100s-7u280-over-8u280-throughput", 1.219},
                                                  {"v100s-7u280-over-8u280-cost", 1.147},
                                                  {"a100-prefill-bw", 14.33},
                                                  {"v100s-prefill-bw", 10.78},
                                                  {"u280-prefill-bw", 0.926},
                                                  {"a100-decode-comp", 0.187}};
    const auto comparison = compare(catalog(), loadPaper(catalog(), "glitches"));
    std::size_t found = 0;
    for (const auto& result : comparison.results) {
        CAPTURE(result.claim.id);
        CHECK(result.error == doctest::Approx(result.model / result.claim.paper - 1));
        if (const auto it = prototype.find(result.claim.id); it != prototype.end()) {
            ++found;
            CHECK(off(result.model, it->second) < (result.claim.kind == ClaimKind::Count ? 0.001 : 0.005));
        } else if (result.claim.id != "a100-decode-comp") {
            CHECK(std::abs(result.error) < 0.008); // Table I latencies and the rest of Table II
        }
    }
    CHECK(found == prototype.size());
}

TEST_CASE("the V100S misfit is shown, and it is the only one") {
    const auto comparison = compare(catalog(), loadPaper(catalog(), "glitches"));
    CHECK(comparison.misfits == 2);
    for (const auto& result : comparison.results)
        CHECK(result.misfit == (result.claim.id.find("v100s-7u280-over-8v100s") == 0));
}

TEST_CASE("expressions compute what they say and refuse nonsense by place") {
    ExpressionEvaluator evaluator(catalog());
    const auto value = [&](const char* text) { return evaluator.value(parseJson(text, "e"), "e"); };
    CHECK(value(R"({"metric": "price_usd", "scenario": "glitches/8a100"})") == 136000);
    CHECK(value(R"({"scale": 2, "of": {"metric": "price_usd", "scenario": "glitches/8a100",
                    "set": {"nodes.gpu.count": 3}}})") == 2 * 51000);
    CHECK(value(R"({"mean": {"metric": "price_usd", "scenario": "glitches/8a100"},
                    "over": {"nodes.gpu.count": [1, 2, 3]}})") == 34000);
    CHECK(value(R"({"argmax": {"metric": "price_usd", "scenario": "glitches/8a100"},
                    "over": {"nodes.gpu.count": [1, 5, 3]}})") == 5);
    const std::string price = R"({"metric": "price_usd", "scenario": "glitches/8a100"})";
    const std::string counts = R"("over": {"nodes.gpu.count": [1, 2, 4]})";
    const auto over = [&](const std::string& key) {
        return value(("{\"" + key + "\": " + price + ", " + counts + "}").c_str());
    };
    CHECK(over("sum") == 7 * 17000);
    CHECK(over("min") == 17000);
    CHECK(over("max") == 4 * 17000);
    CHECK(over("harmonic_mean") == doctest::Approx(3 / (1 + 0.5 + 0.25) * 17000));
    CHECK(over("argmin") == 1);
    CHECK(value(("{\"minus\": [1, {\"ratio\": [" + price + ", 272000]}]}").c_str()) == 0.5);
    CHECK(value(R"({"largest": [1, 7, 3]})") == 7);
    CHECK(value(("{\"settles\": " + price + ", \"within\": 0.6, " + counts + "}").c_str()) == 2);
    CHECK(value(("{\"count\": " + price + ", \"among\": [17000, 68000, 5], " + counts + "}").c_str()) == 2);
    evaluator.assume({{"nodes.gpu.count", 2}});
    CHECK(value(price.c_str()) == 34000);
    CHECK(over("max") == 4 * 17000); // what stands nearer wins
    evaluator.assume({});
    CHECK(value(price.c_str()) == 136000);
    CHECK(errorOf([&] { over("settles"); }).find("e.within: missing") != std::string::npos);
    CHECK(errorOf([&] {
              value(("{\"settles\": " + price + ", \"within\": -0.5, " + counts + "}").c_str());
          }).find("e.within: must not be negative") != std::string::npos);
    // Nothing lies within a share of what is not there.
    CHECK(std::isnan(
        value(("{\"settles\": {\"minus\": [" + price + ", " + price + "]}, \"within\": 0.6, " + counts + "}")
                  .c_str())));
    CHECK(errorOf([&] { value(R"({"sum": 1})"); }).find("e.over: missing") != std::string::npos);
    CHECK(errorOf([&] { value(R"({"total": []})"); }).find("e: not an expression") == 0);
    CHECK(errorOf([&] {
              value(R"({"metric": "price_usd", "scenario": "glitches/9a100"})");
          }).find("glitches/8a100") != std::string::npos);
    CHECK(errorOf([&] {
              value(R"({"ratio": [{"metric": "x", "scenario": "glitches/8a100"}, 1]})");
          }).find("x: no such metric") == 0);
}

TEST_CASE("unknown papers and presets list what there is; paths do not escape the presets folder") {
    CHECK(errorOf([] { loadPaper(catalog(), "glitch"); }).find("Allowed: glitches") != std::string::npos);
    CHECK_THROWS_AS(loadPreset(catalog(), "../papers/glitches/8a100", "x"), Error);
    CHECK_THROWS_AS(loadPreset(catalog(), "glitches/claims", "x"), Error);
}
