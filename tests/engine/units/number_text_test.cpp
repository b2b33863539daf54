// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers with units as people type them.
#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;

namespace {

double typed(std::string_view text, std::string_view unit, DecimalMark mark = DecimalMark::Point) {
    return parseQuantity(text, unit, "field", mark).value;
}

std::string refused(std::string_view text, std::string_view unit, DecimalMark mark = DecimalMark::Point) {
    try {
        typed(text, unit, mark);
    } catch (const Error& error) {
        CHECK(error.where() == "field");
        CHECK(!error.remedy().empty());
        return error.message();
    }
    return {};
}

} // namespace

TEST_CASE("quantities as people type them") {
    CHECK(typed("500ms", "s") == 0.5);
    CHECK(typed("500 ms", "ms") == 500);
    CHECK(typed("2s", "s") == 2);
    CHECK(typed("1,5 s", "s") == 1.5);
    CHECK(typed("0.5", "s") == 0.5);
    CHECK(typed("2 min", "s") == 120);
    CHECK(typed("1 h", "s") == 3600);
    CHECK(typed("250us", "ms") == 0.25);
    CHECK(typed("250 \u00b5s", "s") == 250e-6);
    CHECK(typed("40kW", "W") == 40e3);
    CHECK(typed("40 kw", "W") == 40e3);
    CHECK(typed("1.2 MW", "kW") == 1200);
    CHECK(typed("$1M", "$") == 1e6);
    CHECK(typed("$ 1.2M", "$") == 1.2e6);
    CHECK(typed("1,2 M$", "$") == 1.2e6);
    CHECK(typed("250k", "$") == 250e3);
    CHECK(typed("$1,250,000", "$") == 1.25e6);
    CHECK(typed("1 250 000 USD", "$") == 1.25e6);
    CHECK(typed("1.250.000", "$") == 1.25e6);
    CHECK(typed("$2.50/Mtok", "$/Mtok") == 2.5);
    CHECK(typed("$0.000002/tok", "$/Mtok") == 2);
    CHECK(typed("3", "$/Mtok") == 3);
    CHECK(typed("4k", "tok") == 4000);
    CHECK(typed("4,000 tokens", "tok") == 4000);
    CHECK(typed("4.000,5", "") == 4000.5);
    CHECK(typed("4,000.5", "") == 4000.5);
    CHECK(typed("20 %", "") == 0.2);
    CHECK(typed("20", "%") == 20);
    CHECK(typed("20%", "%") == 20);
    CHECK(typed("1,5 TB/s", "GB/s") == 1500);
    CHECK(typed("4.8 PFLOP/s", "TFLOP/s") == 4800);
    CHECK(typed("80 GiB", "GB") == doctest::Approx(85.899345920));
    CHECK(typed("1e3 ms", "s") == 1);
    CHECK(typed("-5 s", "s") == -5);
    CHECK(parseQuantity("5ms", "s", "").hasUnit);
    CHECK(!parseQuantity("5", "s", "").hasUnit);
}

TEST_CASE("a mark before three digits is the locale's") {
    CHECK(typed("1,500", "s") == 1500);
    CHECK(typed("1.500", "s") == 1.5);
    CHECK(typed("1,500", "s", DecimalMark::Comma) == 1.5);
    CHECK(typed("1.500", "s", DecimalMark::Comma) == 1500);
    CHECK(typed("0,500", "s") == 0.5); // no thousands begin with nought
    CHECK(typed("1234,567", "s") == 1234.567);
    CHECK(typed("3'350", "GB/s") == 3350);
    CHECK(typed("3\u202f350", "GB/s") == 3350);
    CHECK(typed("3\u00a0350\u00a0GB/s", "GB/s") == 3350);
}

TEST_CASE("what is no quantity is told with what was typed") {
    CHECK(refused("", "s") == "\"\" is no number");
    CHECK(refused("fast", "s") == "\"fast\" is no number");
    CHECK(refused("1.2.3", "s") == "\"1.2.3\" is no number");
    CHECK(refused("1,23,456", "s") == "\"1,23,456\" is no number");
    CHECK(refused("1,000,00", "s") == "\"1,000,00\" is no number");
    CHECK(refused("50 kW", "s") == "\"50 kW\" is in no unit that is taken here");
    CHECK(refused("50 ms", "W") == "\"50 ms\" is in no unit that is taken here");
    CHECK(refused("$5", "s") == "\"$5\" is in no unit that is taken here");
    CHECK(refused("5 MS", "s") == "\"5 MS\" may be in several units");
    CHECK(refused("5 mw", "W") == "\"5 mw\" may be in several units");
    CHECK(refused("nan", "s") == "\"nan\" is no number");
    CHECK(refused("1e999", "s") == "\"1e999\" is no number");
    CHECK(refused("1e300 PW", "mW") == "\"1e300 PW\" is too large");
    CHECK(refused("5 ms extra", "s") == "\"5 ms extra\" is in no unit that is taken here");
}
