// SPDX-License-Identifier: GPL-3.0-or-later
// Curves that differ in several axes, crossovers, shares and values over bars: drawn from a small table
// computed by hand, and chosen in a tile.
#include "tests/widgets/explore/choose.h"
#include "tests/widgets/explore/small_study.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/plot_options.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/plot_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QListWidget>
#include <QTest>
#include <QToolButton>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;
using namespace heteroscape::widgets::test;

namespace {

constexpr const char* kAcross = "workload.batch";

/// Two GPUs, SSD or CSD, batch 1, 2 or 4. Throughput in tok/s:
///   A100 SSD  4 5 5    CSD  2 4 8
///   H100 SSD  5 6 6    CSD  2 5 _ (not feasible)
/// Prefill takes 1 s; the decode 3 s with SSDs, 1 s with CSDs, and no time is spent on a third part.
std::shared_ptr<LoadedStudy> study() {
    return studyOf({{"gpu", "GPU", {0, 1}, "", {"a100", "h100"}},
                    {"csd", "Storage", {0, 1}, "", {"ssd", "csd"}},
                    {kAcross, "Batch", {1, 2, 4}}},
                   {{"throughput_tok_s", "Throughput", "tok/s", {4, 5, 5, 2, 4, 8, 5, 6, 6, 2, 5, kNone}},
                    {"ttft_s", "Prefill", "s", {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, kNone}},
                    {"tpot_s", "Decode", "s", {3, 3, 3, 1, 1, 1, 3, 3, 3, 1, 1, kNone}},
                    {"kv_transfer_s", "Transfer", "s", {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, kNone}}},
                   {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0},
                   {{QStringLiteral("A100"), QStringLiteral("H100")},
                    {QStringLiteral("SSD"), QStringLiteral("CSD")},
                    {}});
}

engine::StudyPlot plot(engine::PlotKind kind, const char* metric = "throughput_tok_s") {
    engine::StudyPlot made;
    made.kind = kind;
    made.query.x = kAcross;
    made.query.metric = metric;
    made.metrics = {metric};
    return made;
}

std::vector<engine::SeriesCase> twoCases() {
    return {{"old", {{"gpu", 0}, {"csd", 0}}}, {"new", {{"gpu", 0}, {"csd", 1}}}};
}

} // namespace

class StudyCasesTest : public QObject {
    Q_OBJECT

private slots:
    void casesAreCurvesAndBars() {
        auto wanted = plot(engine::PlotKind::Lines);
        wanted.query.cases = twoCases();
        auto made = drawn(wanted, *study());
        QCOMPARE(made.chart.lines.size(), std::size_t{2});
        QCOMPARE(made.chart.lines[1].name, QStringLiteral("new"));
        QCOMPARE(made.chart.lines[1].y, (std::vector<double>{2, 4, 8}));
        wanted.kind = engine::PlotKind::Bars;
        wanted.query.gain = {"gpu", 0, {{"csd", 0}, {kAcross, 1}}};
        made = drawn(wanted, *study());
        QCOMPARE(made.chart.bars->series[0].values, (std::vector<double>{1, 1.25, 1.25}));
        QCOMPARE(made.chart.bars->series[1].values, (std::vector<double>{0.5, 1, 2}));
        QCOMPARE(made.rowOf({1, 2, ChartPoint::Kind::Bar}), std::optional<std::size_t>(5));
    }

    void kneesAreMarkedWhereACurveHasOne() {
        auto wanted = plot(engine::PlotKind::Lines);
        wanted.query.curve = "csd";
        wanted.knee = true;
        const auto made = drawn(wanted, *study());
        // SSD 4, 5, 5 stops rising at 2; CSD 2, 4, 8 over 1, 2, 4 is straight.
        QCOMPARE(made.chart.crossovers.size(), std::size_t{1});
        QCOMPARE(made.chart.crossovers[0].label, QStringLiteral("SSD: knee at 2"));
        QCOMPARE(made.chart.crossovers[0].x, 2.0);
        QCOMPARE(made.chart.crossovers[0].y, 5.0);
        wanted.query.curve.clear();
        wanted.query.fixed = {{"csd", 0}};
        QCOMPARE(drawn(wanted, *study()).chart.crossovers.at(0).label, QStringLiteral("Knee at 2"));
    }

    void crossoversAreMarkedAndExported() {
        auto wanted = plot(engine::PlotKind::Lines);
        wanted.query.curve = "csd";
        wanted.crossover = engine::CrossoverKind::FirstPoint;
        auto made = drawn(wanted, *study());
        QCOMPARE(made.chart.crossovers.size(), std::size_t{1});
        QCOMPARE(made.chart.crossovers[0].label, QStringLiteral("CSD leads from 4"));
        QCOMPARE(made.chart.crossovers[0].x, 4.0);
        const auto csvRows = chartCsv(made.chart).split(u'\n');
        QVERIFY(csvRows[0].endsWith(QStringLiteral(",Mark")));
        QCOMPARE(csvRows.filter(QStringLiteral(",CSD leads from 4")).size(), 1);
        QVERIFY(csvRows.filter(QStringLiteral(",CSD leads from 4")).front().startsWith(QStringLiteral("4,")));
        // 5 to 5 and 4 to 8 between batches 2 and 4: a quarter of the way.
        wanted.crossover = engine::CrossoverKind::Interpolated;
        made = drawn(wanted, *study());
        QVERIFY(!made.chart.x.log);
        QCOMPARE(made.chart.crossovers.at(0).x, 2.5);
        // One curve and a line across: where they meet.
        wanted.query.curve.clear();
        wanted.query.fixed = {{"csd", 1}};
        wanted.references = {{"enough", 3, "by hand"}};
        made = drawn(wanted, *study());
        QCOMPARE(made.chart.crossovers.size(), std::size_t{1});
        QCOMPARE(made.chart.crossovers[0].label, QStringLiteral("Throughput above enough from 1.5"));
    }

    void stacksHaveSharesSumsAndNoEmptyParts() {
        auto wanted = plot(engine::PlotKind::Bars, "ttft_s");
        wanted.metrics = {"ttft_s", "tpot_s", "kv_transfer_s"};
        wanted.query.curve = "csd";
        wanted.values = true;
        auto made = drawn(wanted, *study());
        const auto& bars = *made.chart.bars;
        QCOMPARE(bars.series.size(), std::size_t{4}); // two parts of two bars: the third is nowhere
        QCOMPARE(bars.names, (std::vector<QString>{QStringLiteral("SSD"), QStringLiteral("CSD")}));
        QCOMPARE(made.chart.barSum(0, 0), 4.0);
        QCOMPARE(made.chart.barSum(1, 2), 2.0);
        QVERIFY(bars.series[0].color != bars.series[2].color);
        QVERIFY(bars.writeValues);
        QCOMPARE(made.chart.y.label, QStringLiteral("Time (s)"));
        const auto csv = chartCsv(made.chart).split(u'\n');
        QVERIFY(csv[0].startsWith(QStringLiteral("Batch,\"Time (s), Prefill, Storage SSD\",")));
        QVERIFY(csv[0].endsWith(
            QStringLiteral("\"Time (s), Together, Storage SSD\",\"Time (s), Together, Storage CSD\"")));
        QCOMPARE(csv[1], QStringLiteral("1,1,1,3,1,4,2"));
        wanted.shares = true;
        made = drawn(wanted, *study());
        QCOMPARE(made.chart.bars->series[0].values, (std::vector<double>{25, 25, 25}));
        QCOMPARE(made.chart.bars->series[3].values, (std::vector<double>{50, 50, 50}));
        QCOMPARE(made.chart.y.label, QStringLiteral("Share of: time (%)"));
    }

    void aTileMakesCasesOfTwoAxes() {
        StudyMarks marks;
        StudyTile tile(QStringLiteral("throughput_tok_s"), &marks);
        expose(tile, {760, 480});
        tile.setStudy(study());
        choose(find<QComboBox>(tile, "across"), QString::fromLatin1(kAcross));
        choose(find<QComboBox>(tile, "curves"), QStringLiteral("gpu"));
        auto* further = find<QComboBox>(tile, "further");
        QVERIFY(further->isVisible());
        choose(further, QStringLiteral("csd"));
        const auto& lines = tile.view()->chart().lines;
        QCOMPARE(lines.size(), std::size_t{4});
        QCOMPARE(lines[1].name, QStringLiteral("A100, CSD"));
        QCOMPARE(lines[1].y, (std::vector<double>{2, 4, 8}));
        QVERIFY(std::isnan(lines[3].y[2]));

        // The gain over one of the cases, and one of them left out.
        QTest::mouseClick(find<QToolButton>(tile, "plotOptions"), Qt::LeftButton);
        auto* options = tile.findChild<PlotOptions*>();
        choose(find<QComboBox>(*options, "gainAxis"), 0);
        QCOMPARE(tile.view()->chart().lines[0].y, (std::vector<double>{1, 1, 1}));
        QCOMPARE(tile.view()->chart().lines[1].y, (std::vector<double>{0.5, 0.8, 1.6}));
        QCOMPARE(tile.plot().query.gain.further.size(), std::size_t{1});
        auto* cases = find<QListWidget>(*options, "cases");
        QCOMPARE(cases->count(), 4);
        cases->setCurrentRow(3);
        cases->setFocus();
        QTest::keyClick(cases, Qt::Key_Space);
        QCOMPARE(tile.view()->chart().lines.size(), std::size_t{3});
        choose(find<QComboBox>(*options, "crossover"), static_cast<int>(engine::CrossoverKind::FirstPoint));
        QVERIFY(!tile.view()->chart().crossovers.empty());
        options->hide();
        // Opened again, the one left out can come back.
        QTest::mouseClick(find<QToolButton>(tile, "plotOptions"), Qt::LeftButton);
        QCOMPARE(cases->count(), 4);
        QCOMPARE(cases->item(3)->checkState(), Qt::Unchecked);
        options->hide();

        choose(find<QComboBox>(tile, "kind"), static_cast<int>(engine::PlotKind::Bars));
        QTest::mouseClick(find<QToolButton>(tile, "plotOptions"), Qt::LeftButton);
        auto* values = find<QCheckBox>(*options, "barValues");
        QVERIFY(values->isVisible());
        QVERIFY(!find<QComboBox>(*options, "crossover")->isVisible());
        QTest::mouseClick(values, Qt::LeftButton, {}, QPoint(10, values->height() / 2));
        QVERIFY(tile.view()->chart().bars->writeValues);
        options->hide();
        choose(further, QString());
        QVERIFY(tile.plot().query.cases.empty());
        QCOMPARE(tile.plot().query.curve, std::string("gpu"));
    }

    void everyCombinationIsACase() {
        const auto small = study();
        const auto cases = everyCase(*small, {"gpu", kAcross});
        QCOMPARE(cases.size(), std::size_t{6});
        QCOMPARE(cases[1].name, std::string("A100, 2"));
        QVERIFY(samePlace(cases[1], {"other", {{kAcross, 2}, {"gpu", 0}}}));
        QVERIFY(!samePlace(cases[1], cases[0]));
        QVERIFY(everyCase(*small, {}).empty());
    }
};

WIDGET_TEST(StudyCasesTest)
#include "study_cases_test.moc"
