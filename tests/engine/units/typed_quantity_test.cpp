// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/catalog/device.h"
#include "engine/evaluation/metric.h"
#include "engine/study/study.h"
#include "engine/units/number_text.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace heteroscape::engine;

namespace {

struct Typed {
    const char* text;
    const char* unit;
    double value;
};

std::string refusal(const char* text, const char* unit, Decimals decimals = Decimals::Point) {
    try {
        const double value = parseQuantity(text, unit, "field", decimals);
        return "read as " + exactText(value);
    } catch (const Error& error) {
        CHECK(error.code() == ErrorCode::InvalidInput);
        CHECK(error.where() == "field");
        CHECK_FALSE(error.remedy().empty());
        return error.message();
    }
}

} // namespace

TEST_CASE("quantities are read as people type them, in the unit of the field") {
    for (const auto& [text, unit, value] : std::vector<Typed>{
             {"50 ms", "s", 0.05},
             {"50ms", "ms", 50},
             {"1.5", "ms", 1.5},
             {"100 us", "ms", 0.1},
             {"100\u00b5s", "\u00b5s", 100},
             {"2 min", "s", 120},
             {"1 h", "s", 3600},
             {"3 years", "years", 3},
             {"8760 h", "years", 1},
             {"1,5 TB/s", "GB/s", 1500},
             {"400 Gbps", "GB/s", 50},
             {"400 Gb/s", "GB/s", 50},
             {"400 Gbit/s", "GB/s", 50},
             {"400 gbps", "GB/s", 50},
             {"400 GBps", "GB/s", 400},
             {"80 GiB", "GB", 85.89934592},
             {"1 PFLOPS", "TFLOP/s", 1000},
             {"989 TFLOP/s", "TFLOPS", 989},
             {"2 POPS", "TOPS", 2000},
             {"2 pJ/bit", "pJ/B", 16},
             {"1.98 GHz", "MHz", 1980},
             {"814 mm2", "mm\u00b2", 814},
             {"40 kW", "W", 40000},
             {"40 KW", "W", 40000},
             {"$1M", "$", 1e6},
             {"1M$", "$", 1e6},
             {"1 MUSD", "$", 1e6},
             {"$250,000", "$", 250000},
             {"$2.50", "$/Mtok", 2.5},
             {"$2.50/Mtok", "$/Mtok", 2.5},
             {"$0.0025/ktok", "$/Mtok", 2.5},
             {"$0.12/kWh", "$/kWh", 0.12},
             {"3 tok/s/kW", "tok/s/W", 0.003},
             {"40k", "tok/s", 40000},
             {"64k tokens", "tok", 64000},
             {"1k", "", 1000},
             {"20 %", "", 0.2},
             {"20", "%", 20},
             {"20%", "%", 20},
             {"5 users", "users", 5},
             {"8 bit", "bit", 8},
         }) {
        CAPTURE(text);
        CHECK(parseQuantity(text, unit, "field") == value);
        CHECK(parseQuantity(std::string(" ") + text + " ", unit, "field") == value);
    }
}

TEST_CASE(
    "marks of decimals and of thousands are read for what they can only be; what may be both is refused") {
    for (const auto decimals : {Decimals::Point, Decimals::Comma})
        for (const auto& [text, unit, value] : std::vector<Typed>{{"1,5", "", 1.5},
                                                                  {"1.5", "", 1.5},
                                                                  {"0,125", "", 0.125},
                                                                  {"0.125", "", 0.125},
                                                                  {"1.2345", "", 1.2345},
                                                                  {"12345,678", "", 12345.678},
                                                                  {"1,234.5", "", 1234.5},
                                                                  {"1.234,5", "", 1234.5},
                                                                  {"1,000,000", "", 1e6},
                                                                  {"1.000.000", "", 1e6},
                                                                  {"1 000", "", 1000},
                                                                  {"1\u202f000,5", "", 1000.5},
                                                                  {"1'000'000", "", 1e6},
                                                                  {"1.500e3", "", 1500},
                                                                  {"\u22125", "", -5},
                                                                  {"+5", "", 5},
                                                                  {".5", "", 0.5},
                                                                  {"1e-3", "", 0.001}}) {
            CAPTURE(text);
            CHECK(parseQuantity(text, unit, "field", decimals) == value);
        }
    CHECK(parseQuantity("1,500", "", "field") == 1500);
    CHECK(parseQuantity("1.500", "", "field") == 1.5);
    for (const auto* text : {"1,500", "1.500"}) {
        CHECK(refusal(text, "", Decimals::Comma) == "\"" + std::string(text) + "\" may be 1500 or 1.500");
        CHECK(refusal((std::string(text) + " ms").c_str(), "s", Decimals::Comma)
                  .ends_with("may be 1500 or 1.500"));
    }
    // The remedy's own forms are read.
    CHECK(parseQuantity("1500", "", "field", Decimals::Comma) == 1500);
    CHECK(parseQuantity("1.5000", "", "field", Decimals::Comma) == 1.5);
    // What the program shows reads back.
    for (const double value : {0.1, 1.0 / 3.0, 175.85, 12345678.9, 1e15, 3e-7}) {
        CHECK(parseQuantity(exactText(value), "", "field") == value);
        CHECK(parseQuantity(shortText(value, 4), "", "field") == doctest::Approx(value).epsilon(1e-3));
    }
}

TEST_CASE("what is no quantity of the field's kind is refused by what was typed") {
    for (const auto& [text, unit] : std::vector<std::pair<const char*, const char*>>{{"", "s"},
                                                                                     {"x", "s"},
                                                                                     {"nan", "s"},
                                                                                     {"inf", ""},
                                                                                     {"1,2,3", ""},
                                                                                     {"1..5", ""},
                                                                                     {"1 2", ""},
                                                                                     {"1.5.5", ""},
                                                                                     {"1,5,", ""},
                                                                                     {"--1", ""},
                                                                                     {"1e999", ""},
                                                                                     {"s", "s"},
                                                                                     {"ms 50", "s"}}) {
        CAPTURE(text);
        CHECK(refusal(text, unit) == "\"" + std::string(text) + "\" is not a number");
    }
    for (const auto& [text, unit] : std::vector<std::pair<const char*, const char*>>{{"5 kg", "W"},
                                                                                     {"5 W", "s"},
                                                                                     {"5 s", "GB/s"},
                                                                                     {"5 GB", "GB/s"},
                                                                                     {"40k", "GB"},

                                                                                     {"1x", "W"}}) {
        CAPTURE(text);
        CHECK(refusal(text, unit) ==
              "\"" + std::string(text) + "\" is not in a unit like " + std::string(unit));
    }
    CHECK(refusal("1x", "") == "\"1x\" is not in a unit of this number");
    CHECK(refusal("$5", "W") == "\"$5\" is in $, not in W");
    for (const auto& [text, unit] : std::vector<std::pair<const char*, const char*>>{
             {"3 MS", "s"}, {"3 mw", "W"}, {"400 gb/s", "GB/s"}}) {
        CAPTURE(text);
        CHECK(refusal(text, unit) == "the unit of \"" + std::string(text) + "\" may be read in two ways");
    }
    CHECK(refusal("1e300 Ps", "ms").ends_with("is too large"));
}

TEST_CASE("every unit of a parameter or metric is one that can be typed, with its own prefix and without") {
    const auto reads = [](std::string_view unit, std::string_view what) {
        CAPTURE(what);
        CAPTURE(unit);
        const std::string own(unit);
        CHECK(parseQuantity("12.5 " + own, own, "field") == 12.5);
        CHECK(parseQuantity("12.5" + own, own, "field") == 12.5);
    };
    for (const auto& field : deviceFields())
        reads(field.spec.unit, field.spec.key);
    for (const auto& spec : metricSpecs())
        reads(spec.unit, spec.key);
}

TEST_CASE("limits take units, and several in one line are told apart from marks within numbers") {
    CHECK(parseLimit("tpot_s<=50 ms") == Limit{"tpot_s", -INFINITY, 0.05});
    CHECK(parseLimit("tpot_s=10ms:0,05") == Limit{"tpot_s", 0.01, 0.05});
    CHECK(parseLimit("price_usd <= $1M") == Limit{"price_usd", -INFINITY, 1e6});
    CHECK(parseLimit("power_w<=40 kW") == Limit{"power_w", -INFINITY, 40000});
    CHECK(parseLimit("nodes.gpu.decode_ms<=0.05 s") == Limit{"nodes.gpu.decode_ms", -INFINITY, 50});
    CHECK(parseLimit("nodes.gpu.decode.q_proj_ms<=50 us").most == doctest::Approx(0.05));
    CHECK(parseLimit("nodes.gpu.memory_gb<=1 TB") == Limit{"nodes.gpu.memory_gb", -INFINITY, 1000});
    CHECK(parseLimit("nodes.gpu.device.memory_bandwidth_gbps>=4.8 TB/s").least == 4800);
    CHECK(parseLimit("links.fabric.latency_us<=0.01 ms").most == doctest::Approx(10));
    CHECK(parseLimit("workload.prompt_tokens<=8k").most == 8000);
    CHECK_THROWS_AS(parseLimit("nodes.gpu.device.memory_gb<=5 kW"), Error);
    CHECK(parseLimit("nodes.gpu.count<=8") == Limit{"nodes.gpu.count", -INFINITY, 8});
    CHECK_THROWS_AS(parseLimit("nodes.gpu.decode_ms<=5 kW"), Error);
    CHECK(parseLimit("TTFT <= 1 s") == Limit{"ttft_s", -INFINITY, 1});
    CHECK(parseLimit("p99 TPOT \u2264 50 ms") == Limit{"tpot_p99_s", -INFINITY, 0.05});
    CHECK(parseLimit("Price<=$1M") == Limit{"price_usd", -INFINITY, 1e6});
    CHECK(parseLimit("power \u2265 1 kW") == Limit{"power_w", 1000});
    for (const auto& spec : metricSpecs())
        CHECK(parseLimit(std::string(spec.label) + "<=1").column == spec.key);
    CHECK_THROWS_WITH(parseLimit("power_w<=40 ms"),
                      doctest::Contains("\"40 ms\" is not in a unit like W. Write metric"));
    using Texts = std::vector<std::string>;
    CHECK(limitTexts("tpot_s<=0,5, price_usd<=1,000,000;feasible,") ==
          Texts{"tpot_s<=0,5", "price_usd<=1,000,000", "feasible"});
    CHECK(limitTexts(" ").empty());
    for (const auto& text : limitTexts("ttft_s<=1,5, price_usd<=$1,000,000"))
        CHECK(std::isfinite(parseLimit(text).most));
}
