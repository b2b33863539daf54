// SPDX-License-Identifier: GPL-3.0-or-later

// The figures of GLITCHES as studies, against the values worked out from its equations beforehand.

#include "engine/claims/figure_study.h"
#include "engine/evaluation/breakdown.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/engine/fixtures.h"

#include <map>

using namespace heteroscape::engine;
using namespace heteroscape::engine::test;

namespace {

/// y of the first curve, or of the one at `curve`, by x.
std::map<double, double> curveOf(const StudyTable& table, SeriesQuery query, const std::string& metric,
                                 double curve = 0) {
    query.metric = metric;
    std::map<double, double> values;
    for (const auto& series : studySeries(table, query))
        if (query.curve.empty() || series.curveValue == curve)
            for (std::size_t i = 0; i < series.x.size(); ++i)
                values[series.x[i]] = series.y[i];
    return values;
}

} // namespace

TEST_CASE("GLITCHES Fig 2: achieved TFLOP/s of prefill and decode") {
    const auto figure = loadStudy(catalog(), "glitches/fig2", "test");
    PointSetter setter(figure.study);
    const double prefill[] = {120.2, 53.0, 4.23}, decode[] = {0.584, 0.480, 0.659};
    std::size_t prefills = 0, decodes = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (const auto& roof : rooflines(setter.at(i))) {
            const bool isPrefill = roof.phase == Phase::Prefill;
            const double expected = isPrefill ? prefill[i] : decode[i];
            CHECK(roof.step.achievedFlops() / 1e12 == doctest::Approx(expected).epsilon(0.005));
            ++(isPrefill ? prefills : decodes);
        }
    CHECK(prefills == 3);
    CHECK(decodes == 3);
}

TEST_CASE("GLITCHES Fig 5: bandwidth utilisation over the size of a load") {
    const auto figure = loadStudy(catalog(), "glitches/fig5", "test");
    const auto table = evaluateStudy(figure.study);
    auto query = figure.plots[0].query;
    const auto metric = figure.plots[0].metrics[0];
    query.cases.resize(1);
    const auto with = curveOf(table, query, metric);
    for (const auto& [bytes, percent] :
         std::map<double, double>{{256, 8.7}, {1024, 25}, {8192, 56}, {32768, 65}, {262144, 68}})
        CHECK(with.at(bytes) == doctest::Approx(percent).epsilon(0.01));
    query.cases = {figure.plots[0].query.cases.at(1)};
    const auto without = curveOf(table, query, metric);
    CHECK(without.size() >= 5);
    CHECK(without.size() == with.size());
    for (const auto& [bytes, percent] : without)
        CHECK(percent == doctest::Approx(68).epsilon(1e-9));
}

TEST_CASE("GLITCHES Fig 8: KV transfer against prefill") {
    const auto figure = loadStudy(catalog(), "glitches/fig8", "test");
    const auto table = evaluateStudy(figure.study);
    const auto at = [&](const std::string& metric, double system, double prompt) {
        return curveOf(table, figure.plots[0].query, metric, system).at(prompt);
    };
    CHECK(at("nodes.gpu.kv_transfer_ms", 0, 128) == doctest::Approx(6.8).epsilon(0.01));
    CHECK(at("nodes.gpu.prefill_ms", 0, 128) == doctest::Approx(24.3).epsilon(0.005));
    CHECK(at("nodes.gpu.kv_transfer_ms", 0, 1536) == doctest::Approx(52.9).epsilon(0.005));
    CHECK(at("nodes.gpu.prefill_ms", 0, 1536) == doctest::Approx(175.8).epsilon(0.005));
    CHECK(at("nodes.gpu.kv_transfer_ms", 1, 128) == doctest::Approx(8.2).epsilon(0.01));
    CHECK(at("nodes.gpu.prefill_ms", 1, 128) == doctest::Approx(31.5).epsilon(0.005));
    CHECK(at("nodes.gpu.kv_transfer_ms", 1, 1536) == doctest::Approx(69.7).epsilon(0.005));
    CHECK(at("nodes.gpu.prefill_ms", 1, 1536) == doctest::Approx(398.8).epsilon(0.005));
}

TEST_CASE("GLITCHES Fig 9: speed-up over the prefetch ratio") {
    const auto figure = loadStudy(catalog(), "glitches/fig9", "test");
    const auto table = evaluateStudy(figure.study);
    const auto& query = figure.plots[0].query;
    const auto check = [&](const std::string& metric, std::map<double, double> expected) {
        const auto found = curveOf(table, query, metric);
        for (const auto& [ratio, gain] : expected)
            CHECK(found.at(ratio) == doctest::Approx(gain).epsilon(0.005));
    };
    check("nodes.fpga.decode.q_proj_ms", {{1, 1}, {2, 1.13}, {4, 1.16}, {8, 1.05}, {16, 0.89}});
    check("nodes.fpga.decode.up_proj_ms", {{1, 1}, {2, 1.16}, {4, 1.23}, {8, 1.18}, {16, 1.09}});
    check("nodes.fpga.decode_ms", {{1, 1}, {2, 1.145}, {4, 1.20}, {8, 1.13}, {16, 1.02}});
}

TEST_CASE("GLITCHES Figs 4 and 7 are studies: requests of a backlog, five systems over 16 pairs") {
    const auto fourth = loadStudy(catalog(), "glitches/fig4", "test");
    CHECK(fourth.plots.at(0).requests);
    CHECK(fourth.study.base->serving.isSimulated());
    const auto seventh = loadStudy(catalog(), "glitches/fig7", "test");
    CHECK(seventh.study.pointCount() == 80);
    const auto table = evaluateStudy(seventh.study);
    // The mean over all pairs of the ratio to 8 A100 is the paper's 1.28.
    auto query = seventh.plots.at(2).query;
    query.meanOver = {"workload.output_tokens"};
    const auto gains = curveOf(table, query, "throughput_tok_s", 3);
    CHECK(gains.size() == 4);
    double sum = 0;
    for (const auto& [prompt, gain] : gains)
        sum += gain;
    CHECK(sum / 4 == doctest::Approx(1.28).epsilon(0.01));
}
