// SPDX-License-Identifier: GPL-3.0-or-later
// Every case of tests/cases is a test of its own: it is listed, filtered and reported like any other, at its
// line of its file. What the form refuses, and that a case can fail, is tested below.
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "tests/engine/cases/case_expression.h"
#include "tests/engine/cases/text_cases.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct Registered {
    std::string file;
    TextCase one;
    std::string problem; ///< why the file cannot be read
};

/// By file and line. Texts stay where they are: doctest keeps pointers to them.
using Cases = std::map<std::pair<std::string, unsigned>, Registered>;
Cases& cases() {
    static Cases all;
    return all;
}

const Registered* running = nullptr;

/// doctest's tests are plain functions: this tells the one function of all cases which of them it is.
struct CaseListener : doctest::IReporter {
    explicit CaseListener(const doctest::ContextOptions&) {}
    void test_case_start(const doctest::TestCaseData& test) override {
        const auto found = cases().find({test.m_file.c_str(), test.m_line});
        running = found == cases().end() ? nullptr : &found->second;
    }
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData&) override {}
    void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("cases", 1, CaseListener);

void runRegistered() {
    if (!running->problem.empty())
        FAIL(running->problem);
    runCase(running->one, [](const CaseOutcome& outcome) {
        doctest::detail::decomp_assert(doctest::assertType::DT_CHECK, running->file.c_str(), outcome.line,
                                       outcome.text.c_str(), {outcome.holds, outcome.got.c_str()});
    });
}

void registerCase(const std::string& file, TextCase one, const std::string& problem) {
    const auto line = static_cast<unsigned>(one.line);
    const auto& kept = cases()[{file, line}] = {file, std::move(one), problem};
    doctest::detail::regTest(doctest::detail::TestCase(runRegistered, kept.file.c_str(), line, {}) *
                             kept.one.title.c_str());
}

const bool registered = [] {
    const std::string folder = heteroscape::test::kTestCases;
    for (const auto& path : listFiles(folder, ".cases")) {
        const auto file = "tests/cases" + path.substr(folder.size());
        try {
            for (auto& one : readCases(readFile(path), file))
                registerCase(file, std::move(one), {});
        } catch (const Error& error) {
            registerCase(file, {"cases: " + file, 1, {}, 1}, error.what());
        }
    }
    return true;
}();

/// What does not hold in the only case of a file.
std::vector<CaseOutcome> failures(const std::string& text) {
    std::vector<CaseOutcome> failed;
    const auto read = readCases(text, "f");
    REQUIRE(read.size() == 1);
    runCase(read.front(), [&](const CaseOutcome& outcome) {
        if (!outcome.holds)
            failed.push_back(outcome);
    });
    return failed;
}

const std::string kBegin = "# why\ncase a title\ndesign glitches/a100-7u280\n";

} // namespace

TEST_CASE("cases: there are some, and every file can be read") {
    CHECK(cases().size() > 30);
    for (const auto& [place, one] : cases())
        CHECK_MESSAGE(one.problem.empty(), one.problem);
}

TEST_CASE("cases: what the form does not know is refused by line, with a remedy") {
    for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
             {"set workload.batch = 4\ncase a\n", "f:1: there is no design  above. Say which"},
             {"case a\nset workload.batch = 4\n", "f:2: there is no design  above. Say which"},
             {kBegin, "f:2: the case expects nothing. Add a line"},
             {kBegin + "expect feasible\ncase a title\n", "f:5: there is a case of this title above. Give"},
             {kBegin + "show tpot_s\n", "f:4: unknown word \"show\". Use case, design"},
             {kBegin + "set workload.batch 4\n", "f:4: expected a path, = and a value. set nodes"},
             {kBegin + "set workload.batch = 1,\n", "f:4: a value is missing. Values stand"},
             {kBegin + "set workload.batch = 1, 2\nexpect tpot_s = 1, 2, 3\n",
              "f:5: 3 values, after 2. Give"},
             {kBegin + "refuse workload.batch = 0\n", "f:4: what the refusal says is missing. refuse"},
             {kBegin + "expect tpot_s\n", "f:4: expected a comparison, a text or a state. expect"},
             {kBegin + "expect tpot_s = 1 within much\n", "f:4: how far apart is a number above 0"},
             {kBegin + "expect tpot_s < 1 within 0.1\n", "f:4: how far apart is a number above 0"},
             {kBegin + "expect tpot_s = 2-1\n", "f:4: 2-1: no expression from \"\" on. Use numbers"},
             {kBegin + "expect tpot_s of b < 1\n", "f:4: there is no design b above. Say which"},
             {kBegin + "expect feasible of b\n", "f:4: there is no design b above. Say which"},
             {kBegin + "expect reason is a\n", "f:4: no quoted text: a. Put it"}}) {
        CAPTURE(text);
        CHECK(errorOf([&text = text] { readCases(text, "f"); }).starts_with(message));
    }
}

TEST_CASE("cases: what does not hold is told by line, with what was there") {
    const auto only = [](const std::string& lines) {
        const auto failed = failures(kBegin + lines);
        REQUIRE(failed.size() == 1);
        return std::to_string(failed[0].line) + ": " + failed[0].got;
    };
    CHECK(only("expect price_usd = 73000\nexpect price_usd = 73001\n") == "5: 73000 = 73001");
    CHECK(only("expect price_usd = 70000 within 0.04\n") == "4: 73000 = 70000, 0.0429 apart");
    CHECK(only("expect price_usd = 72000 +- 999\n") == "4: 73000 = 72000, 1,000 apart");
    CHECK(only("expect price_usd > 2 * (36501 - 1)\n") == "4: 73000 > 73000");
    CHECK(only("expect area_mm2 < 1\n") == "4: nan < 1");
    CHECK(only("expect price_usd = none\n") == "4: 73000 = nan");
    CHECK(only("expect area_mm2 = 1 +- 1\n") == "4: nan = 1, \u2013 apart");
    CHECK(only("set nodes.fpga.count = 7, 6\nexpect price_usd = 73000\n") ==
          "5: 65000 = 73000 (value 2 of each list)");
    CHECK(only("set nodes.fpga.count = -, 6\nexpect price_usd = 73000, 65001\n")
              .starts_with("5: 65000 = 65001"));
    CHECK(only("expect infeasible\n") == "4: feasible");
    CHECK(only("expect invalid\n").starts_with("4: findings: "));
    CHECK(only("expect bound is \"fpga decode memory\"\n") == "4: fpga decode compute");
    CHECK(only("expect bound lacks \"decode\"\n") == "4: fpga decode compute");
    CHECK(only("refuse nodes.fpga.count = 3 says \"whole\"\n") == "4: it was taken");
    CHECK(only("refuse nodes.fpga.count = 0 says \"whole\", \"from 2\"\n")
              .starts_with("4: nodes.fpga.count: 0"));
    CHECK(only("expect nodes.fpga.decode_s = 1\n")
              .starts_with("4: nodes.fpga.decode_s: no metric and no number"));
    // What cannot be done ends the variation.
    CHECK(only("set nodes.fpga.cuont = 3\nexpect price_usd = 0\n").starts_with("4: nodes.fpga.cuont: "));
    CHECK(only("remove nobody\nexpect price_usd = 0\n").starts_with("4: "));
    CHECK(only("design glitches/9a100\nexpect price_usd = 0\n").find("glitches/8a100") != std::string::npos);
}

TEST_CASE("cases: expressions are counted as they are written") {
    const CaseValue value = [](const std::string& path, const std::string& design) {
        return path == "a" && design.empty() ? 3.0 : path == "a-1" && design == "b" ? 5.0 : 0.0;
    };
    CHECK(expressionValue("2 + 3*4 - (1 + 1)", value) == 12.0);
    CHECK(expressionValue("(2 + 3) * 4 / 2 / 5", value) == 2.0);
    CHECK(expressionValue("a * a-1 of b + 1e-1", value) == 15.1);
    for (const auto* wrong : {"", "2 3", "a of", "(a", "a)", "2x", "a * * a"}) {
        CAPTURE(wrong);
        CHECK_THROWS_AS(expressionValue(wrong, value), Error);
    }
}
