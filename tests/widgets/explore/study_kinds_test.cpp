// SPDX-License-Identifier: GPL-3.0-or-later
// Scatter plots, filtered rows, contours, bands, breakdowns and rooflines of a study: small tables by hand,
// and real designs whose parts must add up.
#include "engine/claims/claims.h"
#include "engine/plotting/cut.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/exact.h"
#include "tests/widgets/explore/choose.h"
#include "tests/widgets/explore/small_study.h"
#include "tests/widgets/report/csv_reader.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/plot_controls.h"
#include "widgets/explore/plot_options.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/plot_form.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/plot_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;
using namespace heteroscape::widgets::test;

namespace {

/// Two batches, three lengths. Latency (less is better) and throughput (more is):
///   rows   0: 1, 10   1: 2, 30   2: 3, 20   3: 4, 40   4: 5, 40   5: not feasible
std::shared_ptr<LoadedStudy> smallStudy() {
    return studyOf({{"workload.batch", "Batch", {1, 2}},
                    {"workload.prompt_tokens", "Prompt", {100, 200, 300}, "tokens"}},
                   {{"throughput_tok_s", "Throughput", "tok/s", {10, 30, 20, 40, 40, kNone}},
                    {"latency_s", "Latency", "s", {1, 2, 3, 4, 5, kNone}},
                    {"power_w", "Power", "W", {9, 9, 1, 9, 9, kNone}}},
                   {1, 1, 1, 1, 1, 0});
}

engine::StudyPlot scatter() {
    engine::StudyPlot plot;
    plot.kind = engine::PlotKind::Scatter;
    plot.metrics = {"latency_s", "throughput_tok_s"};
    plot.pareto = plot.optimum = true;
    return plot;
}

using Rows = std::vector<std::size_t>;

} // namespace

class StudyKindsTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const LoadedStudy> evaluated(const char* preset, std::vector<engine::Axis> axes) const {
        engine::Study study{"real", engine::loadPreset(*shippedCatalog(), preset, "this test"),
                            std::move(axes)};
        return asLoaded(engine::evaluateStudy(study), study, *shippedCatalog());
    }

private slots:
    void scatterByHand() {
        const auto study = smallStudy();
        auto plot = scatter();
        plot.query.curve = "workload.batch";
        const auto made = drawn(plot, *study);
        const auto& cloud = *made.chart.cloud;
        QCOMPARE(cloud.points->x.size(), std::size_t{6});
        QCOMPARE(cloud.points->y[3], 40.0);
        QVERIFY(std::isnan(cloud.points->x[5]));
        QCOMPARE(cloud.points->group, (std::vector<std::uint8_t>{0, 0, 0, 1, 1, 1}));
        QCOMPARE(cloud.groups.at(1).name, QStringLiteral("2"));
        // Row 2 is beaten by 1, and 4 by 3, which is as fast and earlier.
        QCOMPARE(cloud.front, (Rows{0, 1, 3}));
        auto bare = made.chart;
        bare.cloud->front.clear();
        QVERIFY(renderChart(made.chart, ImageFormat::Png, {}) != renderChart(bare, ImageFormat::Png, {}));
        QCOMPARE(cloud.frontX, (std::vector<double>{1, 2, 2, 4, 4}));
        QCOMPARE(cloud.frontY, (std::vector<double>{10, 10, 30, 30, 40}));
        QVERIFY(cloud.frontLabel.contains(QStringLiteral("3")));
        QCOMPARE(made.chart.stars.at(0).y, 40.0);
        QCOMPARE(made.chart.stars.at(0).x, 4.0);
        QCOMPARE(made.chart.x.label, QStringLiteral("Latency (s)"));
        QCOMPARE(made.chart.title, QStringLiteral("Throughput against latency"));
        QCOMPARE(made.rowOf({0, 4, ChartPoint::Kind::Cloud}), std::optional<std::size_t>(4));
        QCOMPARE(made.pointOf(2), std::optional(ChartPoint{0, 2, ChartPoint::Kind::Cloud}));
        QVERIFY(!made.pointOf(5));
    }

    void eightShadesAreAllNamed() {
        const auto study = studyOf({{"workload.batch", "Batch", {1, 2, 3, 4, 6, 8, 16, 32}}},
                                   {{"throughput_tok_s", "Throughput", "tok/s", {1, 2, 3, 4, 5, 6, 7, 8}},
                                    {"latency_s", "Latency", "s", {1, 2, 3, 4, 5, 6, 7, 8}}});
        auto plot = scatter();
        plot.query.curve = "workload.batch";
        const auto cloud = *drawn(plot, *study).chart.cloud;
        QCOMPARE(cloud.groups.size(), std::size_t{8});
        for (const auto& group : cloud.groups)
            QVERIFY(!group.name.isEmpty());
        QCOMPARE(cloud.unnamed, std::size_t{0});
    }

    void theLegendSaysHowManyShadesItDoesNotName() {
        std::vector<double> values(300); // more than there are shades
        std::iota(values.begin(), values.end(), 1.0);
        for (const std::size_t count : {300U, 20U}) {
            values.resize(count);
            const auto study = studyOf(
                {{"workload.batch", "Batch", values}},
                {{"throughput_tok_s", "Throughput", "tok/s", values}, {"latency_s", "Latency", "s", values}});
            auto plot = scatter();
            plot.query.curve = "workload.batch";
            const auto chart = drawn(plot, *study).chart;
            const auto& groups = chart.cloud->groups;
            const auto named = static_cast<std::size_t>(std::count_if(
                groups.begin(), groups.end(), [](const auto& group) { return !group.name.isEmpty(); }));
            QVERIFY(named > 5 && named < count);
            const auto picture = QString::fromUtf8(renderChart(chart, ImageFormat::Svg, {}));
            QVERIFY(picture.contains(QStringLiteral(">+%1<").arg(count - named)) ||
                    picture.contains(QStringLiteral(">+%1 <").arg(count - named)));
            for (std::size_t row = 0; row < count; ++row) { // beside the mouse, and as data
                QCOMPARE(chart.cloud->points->groupValue(row), QString::number(row + 1));
                QCOMPARE(chart.cloud->points->facts(row).front().second, QString::number(row + 1));
            }
        }
    }

    void threeMetricsKeepWhatIsBestInTheThird() {
        const auto study = smallStudy();
        auto plot = scatter();
        plot.metrics.push_back("power_w"); // row 2 needs the least
        const auto made = drawn(plot, *study);
        QCOMPARE(made.chart.cloud->front, (Rows{0, 1, 2, 3}));
        QVERIFY(made.chart.cloud->frontX.empty());
        QCOMPARE(made.chart.cloud->sizeLabel, QStringLiteral("Power (W)"));
        QCOMPARE(made.chart.cloud->points->size[2], 1.0);
    }

    void filteredRowsAreNoFrontAndNoOptimum() {
        const auto study = smallStudy();
        study->table.info.limits = {{.column = "latency_s", .most = 3.5}};
        const engine::RowMask kept{1, 0, 1, 0, 0, 0};
        auto made = drawn(scatter(), *study, &kept);
        QCOMPARE(made.chart.cloud->front, (Rows{0, 2}));
        QCOMPARE(made.chart.stars.at(0).y, 20.0);
        const auto points = made.chart.cloud->points;
        refilter(made, *study, settled(scatter(), *study), nullptr);
        QCOMPARE(made.chart.cloud->front, (Rows{0, 1, 3}));
        QCOMPARE(made.chart.cloud->points, points); // read once

        engine::StudyPlot lines;
        lines.query.x = "workload.prompt_tokens";
        lines.query.curve = "workload.batch";
        lines.metrics = {"throughput_tok_s"};
        lines.optimum = true;
        const auto curves = drawn(lines, *study, &kept);
        QCOMPARE(curves.chart.lines[0].muted, (std::vector<std::uint8_t>{0, 1, 0}));
        QCOMPARE(curves.chart.stars.at(0).y, 20.0);

        // As data they are told from what is kept.
        auto bars = lines;
        bars.kind = engine::PlotKind::Bars;
        for (const auto& chart : {curves.chart, drawn(bars, *study, &kept).chart}) {
            const auto text = chartCsv(chart);
            const auto table = test::readCsv(text);
            std::size_t filtered = 0, ok = 0, cells = 0;
            for (int column = 1; column < table.header.size(); ++column) {
                if (!table.header[column].endsWith(QStringLiteral(", status")))
                    continue;
                QCOMPARE(table.header[column], table.header[column - 1] + QStringLiteral(", status"));
                for (const auto& row : table.rows) {
                    ++cells;
                    ok += row[column] == QStringLiteral("ok");
                    filtered += row[column] == QStringLiteral("filtered");
                    QCOMPARE(row[column - 1].isEmpty(), row[column] == QStringLiteral("infeasible") ||
                                                            row[column] == QStringLiteral("not computed"));
                }
            }
            QVERIFY2(filtered == 3 && ok == 2 && cells == 6, qPrintable(text));
        }
        for (const auto& name : test::readCsv(chartCsv(drawn(lines, *study).chart)).header)
            QVERIFY(!name.contains(QStringLiteral("status"))); // nothing is filtered

        auto map = lines;
        map.kind = engine::PlotKind::HeatMap;
        map.contours = true;
        const auto cells = drawn(map, *study, &kept);
        QVERIFY(std::isnan(cells.chart.heatMap->z[1][0]));
        QVERIFY(cells.chart.heatMap->isFiltered({1, 0}));
        QCOMPARE(cells.chart.heatMap->whyNot({1, 0}),
                 QStringLiteral("Filtered out: latency over 3.5\u2009s"));
        QCOMPARE(cells.chart.heatMap->whyNot({0, 1}),
                 QStringLiteral("Filtered out: outside of what is brushed"));
        QVERIFY(!cells.chart.heatMap->isFiltered({1, 2})); // that one does not run at all
    }

    void contoursLieBetweenTheirValues() {
        const auto study = smallStudy();
        study->table.columns[3].values = {0, 10, 20, 0, 10, 20}; // rises across, the same in both rows
        study->table.columns[2].values[5] = 1;
        engine::StudyPlot plot;
        plot.kind = engine::PlotKind::HeatMap;
        plot.query.x = "workload.prompt_tokens";
        plot.query.curve = "workload.batch";
        plot.metrics = {"throughput_tok_s"};
        QVERIFY(drawn(plot, *study).chart.heatMap->contours.empty());
        plot.contours = true;
        const auto made = drawn(plot, *study);
        const auto& contours = made.chart.heatMap->contours;
        QVERIFY(contours.size() >= 3);
        for (const auto& contour : contours)
            for (const auto& point : contour.points)
                QVERIFY(std::fabs(point.x - contour.level / 10) < 1e-9); // upright lines
        auto bare = made.chart;
        bare.heatMap->contours.clear();
        QVERIFY(renderChart(made.chart, ImageFormat::Png, {}) != renderChart(bare, ImageFormat::Png, {}));
    }

    void ratiosAreNamedAndHaveALineAtOne() {
        const auto study = smallStudy();
        engine::StudyPlot plot;
        plot.query.x = "workload.prompt_tokens";
        plot.metrics = {"latency_s"};
        plot.query.baseline = std::make_shared<engine::Baseline>(
            engine::Baseline{"A100 (\"old\"), 7 U280", {{"latency_s", 2.0}, {"throughput_tok_s", 20.0}}});
        const auto made = drawn(plot, *study);
        QCOMPARE(made.chart.y.label, QStringLiteral("Latency (× of A100 [\"old\"], 7 U280)"));
        QCOMPARE(made.chart.lines.at(0).y, (std::vector<double>{0.5, 1.0, 1.5}));
        QCOMPARE(made.chart.references.at(0).at, 1.0);
        const auto csv = test::readCsv(chartCsv(made.chart));
        QCOMPARE(csv.header.last(), QStringLiteral("A100 (\"old\"), 7 U280"));
        QCOMPARE(csv.rows[0].mid(1), QStringList({QStringLiteral("0.5"), QStringLiteral("1")}));
        auto cloud = scatter();
        cloud.query.baseline = plot.query.baseline;
        const auto points = drawn(cloud, *study).chart;
        QCOMPARE(points.cloud->points->y[0], 0.5);
        QCOMPARE(points.y.label, QStringLiteral("Throughput (× of A100 [\"old\"], 7 U280)"));
        QCOMPARE(points.references.size(), std::size_t{2});
    }

    void breakdownsAddUpToTheLatency() {
        int added = 0;
        for (const char* preset : {"glitches/a100-7u280", "glitches/8a100", "preserve/llama3-70b-8npu",
                                   "inf2/opt-30b-a100-16csd"}) {
            const auto study = evaluated(preset, {{"workload.batch", {1, 4, 8}}});
            engine::StudyPlot plot;
            plot.kind = engine::PlotKind::Breakdown;
            const auto made = drawn(plot, *study);
            QVERIFY(made.chart.bars);
            const auto& latency = *study->table.find("latency_s");
            for (std::size_t i = 0; i < 3; ++i) {
                const auto row = made.rowOf({0, static_cast<int>(i), ChartPoint::Kind::Bar});
                QVERIFY(row);
                if (std::isnan(latency.at(*row)))
                    continue;
                const double sum = made.chart.barSum(0, i);
                QVERIFY(std::fabs(sum - latency.at(*row)) < 1e-12 * sum);
                for (const auto& series : made.chart.bars->series)
                    QVERIFY(series.values[i] >= 0);
                ++added;
            }
            plot.shares = true;
            const auto shares = drawn(plot, *study);
            if (std::isfinite(latency.at(0)))
                QVERIFY(std::fabs(shares.chart.barSum(0, 0) - 100) < 1e-9);
        }
        QVERIFY(added >= 8);
    }

    void rooflinesHaveEveryDesign() {
        const auto study = evaluated("glitches/a100-7u280", {{"workload.batch", {1, 4, 8}}});
        engine::StudyPlot plot;
        plot.kind = engine::PlotKind::Roofline;
        const auto made = drawn(plot, *study);
        QVERIFY(!made.chart.marks.empty());
        QCOMPARE(made.markRows.size(), made.chart.marks.size());
        std::set<std::size_t> rows(made.markRows.begin(), made.markRows.end());
        QCOMPARE(rows, (std::set<std::size_t>{0, 1, 2}));
        QVERIFY(made.pointOf(1));
        QCOMPARE(made.rowOf(*made.pointOf(1)), std::optional<std::size_t>(1));
        QVERIFY(made.chart.x.log && made.chart.y.log);
    }

    void bandsAreTheEnginesAndAreWritten() {
        const auto study = evaluated("glitches/a100-7u280", {{"workload.batch", {1, 8, 4096}}});
        engine::StudyPlot plot;
        plot.metrics = {"latency_s"};
        plot.query.x = "workload.batch";
        const auto bare = drawn(plot, *study).chart;
        QVERIFY(bare.lines.at(0).low.empty());
        plot.bands = true;
        plot = settled(plot, *study);
        const auto expected = engine::seriesBands(study->definition, plot.query);
        prepareBands(*study, plot);
        const auto made = studyChart(*study, plot);
        const auto& line = made.chart.lines.at(0);
        QVERIFY(line.low[0] < line.y[0] && line.y[0] < line.high[0]);
        QVERIFY(std::isnan(line.y[2])); // so many do not fit
        const auto csv = test::readCsv(chartCsv(made.chart));
        const int value = csv.column(QStringLiteral("Latency (s)"));
        QCOMPARE(csv.header.mid(value + 1, 2),
                 QStringList({QStringLiteral("Latency (s), least"), QStringLiteral("Latency (s), most")}));
        for (std::size_t i = 0; i < 3; ++i) {
            QVERIFY(test::same(line.low[i], expected.at(0).low[i]));
            QVERIFY(test::same(line.high[i], expected.at(0).high[i]));
            QCOMPARE(csv.rows[i].mid(value, 3), QStringList({test::exact(line.y[i]), test::exact(line.low[i]),
                                                             test::exact(line.high[i])}));
        }
        QVERIFY(renderChart(made.chart, ImageFormat::Png, {}) != renderChart(bare, ImageFormat::Png, {}));
        PlotView view;
        view.setChart(made.chart);
        expose(view, {500, 300});
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(view.readOut().rows().at(0).value.contains(QStringLiteral(" to ")));
        // Without calibrated constants both ends are the value.
        const auto sure = evaluated("preserve/llama3-70b-8npu", {{"workload.batch", {1, 4}}});
        prepareBands(*sure, plot);
        const auto narrow = studyChart(*sure, plot);
        const auto& thin = narrow.chart.lines.at(0);
        QVERIFY(thin.low == thin.y && thin.high == thin.y);
    }

    void everyKindFitsEveryStudy() {
        const auto two = smallStudy();
        auto none = smallStudy();
        none->table.info.axes.clear();
        none->definition.axes.clear();
        for (const auto kind :
             {engine::PlotKind::Scatter, engine::PlotKind::Parallel, engine::PlotKind::Breakdown,
              engine::PlotKind::Roofline, engine::PlotKind::Timeline})
            for (const auto& study : {two, none}) {
                engine::StudyPlot plot;
                plot.kind = kind;
                plot.query.curve = "workload.batch";
                plot.query.gain = {"workload.batch", 1};
                plot = settled(plot, *study);
                QCOMPARE(plot.kind, kind);
                QVERIFY(plot.query.gain.axis.empty());
                if (kind == engine::PlotKind::Scatter)
                    QCOMPARE(plot.metrics.size(), std::size_t{2});
                else
                    QVERIFY(plot.query.curve.empty());
                const bool holds = plotForm(kind).isOfDesigns() && study == two;
                QCOMPARE(plot.query.fixed.size(), holds ? std::size_t{1} : std::size_t{0});
            }
    }

    void theControlsOfferAllOfIt() {
        const auto study = smallStudy();
        PlotControls controls(QStringLiteral("latency_s"), nullptr);
        controls.setStudy(study);
        expose(controls, {900, 80});
        const auto combo = [&](const char* name) {
            return controls.findChild<QComboBox*>(QLatin1String(name));
        };
        QSignalSpy changed(&controls, &PlotControls::changed);
        choose(combo("kind"), static_cast<int>(engine::PlotKind::Scatter));
        QCOMPARE(controls.plot().kind, engine::PlotKind::Scatter);
        QCOMPARE(controls.plot().metrics, (std::vector<std::string>{"latency_s", "throughput_tok_s"}));
        QVERIFY(controls.plot().pareto);
        QVERIFY(combo("upwards")->isVisible() && combo("pointSize")->isVisible() &&
                !combo("across")->isVisible());
        choose(combo("pointSize"), QStringLiteral("power_w"));
        QCOMPARE(controls.plot().metrics.size(), std::size_t{3});
        choose(combo("upwards"), QStringLiteral("power_w"));
        choose(combo("pointSize"), QString());
        QCOMPARE(controls.plot().metrics, (std::vector<std::string>{"latency_s", "power_w"}));
        controls.openOptions(&controls);
        auto* options = controls.findChild<PlotOptions*>();
        auto* front = options->findChild<QCheckBox*>(QStringLiteral("pareto"));
        QVERIFY(front->isVisible() && front->isChecked());
        QVERIFY(!options->findChild<QCheckBox*>(QStringLiteral("bands"))->isVisible());
        QTest::keyClick(front, Qt::Key_Space);
        QVERIFY(!controls.plot().pareto);
        auto* across = options->findChild<QCheckBox*>(QStringLiteral("logAcross"));
        QTest::keyClick(across, Qt::Key_Space);
        QVERIFY(controls.plot().logAcross);
        options->close();
        choose(combo("kind"), static_cast<int>(engine::PlotKind::Breakdown));
        QVERIFY(!combo("metric")->isVisible() && combo("across")->isVisible());
        choose(combo("kind"), static_cast<int>(engine::PlotKind::Lines));
        QCOMPARE(controls.plot().metrics.size(), std::size_t{1}); // one axis, one unit
        controls.openOptions(&controls);
        QTest::keyClick(options->findChild<QCheckBox*>(QStringLiteral("bands")), Qt::Key_Space);
        QVERIFY(controls.plot().bands);
        options->close();
        choose(combo("kind"), static_cast<int>(engine::PlotKind::HeatMap));
        controls.openOptions(&controls);
        QTest::keyClick(options->findChild<QCheckBox*>(QStringLiteral("contours")), Qt::Key_Space);
        QVERIFY(controls.plot().contours);
        options->close();
        QVERIFY(changed.count() >= 8);
    }
};

WIDGET_TEST(StudyKindsTest)
#include "study_kinds_test.moc"
