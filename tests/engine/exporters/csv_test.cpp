// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/csv.h"

#include "engine/base/file.h"
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

TEST_CASE("a name that becomes a formula when its signs are put into ASCII is guarded like one") {
    for (const std::string name : {"\u22121+A1", "\u2013A1", "\u00b1A1", "\u00a0=A1", "\u2009-A1", " =A1"}) {
        CAPTURE(name);
        CHECK(csvFile(csvField(name)) == "'" + csvFile(name));
    }
    // The wide signs that spreadsheets take for the narrow ones, and what stands before one unseen.
    for (const std::string name : {"\uff1dA1", "\uff0bA1", "\uff0dA1", "\uff20SUM(A1)", "\ufe66A1",
                                   "\u3000=A1", "\u200b\ufeff=A1", "\v=A1"}) {
        CAPTURE(name);
        CHECK(csvField(name) == "'" + name);
    }
    CHECK(csvField("\u3000Gr\u00f6\u00dfe") == "\u3000Gr\u00f6\u00dfe");
    CHECK(csvField("\u22121.5") == "\u22121.5"); // a number
    CHECK(csvField("8 \u00d7 A100 \u2013 B") == "8 \u00d7 A100 \u2013 B");
}

TEST_CASE("a CSV file that is written by pieces is the same as at once, and has its mark at the beginning") {
    const TemporaryFolder folder;
    const auto path = folder.path() + "/table.csv";
    for (const std::string last : {"plain\n", "2.67\u2009\u00d7\n", "Gr\u00f6\u00dfe\n"}) {
        writeCsvFile(path, [&](const auto& take) {
            take("a,b\n");
            take("8 \u00d7 A100,1\n");
            take(last);
        });
        CHECK(readFile(path) == csvFile("a,b\n8 \u00d7 A100,1\n" + last));
    }
}
