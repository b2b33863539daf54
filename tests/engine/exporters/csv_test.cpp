// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/csv.h"

#include "tests/engine/fixtures.h"

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

TEST_CASE("CSV fields are quoted when they need it") {
    CHECK(csvField("") == "");
    CHECK(csvField("plain text") == "plain text");
    CHECK(csvField("a,b") == "\"a,b\"");
    CHECK(csvField("say \"so\"") == "\"say \"\"so\"\"\"");
    CHECK(csvField("two\nlines") == "\"two\nlines\"");
    for (const std::string formula : {"=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1"})
        CHECK(csvField(formula) == "'" + formula);
    CHECK(csvField("=HYPERLINK(\"x\",1)") == "\"'=HYPERLINK(\"\"x\"\",1)\"");
    CHECK(csvField("-1.5e-3") == "-1.5e-3");
    CHECK(csvField("-inf") == "-inf");
}

TEST_CASE("a CSV file is read by any program: signs in ASCII, and a mark where a name needs it") {
    CHECK(csvFile("a,b\n1,2\n") == "a,b\n1,2\n");
    CHECK(csvFile("8 \u00d7 A100,mm\u00b2,\u00b5s,2.67\u2009\u00d7,\u22121\n") ==
          "8 x A100,mm2,us,2.67 x,-1\n");
    CHECK(csvFile("Gr\u00f6\u00dfe \u00d7\n") == "\xEF\xBB\xBFGr\u00f6\u00dfe x\n");
    CHECK(csvFile("").empty());
}
