// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/measured_table.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const std::string kRow = "h100_sxm,trtllm,1,gemm,bfloat16,64,128,256,,,,,,,,,,4.5\n";

MeasuredTable parsed(const std::string& csv) {
    std::istringstream in(csv);
    return parseMeasured(in, "mine.csv");
}

/// The error that a text gives has all of these parts.
void refuses(const std::string& csv, std::initializer_list<const char*> parts) {
    const auto error = errorOf([&] { parsed(csv); });
    CAPTURE(error);
    for (const std::string part : parts) {
        CAPTURE(part);
        CHECK(error.find(part) != std::string::npos);
    }
}

} // namespace

TEST_CASE("a table of measured kernels is read whatever the order of its columns") {
    const auto table = parsed("\xEF\xBB\xBF# a note\n" + kKernelColumns + "\n" + kRow +
                              "h100_sxm,\"trtllm\",\"1,\"\"x\"\"\",gemm,fp8, 1 ,128,256,,,,,,,,,,5e1\r\n");
    REQUIRE(table.rows.size() == 2);
    CHECK(table.form == MeasuredForm::Kernels);
    CHECK(table.rows[0].line() == 4);
    CHECK(table.rows[1].text("version") == "1,\"x\"");
    CHECK(table.rows[1].number("m") == 1);
    CHECK(table.rows[1].measuredUs() == 50);
    CHECK_FALSE(table.rows[1].has("seq"));
    CHECK(table.rows[1].number("window", 0) == 0);

    const auto other = parsed("us,sms,nodes,heads,context,batch,touched,assigned,routing,ep,tp,experts,topk,"
                              "inter,hidden,tokens,odd,format,kernel,device,op,whatever\n"
                              "1.5,0,1,,,,,,,,,64,8,,1024,2,0,fp8,deepep,h100_sxm,deepep_ll_dispatch,x\n");
    CHECK(other.form == MeasuredForm::Experts);
    CHECK(other.rows[0].number("hidden") == 1024);
    CHECK(other.rows[0].measuredUs() == 1.5);
}

TEST_CASE("the shipped tables hold the rows that the specifications count") {
    const auto files = shippedMeasured(heteroscape::places::kPresetsFolder);
    REQUIRE(files.size() == 4);
    std::size_t rows = 0;
    for (const auto& file : files)
        rows += readMeasured(file).rows.size();
    CHECK(rows > 6840);
}

TEST_CASE("hostile tables get an error with line and column") {
    refuses("", {"mine.csv:1", "the file is empty"});
    refuses("# only a note\n", {"mine.csv:1", "the file is empty"});
    refuses(kKernelColumns, {"mine.csv:1", "there is no row after the header"});
    refuses("a,b\n1,2\n", {"mine.csv:1", "the header names no table of measured kernels", "measured_us"});
    refuses("device,op,measured_us\nx,gemm,1\n",
            {"mine.csv:1", "columns are missing", "framework", "head_dim"});
    refuses("op,kernel,us\nx,gemm,1\n", {"columns are missing", "routing"});
    refuses("op,op,us\n", {"two columns are named \"op\""});
    refuses(kKernelColumns + kRow + "h100_sxm,trtllm\n", {"mine.csv:3", "2 cells where the header has 18"});
    const auto row = [](const std::string& m, const std::string& us, const std::string& device = "h100_sxm") {
        return kKernelColumns + kRow + device + ",trtllm,1,gemm,bfloat16," + m + ",128,256,,,,,,,,,," + us +
               "\n";
    };
    refuses(row("many", "1"), {"mine.csv:3", "column m", "\"many\" is not a number"});
    refuses(row("0", "1"), {"mine.csv:3", "column m", "\"0\" is out of range", "from 1"});
    refuses(row("-4", "1"), {"column m", "out of range"});
    refuses(row("1.5", "1"), {"column m", "a whole number"});
    refuses(row("1e300", "1"), {"column m", "out of range"});
    refuses(row("nan", "1"), {"column m", "not a number"});
    refuses(row("inf", "1"), {"column m", "not a number"});
    refuses(row("4", "0"), {"mine.csv:3", "column measured_us", "out of range"});
    refuses(row("4", "-1"), {"column measured_us", "out of range"});
    refuses(row("4", ""), {"mine.csv:3", "column measured_us is empty"});
    refuses(row("4", "fast"), {"column measured_us", "not a number"});
    refuses(row("4", "1", ""), {"mine.csv:3", "column device is empty"});
    refuses(row("4", "1", std::string(200, 'x')), {"column device", "longer than 100 bytes"});
    refuses(row(std::string(200, '1'), "1"), {"column m", "longer than 100 bytes"});
    refuses(row(std::string(70000, '1'), "1"), {"mine.csv:3", "longer than 65,536 bytes"});
    refuses(std::string(40, '\0') + "\n", {"no table of measured kernels"});
    refuses(row("\x01\x7F\xC3x", "1"), {R"("???x" is not a number)"});
}

TEST_CASE("rows that cannot be read are left out where that is asked for, each with its line") {
    std::vector<UnreadRow> unread;
    std::istringstream some(kKernelColumns + kRow + "h100_sxm,trtllm\n" + kRow);
    const auto table = parseMeasured(some, "mine.csv", &unread);
    CHECK(table.rows.size() == 2);
    CHECK(table.rows[1].line() == 4);
    REQUIRE(unread.size() == 1);
    CHECK(unread[0].line == 3);
    CHECK(unread[0].why.find("mine.csv:3: 2 cells where the header has 18") == 0);
    // With none that can be read it is an error all the same, and so is a header that is wrong.
    CHECK(errorOf([&] {
              std::istringstream none(kKernelColumns + "h100_sxm,trtllm\n");
              parseMeasured(none, "mine.csv", &unread);
          }).find("mine.csv:2") != std::string::npos);
    CHECK(errorOf([&] {
              std::istringstream wrong("a,b\n1,2\n");
              parseMeasured(wrong, "mine.csv", &unread);
          }).find("names no table") != std::string::npos);
}

TEST_CASE("what is no regular file is refused") {
    CHECK(errorOf([] { readMeasured("/nowhere/mine.csv"); }).find("mine.csv") != std::string::npos);
    CHECK(errorOf([] {
              readMeasured(heteroscape::places::kPresetsFolder);
          }).find(heteroscape::places::kPresetsFolder) != std::string::npos);
}
