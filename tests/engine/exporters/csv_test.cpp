// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/exporters/csv.h"

#include "tests/engine/fixtures.h"

#include <cmath>

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

TEST_CASE("a study becomes CSV with exact numbers, empty where not set") {
    StudyTable table;
    table.columns = {{"a,b", "", "", true, {0.1, 1e300, NAN}}, {"c", "", "", false, {1, -2, 1.0 / 3}}};
    table.boundNames = {"none"};
    table.bounds = {0, 0, 0};
    CHECK(studyCsv(table) == "\"a,b\",c,bound\n0.1,1,none\n1e+300,-2,none\n,0.3333333333333333,none\n");
}

TEST_CASE("the metrics of a study's CSV can be chosen") {
    StudyTable table;
    table.columns = {{"workload.batch", "", "", true, {1, 2}},
                     {"feasible", "", "", false, {1, 0}},
                     {"throughput_tok_s", "", "", false, {10.5, NAN}},
                     {"price_usd", "", "", false, {5, 6}}};
    table.boundNames = {"gpu decode memory", "none"};
    table.bounds = {0, 1};
    CHECK(studyCsv(table) == "workload.batch,feasible,throughput_tok_s,price_usd,bound\n"
                             "1,1,10.5,5,gpu decode memory\n2,0,,6,none\n");
    CHECK(studyCsv(table, {"price_usd"}) ==
          "workload.batch,feasible,price_usd,bound\n1,1,5,gpu decode memory\n2,0,6,none\n");
    const auto error = errorOf([&] { studyCsv(table, {"speed"}); });
    CHECK(error.find("\"speed\"") != std::string::npos);
    CHECK(error.find("throughput_tok_s") != std::string::npos);
}
