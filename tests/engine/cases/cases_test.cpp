// SPDX-License-Identifier: GPL-3.0-or-later
// Every case of tests/cases is a test of its own: it is listed, filtered and reported like any other, at its
// line of its file. What the form refuses, and that a case can fail, is tested below.
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "tests/engine/cases/text_cases.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <doctest/doctest.h>

#include <map>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

struct Registered {
    std::string file;
    TextCase one;
    std::string problem; ///< why the file cannot be read
};

/// By file and line. doctest keeps pointers to their texts.
std::map<std::pair<std::string, unsigned>, Registered>& cases() {
    static std::map<std::pair<std::string, unsigned>, Registered> all;
    return all;
}

void runRegistered() {
    const auto* test = doctest::getContextOptions()->currentTest;
    const auto& [file, one, problem] = cases().at({test->m_file.c_str(), test->m_line});
    if (!problem.empty())
        FAIL(problem);
    const auto* place = file.c_str();
    runCase(one, [place](int number, const std::string& line, bool holds, const std::string& got) {
        doctest::detail::decomp_assert(doctest::assertType::DT_CHECK, place, number, line.c_str(),
                                       {holds, got.c_str()});
    });
}

const bool registered = [] {
    const auto add = [](const std::string& file, TextCase one, const std::string& problem) {
        const auto line = static_cast<unsigned>(one.line);
        const auto& kept = cases()[{file, line}] = {file, std::move(one), problem};
        doctest::detail::regTest(doctest::detail::TestCase(runRegistered, kept.file.c_str(), line, {}) *
                                 kept.one.title.c_str());
    };
    const std::string folder = heteroscape::places::kTestCases;
    for (const auto& path : listFiles(folder, ".cases")) {
        const auto file = "/tests/cases" + path.substr(folder.size());
        try {
            for (auto& one : readCases(readFile(path), file))
                add(file, std::move(one), {});
        } catch (const Error& error) {
            add(file, {"cases: " + file, 1, {}, 1}, error.what());
        }
    }
    return true;
}();

} // namespace

TEST_CASE("cases: what the form does not know is refused by line, with a remedy") {
    const auto refused = [](const std::string& line, const std::string& message) {
        CAPTURE(line);
        const auto error =
            errorOf([&] { readCases("# why\ncase a title\ndesign glitches/8a100\n" + line, "f"); });
        CHECK_MESSAGE(error.starts_with("f:" + message), error);
    };
    refused("", "2: the case expects nothing. Add a line");
    refused("expect feasible\ncase a title", "5: there is a case of this title above. Give");
    refused("expect feasible\ncase b\nset workload.batch = 4", "6: there is no design  above. Say which");
    refused("show tpot_s", "4: unknown word \"show\". Use case, design");
    refused("set workload.batch 4", "4: expected a path, = and a value. set nodes");
    refused("set workload.batch = 1,", "4: a value is missing. Write none");
    refused("set workload.batch = 1, 2\nexpect tpot_s = 1, 2, 3", "5: 3 values, after 2. Give");
    refused("expect tpot_s", "4: expected a state, a text or a comparison. expect");
    refused("expect tpot_s = 1 within much", "4: how far apart is a number above 0");
    refused("expect tpot_s < 1 within 0.1", "4: how far apart is a number above 0");
    for (const std::string wrong : {"2-1", "2 3", "(tpot_s", "tpot_s)", "2x", "1 * * 2", "tpot_s of"})
        refused("expect " + wrong + " = 1", "4: " + wrong + ": no expression from ");
    refused("expect tpot_s of b < 1", "4: there is no design b above. Say which");
}

TEST_CASE("cases: what does not hold is told by line, with what was there") {
    const auto fails = [](const std::string& lines, const std::string& told) {
        std::vector<std::string> all;
        const auto read = readCases("case a title\ndesign glitches/a100-7u280\n" + lines, "f");
        runCase(read.at(0), [&](int number, const std::string&, bool holds, const std::string& got) {
            if (!holds)
                all.push_back(std::to_string(number) + ": " + got);
        });
        CAPTURE(lines);
        REQUIRE(all.size() == 1);
        CHECK_MESSAGE(all[0].starts_with(told), all[0]);
    };
    fails("expect price_usd = 73000\nexpect price_usd = 73001", "4: 73000 = 73001");
    fails("expect price_usd = 70000 within 0.04", "3: 73000 = 70000, 0.0429 apart");
    fails("expect price_usd = 72000 +- 999", "3: 73000 = 72000, 1,000 apart");
    fails("expect price_usd > 2 * (36501 - 1e0) + 8 / 4 / 2 - 1", "3: 73000 > 73000");
    fails("expect area_mm2 < 1", "3: nan < 1");
    fails("expect price_usd = none", "3: 73000 = nan");
    fails("expect area_mm2 = tok_s_per_mm2", "3: nan = nan");
    fails("expect area_mm2 = 1 +- 1", "3: nan = 1, \u2013 apart");
    fails("set nodes.fpga.count = 7, 6\nexpect price_usd = 73000", "4: 65000 = 73000 (value 2 of each list)");
    fails("set nodes.fpga.count = -, 6\nexpect price_usd = 73000, 65001", "4: 65000 = 65001");
    fails("set nodes.fpga.count = 6; nodes.gpu.count = 2\nexpect price_usd < 65001", "4: 82000 < 65001");
    fails("design b = glitches/8a100\nexpect price_usd of b < 136000", "4: 136000 < 136000");
    fails("expect infeasible", "3: feasible");
    fails("expect bound is fpga decode memory", "3: fpga decode compute");
    fails("expect bound is none", "3: fpga decode compute");
    fails("expect bound contains what is not there", "3: fpga decode compute");
    fails("expect bound lacks decode", "3: fpga decode compute");
    fails("expect refusal nodes.fpga.count = 3 contains whole", "3: it was taken");
    fails("expect refusal nodes.fpga.count = 0 contains from 2", "3: nodes.fpga.count: 0");
    fails("expect nodes.fpga.decode_s = 1", "3: nodes.fpga.decode_s: no metric and no number of");
    // What cannot be done ends the variation.
    fails("set nodes.fpga.cuont = 3\nexpect price_usd = 0", "3: nodes.fpga.cuont: ");
    fails("remove nobody\nexpect price_usd = 0", "3: links.nobody");
    fails("design glitches/9a100\nexpect price_usd = 0", "3: ");
}
