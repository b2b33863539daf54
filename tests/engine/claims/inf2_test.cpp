// SPDX-License-Identifier: GPL-3.0-or-later
// INF2's claims against an independent prototype.
#include "engine/claims/claims.h"
#include "tests/engine/fixtures.h"

#include <algorithm>
#include <optional>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

const PaperComparison& comparison() {
    static const auto result = compare(catalog(), loadPaper(catalog(), "inf2"));
    return result;
}

const ClaimResult& claim(const std::string& id) {
    for (const auto& result : comparison().results)
        if (result.claim.id == id)
            return result;
    FAIL("no claim " << id);
    throw 0;
}

struct Row {
    std::string id;
    ClaimKind kind;
    bool misfit;
    double paper;
    double prototype;
};

} // namespace

TEST_CASE("every claim of INF2 holds the prototype's column, and the misfits are said") {
    using enum ClaimKind;
    const std::vector<Row> rows{
        {"eq3-1k", Count, false, 512.5, 512.5},
        {"eq3-16k", Count, false, 8192.5, 8192.5},
        {"fig3-kv-share", Predicted, false, 80, 83.38749},
        {"fig3-2-ssds", Calibrated, false, 1.68, 1.680875},
        {"fig3-flat", Predicted, false, 1, 1},
        {"fig10-30b", Calibrated, false, 2.67, 2.673047},
        {"fig10-175b", Calibrated, false, 2.30, 2.299155},
        {"fig10-least", Predicted, false, 2, 2.104264},
        {"fig10-uvm", Calibrated, false, 5, 4.975762},
        {"fig11-wb-least", Calibrated, false, 1.10, 1.094658},
        {"fig11-wb-most", Calibrated, false, 1.12, 1.12438},
        {"fig11-x-least", Predicted, true, 1.07, 1.019706},
        {"fig11-x-most", Predicted, true, 1.19, 1.473179},
        {"fig11-all-least", Predicted, false, 1.10, 1.115338},
        {"fig11-all-most", Predicted, false, 1.57, 1.645103},
        {"fig13-flexgen-256", Calibrated, false, 0.032, 0.031931},
        {"fig13-flexgen-1t", Calibrated, false, 0.034, 0.03412002},
        {"fig13-least", Predicted, true, 2.26, 2.563868},
        {"fig13-most", Predicted, false, 3.18, 3.184989},
        {"fig14-most", Predicted, false, 3.46, 3.464188},
        {"fig15-175b", Predicted, false, 1.99, 1.996594},
        {"fig16-16-csds", Predicted, true, 3.71, 4.787414},
        {"fig16-2-ssds-lead", Predicted, false, 1, 2.072862e-6 / 4.269965e-7},
        {"fig16-gains", Predicted, false, 1, 3.648e-6 / 2.478e-6},
        {"fig17-h100-least", Calibrated, false, 1.08, 1.079968},
        {"fig17-h100-most", Predicted, false, 1.19, 1.099546},
        {"fig17-8csd-least", Predicted, true, 1.21, 1.380841},
        {"fig17-8csd-most", Predicted, false, 1.69, 1.641256},
        {"fig17-16csd-least", Predicted, true, 2.15, 2.299155},
        {"fig17-16csd-most", Predicted, true, 2.19, 2.673047},
        {"fig17-8-over-16", Predicted, true, 1, 7.517158e-6 / 9.125336e-6},
        {"gpus-throughput", Count, false, 3.88, 3.87128},
        {"gpus-price", Count, false, 199000, 199000},
        {"gpus-efficiency", Count, false, 1.95e-5, 1.945367e-5},
        {"inf2-price", Count, false, 98400, 98400},
        {"inf2-efficiency", Predicted, false, 2.02e-5, 2.029059e-5},
        {"accelerator-power", Count, false, 227.36, 227.36},
    };
    CHECK(comparison().results.size() == rows.size());
    for (const auto& row : rows) {
        CAPTURE(row.id);
        const auto& result = claim(row.id);
        CHECK(result.claim.kind == row.kind);
        CHECK(result.claim.paper == row.paper);
        CHECK(result.model == doctest::Approx(row.prototype).epsilon(0.001));
        CHECK(result.misfit == row.misfit);
    }
}

TEST_CASE("parts of INF2's claims hold the prototype's numbers") {
    const auto part = [](const std::string& id, std::size_t i) { return claim(id).parts.at(i); };
    CHECK(part("fig3-kv-share", 0) == doctest::Approx(88.38106).epsilon(0.001));
    CHECK(part("fig10-least", 0) == doctest::Approx(1.931939).epsilon(0.001));
    CHECK(part("fig10-least", 1) == doctest::Approx(1.344569).epsilon(0.001));
    CHECK(part("fig14-most", 0) == doctest::Approx(3.256568).epsilon(0.001));
    CHECK(part("fig14-most", 1) == doctest::Approx(3.622577).epsilon(0.001));
    CHECK(part("fig16-2-ssds-lead", 1) < 1.0); // seven CSDs lead
}
