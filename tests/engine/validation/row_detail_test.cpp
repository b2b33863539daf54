// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/validation/row_detail.h"
#include "tests/engine/timing/kernels/kernel_fixtures.h"
#include "tests/places.h"

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

MeasuredTable tableOf(const std::string& rows) {
    std::istringstream in(
        "device,framework,version,op,precision,m,n,k,batch,seq,heads,kv_heads,head_dim,kv_dtype,"
        "window,ranks,bytes,measured_us\n" +
        rows);
    return parseMeasured(in, "mine.csv");
}

double shareOf(const std::vector<TimeShare>& shares, std::string_view figure) {
    for (const auto& share : shares)
        if (share.figure == figure)
            return share.percent;
    return 0.0;
}

} // namespace

TEST_CASE("what a kernel's time hangs on: its shares are those of the formula, and add up to the whole") {
    // A GEMM: launch + sqrt(compute^2 + memory^2). Memory's part of the derivative is memory^2 / body.
    const auto table = tableOf("h100_sxm,trtllm,1,gemm,bfloat16,8192,8192,8192,,,,,,,,,,1500\n"
                               "h100_sxm,trtllm,1,gemm,bfloat16,1,8192,8192,,,,,,,,,,50\n"
                               "h100_sxm,nccl,1,nccl_all_gather,half,,,,,,,,,,,8,536870912,1200\n");
    const auto large = timeShares(kernels(), table.rows[0]);
    CHECK(large.front().figure == "tensor peaks");
    CHECK(large.front().percent > 85.0);
    const auto thin = timeShares(kernels(), table.rows[1]);
    CHECK(thin.front().figure == "memory bandwidth");
    const auto gather = timeShares(kernels(), table.rows[2]);
    CHECK(gather.front().figure == "link");
    for (const auto& shares : {large, thin, gather}) {
        double sum = 0.0;
        for (const auto& share : shares)
            sum += share.percent;
        CHECK(std::abs(sum - 100.0) < 2.0); // parts below half a per cent are left out
    }
    // One per cent more bandwidth takes as much as the share says.
    auto faster = kernels();
    for (auto& one : faster.gpus)
        one.figures.hbmTbs *= 1.01;
    const double gain = 1.0 - predictRow(faster, table.rows[1]).us / predictRow(kernels(), table.rows[1]).us;
    CHECK(std::abs(gain - 1e-4 * shareOf(thin, "memory bandwidth")) < 2e-4);
}

TEST_CASE("a row's series goes along the number by which the others differ") {
    const auto table = tableOf("h100_sxm,trtllm,1,gemm,bfloat16,64,4096,4096,,,,,,,,,,20\n"
                               "h100_sxm,trtllm,1,gemm,bfloat16,64,8192,4096,,,,,,,,,,30\n"
                               "h100_sxm,trtllm,1,gemm,bfloat16,64,16384,4096,,,,,,,,,,50\n"
                               "h100_sxm,vllm,1,gemm,bfloat16,64,1024,4096,,,,,,,,,,9\n"
                               "h100_sxm,trtllm,1,gemm,bfloat16,128,4096,4096,,,,,,,,,,21\n");
    const auto series = seriesOf(kernels(), table.rows, table.rows[1]);
    CHECK(series.column == "n");
    CHECK(series.measuredAt == std::vector<double>{4096, 8192, 16384});
    CHECK(series.measuredUs == std::vector<double>{20, 30, 50});
    REQUIRE(series.at.size() > 20);
    CHECK(std::is_sorted(series.at.begin(), series.at.end()));
    const auto own = std::find(series.at.begin(), series.at.end(), 8192.0);
    REQUIRE(own != series.at.end());
    CHECK(series.modelUs[static_cast<std::size_t>(own - series.at.begin())] ==
          predictRow(kernels(), table.rows[1]).us);
    // Alone in its table it goes along its rows.
    const auto alone = tableOf("h100_sxm,trtllm,1,gemm,bfloat16,64,4096,4096,,,,,,,,,,20\n");
    CHECK(seriesOf(kernels(), alone.rows, alone.rows[0]).column == "m");
}

TEST_CASE("every shipped row opens: shares and series of each kind") {
    for (const auto* file : {"kernels.csv", "experts.csv"}) {
        const auto table =
            readMeasured(std::string(heteroscape::places::kPresetsFolder) + "/measured/" + file);
        std::string last;
        for (const auto& row : table.rows) {
            if (row.text("op") == last)
                continue;
            last = row.text("op");
            CAPTURE(last);
            CAPTURE(row.line());
            CHECK_FALSE(timeShares(kernels(), row).empty());
            CHECK_FALSE(shapeOf(row).empty());
            const auto series = seriesOf(kernels(), table.rows, row);
            CHECK_FALSE(series.column.empty());
            CHECK(series.at.size() >= 2);
            CHECK(std::find(series.measuredUs.begin(), series.measuredUs.end(), row.measuredUs()) !=
                  series.measuredUs.end());
        }
    }
}
