// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/term.h"

#include "engine/catalog/device.h"
#include "tests/engine/term_check.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

Term number(const char* name, double value) {
    return Term::counted(name, value, measures::count, "counted");
}

} // namespace

TEST_CASE("a term has the value of its children, and says how") {
    const auto a = number("a", 6.0);
    const auto b = number("b", 3.0);
    CHECK((a + b).value() == 9.0);
    CHECK((a - b).value() == 3.0);
    CHECK((a * b).value() == 18.0);
    CHECK((a / b).value() == 2.0);
    CHECK(max(a, b).value() == 6.0);
    CHECK(min(a, b).value() == 3.0);
    CHECK((a + b).formula() == "a + b");
    CHECK((a - b).formula() == "a \u2212 b");
    CHECK((a * b).formula() == "a \u00d7 b");
    CHECK((a / b).formula() == "a / b");
    CHECK(max(a, b).formula() == "max(a, b)");
    CHECK(min(a, b).formula() == "min(a, b)");
    CHECK((a + b + a).formula() == "a + b + a"); // a chain is one term
    CHECK((a + b + a).terms().size() == 3);
    const auto both = (a + b).named("both", measures::count);
    CHECK((both + a).formula() == "both + a"); // a named one stays together
    CHECK(both.named("again", measures::count).formula() == "a + b");
    CHECK(a.named("again", measures::count).formula() == "a"); // its source stays in sight
    CHECK(a.formula().empty());
}

TEST_CASE("nothing adds nothing") {
    const auto a = number("a", 6.0);
    CHECK((Term() + a).identity() == a.identity());
    CHECK((a + Term()).identity() == a.identity());
    CHECK((a - Term()).identity() == a.identity());
    CHECK(max(Term(), a).identity() == a.identity());
    CHECK(!(a * Term()));
    CHECK(!(Term() / a));
    CHECK((Term() - a).value() == -6.0);
    CHECK(!sum("none", measures::count, {}));
}

TEST_CASE("a figure is a leaf with its source") {
    Device device;
    device.price = {12.0, Provenance::Datasheet, "a list"};
    const auto price = Numbers<Term>::quantity(deviceFields, device, &Device::price, "A100");
    CHECK(price.name() == "Price, each, A100");
    CHECK(price.source() == "a list (datasheet)");
    CHECK(price.provenance() == Provenance::Datasheet);
    const auto unset = Numbers<Term>::quantity(deviceFields, device, &Device::dieArea);
    CHECK(std::isnan(unset.value()));
    CHECK(unset.source() == "not set");
    CHECK_FALSE(unset.provenance());
}

TEST_CASE("a term that states what its children do not give is found") {
    const auto a = number("a", 6.0);
    const auto b = number("b", 3.0);
    const auto right = ((a + b) * a).named("right", measures::count);
    CHECK(TermCheck(right).problem().find("without a name") != std::string::npos); // the sum within it
    const auto whole = ((a + b).named("both", measures::count) * a).named("whole", measures::count);
    CHECK(TermCheck(whole).problem().empty());
    const auto wrong =
        (TermForger::forged((a + b).named("both", measures::count), 9.1) * a).named("whole", measures::count);
    CHECK(revalue(wrong) != wrong.value());
    CHECK(TermCheck(wrong).problem().find("both") != std::string::npos);
    CHECK_FALSE(TermCheck(number("", 1.0)).problem().empty());
    CHECK_FALSE(TermCheck(Term::counted("bare", 1.0, measures::count, "")).problem().empty());
}

TEST_CASE("the text tells a repeated term once") {
    const auto a = number("a", 6.0);
    const auto both = (a + number("b", 3.0)).named("both", measures::seconds);
    const auto text = termText((both * both).named("square", measures::count));
    CHECK(text == "square = 81 = both \u00d7 both\n"
                  "  both = 9 s = a + b\n"
                  "    a = 6  [counted]\n"
                  "    b = 3  [counted]\n"
                  "  both = 9 s, as above\n");
}
