// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of a small table computed by hand, what a tile's controls do to them, and axes of choices.
#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/study_run/run_study.h"
#include "engine/techniques/l2_prefetch.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/explore/choose.h"
#include "tests/widgets/explore/small_study.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/plot_controls.h"
#include "widgets/explore/plot_options.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_setup.h"
#include "widgets/explore/study_table_model.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/plot_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <qcustomplot.h>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;
using namespace heteroscape::widgets::test;

namespace {

/// Two models, the technique off and on, two batches. Latency in s: 8 4 6 2 for m1, 10 5 9 _ for m2, where
/// the last point is not feasible; time to read FFN weights 1..8 µs.
std::shared_ptr<LoadedStudy> smallModels() {
    auto study = studyOf({{"model", "Model", {0, 1}, "", {"m1", "m2"}},
                          {"workload.batch", "Batch", {1, 4}},
                          {"techniques.l2_prefetch.enabled", "L2 prefetch", {0, 1}, "", {"false", "true"}}},
                         {{"latency_s", "Latency", "s", {8, 4, 6, 2, 10, 5, 9, kNone}},
                          {"throughput_tok_s", "Throughput", "tok/s", {1, 2, 3, 4, 5, 6, 7, kNone}},
                          {"ffn_read_us", "FFN read", "\u00b5s", {1, 2, 3, 4, 5, 6, 7, kNone}}},
                         {1, 1, 1, 1, 1, 1, 1, 0},
                         {{QStringLiteral("First model"), QStringLiteral("Second model")},
                          {},
                          {QStringLiteral("off"), QStringLiteral("on")}});
    study->definition.axes[2].edits = {engine::SetTechnique{"l2_prefetch", false},
                                       engine::SetTechnique{"l2_prefetch", true}};
    return study;
}

engine::StudyPlot speedUp() {
    engine::StudyPlot plot;
    plot.query.x = "workload.batch";
    plot.query.curve = "model";
    plot.query.gain = {"techniques.l2_prefetch.enabled", 0};
    plot.metrics = {"latency_s"};
    plot.optimum = true;
    return plot;
}

} // namespace

class StudyPlotTest : public QObject {
    Q_OBJECT

private slots:
    void gainsByHand() {
        const auto study = smallModels();
        const auto made = drawn(speedUp(), *study);
        const auto& lines = made.chart.lines;
        QCOMPARE(lines.size(), std::size_t{2});
        QCOMPARE(lines[0].name, QStringLiteral("First model"));
        QCOMPARE(lines[0].y, (std::vector<double>{8.0 / 4, 6.0 / 2}));
        QCOMPARE(lines[1].y[0], 10.0 / 5);
        QVERIFY(std::isnan(lines[1].y[1]));
        QCOMPARE(made.chart.y.label, QStringLiteral("Speed-up (×)"));
        QCOMPARE(plotTitle(*study, settled(speedUp(), *study)),
                 QStringLiteral("Latency: speed-up over L2 prefetch off"));
        QCOMPARE(made.chart.stars.at(0).y, 3.0);
        // Throughput: more is better, so its gain is on over off.
        auto plot = speedUp();
        plot.metrics = {"throughput_tok_s"};
        const auto more = drawn(plot, *study);
        QCOMPARE(more.chart.lines[0].y, (std::vector<double>{2.0 / 1, 4.0 / 3}));
        QCOMPARE(more.chart.y.label, QStringLiteral("Gain (×)"));
    }

    void thousandsOfCurvesHaveNoHiddenLegend() {
        Chart chart;
        for (int i = 0; i < 3000; ++i)
            chart.lines.push_back({.name = QString::number(i), .x = {1, 4}, .y = {1, 1}, .color = {}});
        PlotView view;
        view.resize(500, 300);
        view.setChart(chart);
        // QCustomPlot's own lays all its names out anew for each curve that comes or goes.
        const auto* own = view.findChild<QCustomPlot*>();
        QCOMPARE(own->graphCount(), 3000);
        QCOMPARE(own->legend->itemCount(), 0);
    }

    void moreCurvesThanCanBeToldApartAreAMap() {
        for (const int curves : {48, 49}) {
            SmallAxis many{"workload.prompt_tokens", "Prompt", {}};
            std::vector<double> latency;
            for (int i = 1; i <= curves; ++i) {
                many.values.push_back(i);
                latency.insert(latency.end(), {i * 1.0, i * 2.0, i * 3.0});
            }
            const auto study = studyOf({many, {"workload.batch", "Batch", {1, 2, 4}}},
                                       {{"latency_s", "Latency", "s", latency}});
            engine::StudyPlot plot;
            plot.query.x = "workload.batch";
            plot.query.curve = "workload.prompt_tokens";
            plot.metrics = {"latency_s"};
            const auto chart = drawn(plot, *study).chart;
            QCOMPARE(chart.heatMap.has_value(), curves == 49);
            QCOMPARE(chart.lines.size(), std::size_t(curves == 49 ? 0 : 48));
            QCOMPARE(plotNote(*study, plot).contains(QStringLiteral("49 curves, as a map")), curves == 49);
            if (!chart.heatMap)
                continue;
            QCOMPARE(chart.heatMap->z.size(), std::size_t{49});
            for (std::size_t row = 0; row < 49; ++row)
                for (std::size_t column = 0; column < 3; ++column)
                    QCOMPARE(chart.heatMap->z[row][column], latency[3 * row + column]);
        }
    }

    void secondsUnderOneAreReadInMilliseconds() {
        for (const double scale : {0.01, 1.0}) {
            const auto study =
                studyOf({{"workload.batch", "Batch", {1, 2, 4}}},
                        {{"tpot_s", "Time per token", "s", {scale * 1.5, scale * 2, scale * 8}}});
            const auto unit = scale < 1 ? QStringLiteral("ms") : QStringLiteral("s");
            engine::StudyPlot plot;
            plot.query.x = "workload.batch";
            plot.metrics = {"tpot_s"};
            const auto chart = drawn(plot, *study).chart;
            QCOMPARE(chart.y.shownLabel(), QStringLiteral("Time per token (%1)").arg(unit));
            // What is exported is in one unit, whatever is shown.
            const auto csv = chartCsv(chart).split(u'\n');
            QVERIFY2(csv[0].endsWith(QStringLiteral("Time per token (s)")), qPrintable(csv[0]));
            QCOMPARE(csv[1].section(u',', 1).toDouble(), scale * 1.5);
            StudyTableModel table;
            table.setStudy(study, {"tpot_s"}, {});
            int last = 0; // the metric's
            while (!table.headerData(last, Qt::Horizontal, Qt::DisplayRole)
                        .toString()
                        .startsWith(QStringLiteral("Time per")))
                QVERIFY(++last < table.columnCount());
            const auto heading = table.headerData(last, Qt::Horizontal, Qt::DisplayRole).toString();
            QVERIFY2(heading.contains(unit), qPrintable(heading));
            QSet<QString> cells;
            for (int row = 0; row < table.rowCount(); ++row)
                cells += table.index(row, last).data().toString();
            QVERIFY2(cells.contains(scale < 1 ? QStringLiteral("15.00") : QStringLiteral("1.500")),
                     qPrintable(cells.values().join(u' ')));
        }
    }

    /// What is under a second alone is in ms beside longer ones too, in a table and on an axis of both.
    void oneTimeUnderASecondPutsAllInMilliseconds() {
        const auto study = studyOf({{"workload.batch", "Batch", {1, 2, 4}}},
                                   {{"ttft_s", "Time to first token", "s", {0.25, 2, 8}},
                                    {"latency_s", "Latency", "s", {5, 20, 80}}});
        const auto unit = [&](const std::vector<std::string>& columns) {
            return QString::fromStdString(study->shownUnit(columns).name);
        };
        QCOMPARE(unit({"ttft_s"}), QStringLiteral("ms"));
        QCOMPARE(unit({"latency_s"}), QStringLiteral("s"));
        QCOMPARE(unit({"latency_s", "ttft_s"}), QStringLiteral("ms"));
        engine::StudyPlot plot;
        plot.query.x = "workload.batch";
        plot.metrics = {"ttft_s"};
        QCOMPARE(drawn(plot, *study).chart.y.shownLabel(), QStringLiteral("Time to first token (ms)"));
        StudyTableModel table;
        table.setStudy(study, {"ttft_s", "latency_s"}, {});
        const auto column = table.columnOf("ttft_s");
        QVERIFY(column >= 0);
        QVERIFY(table.headerData(column, Qt::Horizontal, Qt::DisplayRole)
                    .toString()
                    .startsWith(QStringLiteral("Time to first token (ms)")));
        QStringList cells;
        for (int row = 0; row < table.rowCount(); ++row)
            cells << table.index(row, column).data().toString();
        cells.sort();
        QCOMPARE(cells,
                 QStringList({QStringLiteral("2,000"), QStringLiteral("250.0"), QStringLiteral("8,000")}));
    }

    void namesOnAnAxisNeverLieOnEachOther() {
        for (const int count : {30, 700, 20000}) {
            Chart chart;
            auto& map = chart.heatMap.emplace();
            chart.x.label = QStringLiteral("Prompt");
            map.z.emplace_back();
            for (int i = 0; i < count; ++i) {
                map.x.push_back(i * 16.0);
                map.z.front().push_back(i);
            }
            map.y = {1};
            PlotView view;
            view.resize(420, 300);
            view.setChart(chart);
            view.show();
            auto* own = view.findChild<QCustomPlot*>();
            own->replot(QCustomPlot::rpImmediateRefresh);
            QVector<double> at;
            QVector<QString> names;
            own->xAxis->ticker()->generate(own->xAxis->range(), QLocale(), u'g', 6, at, nullptr, &names);
            QVERIFY2(at.size() >= 3 && at.size() == names.size(), qPrintable(QString::number(at.size())));
            const QFontMetricsF metrics(own->xAxis->tickLabelFont());
            for (qsizetype i = 1; i < at.size(); ++i)
                QVERIFY(own->xAxis->coordToPixel(at[i]) - own->xAxis->coordToPixel(at[i - 1]) >
                        (metrics.horizontalAdvance(names[i]) + metrics.horizontalAdvance(names[i - 1])) / 2);
        }
    }

    void meansByHand() {
        const auto study = smallModels();
        engine::StudyPlot plot;
        plot.query.x = "techniques.l2_prefetch.enabled";
        plot.query.meanOver = {"model", "workload.batch"};
        plot.metrics = {"latency_s"};
        const auto value = [&](engine::MeanKind kind) {
            plot.query.mean = kind;
            return drawn(plot, *study).chart.lines.at(0).y;
        };
        QCOMPARE(value(engine::MeanKind::Sum)[0], 8.0 + 6 + 10 + 9);
        QCOMPARE(value(engine::MeanKind::Arithmetic)[0], 33.0 / 4);
        QCOMPARE(value(engine::MeanKind::Harmonic)[0], 4 / (1 / 8.0 + 1 / 6.0 + 1 / 10.0 + 1 / 9.0));
        QCOMPARE(valueLabel(*study, settled(plot, *study)), QStringLiteral("Latency, harmonic mean (s)"));
        QVERIFY(std::isnan(value(engine::MeanKind::Sum)[1])); // one of its points is not feasible
        QCOMPARE(valueLabel(*study, settled(plot, *study)), QStringLiteral("Latency, sum (s)"));
        QCOMPARE(plotNote(*study, settled(plot, *study)), QStringLiteral("sum over model, batch"));
    }

    void theOptimumIsCarriedOver() {
        const auto study = smallModels();
        engine::StudyPlot plot;
        plot.query.x = "workload.batch";
        plot.query.curve = "techniques.l2_prefetch.enabled";
        plot.metrics = {"latency_s"};
        plot.optimum = true;
        const auto star = drawn(plot, *study).chart.stars.at(0);
        QCOMPARE(star.x, 4.0);
        QCOMPARE(star.y, 2.0);
        QVERIFY(star.over);
        QCOMPARE(star.over->y, 6.0);
        QCOMPARE(star.over->gain, QStringLiteral("\u221267\u2009%"));
        QCOMPARE(star.label, QStringLiteral("best with L2 prefetch\n4, 2.00"));
    }

    void mapsBarsAndRightAxes() {
        const auto study = smallModels();
        auto plot = speedUp();
        plot.kind = engine::PlotKind::HeatMap;
        const auto map = drawn(plot, *study);
        QCOMPARE(map.chart.heatMap->z.size(), std::size_t{2}); // models upwards
        QCOMPARE(map.chart.heatMap->z[0], (std::vector<double>{2, 3}));
        QCOMPARE(map.chart.y.categories.at(1), QStringLiteral("Second"));
        QCOMPARE(map.chart.y.label, QStringLiteral("Model: model"));
        QCOMPARE(map.rowOf({0, 1, ChartPoint::Kind::Cell}), std::optional<std::size_t>(3));
        QCOMPARE(map.pointOf(5), std::optional(ChartPoint{1, 0, ChartPoint::Kind::Cell}));
        QVERIFY(!map.pointOf(4)); // off: the base of a cell, not the cell
        plot.kind = engine::PlotKind::Bars;
        const auto bars = drawn(plot, *study);
        QCOMPARE(bars.chart.x.categories, (std::vector<QString>{QStringLiteral("1"), QStringLiteral("4")}));
        QCOMPARE(bars.chart.bars->series[0].values, (std::vector<double>{2, 3}));
        QCOMPARE(bars.rowOf({1, 0, ChartPoint::Kind::Bar}), std::optional<std::size_t>(5));
        plot = speedUp();
        plot.query.curve.clear();
        plot.rightMetrics = {"ffn_read_us"};
        const auto lines = drawn(plot, *study);
        QCOMPARE(lines.chart.lines.at(1).y, (std::vector<double>{2, 4})); // no gain; prefetch on
        QVERIFY(lines.chart.lines[1].onRight);
        QCOMPARE(lines.chart.right->label, QStringLiteral("FFN read (\u00b5s)"));
        const auto csv = chartCsv(lines.chart).split(u'\n');
        QCOMPARE(csv[1], QStringLiteral("1,2,2"));
        QCOMPARE(csv[2], QStringLiteral("4,3,4"));
    }

    void aStackHasWhatItsMetricIsMadeOf() {
        const auto study = studyOf({{"workload.batch", "Batch", {1, 4}}},
                                   {{"throughput_tok_s", "Throughput", "tok/s", {1, 2}},
                                    {"energy_j_per_tok", "Energy per token", "J/tok", {6, 4}},
                                    {"idle_j_per_tok", "Energy: idle", "J/tok", {2, 1}},
                                    {"memory_j_per_tok", "Energy: memory", "J/tok", {4, 3}},
                                    {"link_j_per_tok", "Energy: links", "J/tok", {0, 0}}},
                                   {1, 1}, {{}});
        engine::StudyPlot plot;
        plot.kind = engine::PlotKind::Stacked;
        plot.query.x = "workload.batch";
        plot.metrics = {"throughput_tok_s"}; // of one part
        const auto fits = settled(plot, *study);
        QCOMPARE(fits.query.metric, std::string("energy_j_per_tok"));
        const auto made = drawn(plot, *study).chart;
        QCOMPARE(made.bars->series.size(), std::size_t{2}); // links draw nothing
        QCOMPARE(made.bars->series[0].name, QStringLiteral("Energy: idle"));
        QCOMPARE(made.bars->series[0].values, (std::vector<double>{2, 1}));
        QCOMPARE(made.bars->series[1].values, (std::vector<double>{4, 3}));
        QCOMPARE(made.y.label, QStringLiteral("Energy per token (J/tok)"));
    }

    void aPlotIsMadeToFit() {
        const auto study = smallModels();
        auto plot = speedUp();
        plot.query.x = "nodes.npu.count";        // not in this study
        plot.query.meanOver = {"model", "gone"}; // the first is the curve
        plot.query.gain = {"workload.batch", 3}; // no such value
        plot.rightMetrics = {"nonsense"};
        const auto fits = settled(plot, *study);
        QCOMPARE(fits.query.x, std::string("workload.batch"));
        QVERIFY(fits.query.meanOver.empty());
        QVERIFY(fits.query.gain.axis.empty());
        QVERIFY(fits.rightMetrics.empty());
        QCOMPARE(fits.query.fixed.size(), std::size_t{1});
        QCOMPARE(fits.query.fixed[0], (std::pair<std::string, double>{"techniques.l2_prefetch.enabled", 0}));
        QVERIFY(studyChart(*study, fits).chart.hasData());
    }

    void aTileIsChangedByItsControls() {
        StudyMarks marks;
        StudyTile tile(QStringLiteral("latency_s"), &marks);
        expose(tile, {620, 480});
        tile.setStudy(smallModels());
        QCOMPARE(tile.query().x, std::string("model"));
        choose(find<QComboBox>(tile, "across"), QStringLiteral("workload.batch")); // it was the curves' axis
        QCOMPARE(tile.query().curve, std::string("model"));
        auto* held = find<QComboBox>(tile, "held");
        QVERIFY(held);
        QCOMPARE(held->currentText(), QStringLiteral("off"));
        choose(held, 1.0);
        QCOMPARE(tile.view()->chart().lines.at(0).y, (std::vector<double>{4, 2}));
        choose(find<QComboBox>(tile, "kind"), static_cast<int>(engine::PlotKind::HeatMap));
        QVERIFY(tile.view()->chart().heatMap);
        choose(find<QComboBox>(tile, "metric"), QStringLiteral("throughput_tok_s"));
        QCOMPARE(tile.view()->chart().heatMap->label, QStringLiteral("Throughput (tok/s)"));
    }

    void rareChoicesAreInThePopup() {
        StudyMarks marks;
        StudyTile tile(QStringLiteral("latency_s"), &marks);
        expose(tile, {620, 480});
        tile.setStudy(smallModels());
        choose(find<QComboBox>(tile, "across"), QStringLiteral("workload.batch"));
        QTest::mouseClick(find<QToolButton>(tile, "plotOptions"), Qt::LeftButton);
        auto* options = tile.findChild<PlotOptions*>();
        QVERIFY(options->isVisible());
        choose(find<QComboBox>(*options, "gainAxis"), QStringLiteral("techniques.l2_prefetch.enabled"));
        QCOMPARE(find<QComboBox>(*options, "gainBase")->currentText(), QStringLiteral("off"));
        // Where prefetch is held was off: the gain over off is 1 there, so it moves on.
        QCOMPARE(tile.view()->chart().lines.at(0).y, (std::vector<double>{2, 3}));
        QCOMPARE(tile.view()->chart().y.label, QStringLiteral("Speed-up (×)"));
        auto* drawn = options->findChild<QCheckBox*>(QStringLiteral("mean.model"));
        QVERIFY(!drawn->isEnabled());
        auto* further = find<QListWidget>(*options, "furtherMetrics");
        auto* item = further->findItems(QStringLiteral("FFN read"), Qt::MatchExactly).first();
        further->setCurrentItem(item);
        further->setFocus();
        QTest::keyClick(further, Qt::Key_Space);
        QCOMPARE(tile.plot().rightMetrics, std::vector<std::string>{"ffn_read_us"});
        QVERIFY(tile.view()->chart().right);
        // One unit an axis: what has another is not to be chosen.
        QVERIFY(!(further->findItems(QStringLiteral("Latency"), Qt::MatchExactly).first()->flags() &
                  Qt::ItemIsEnabled));
        options->hide();
        choose(find<QComboBox>(tile, "curves"), QString());
        QTest::mouseClick(find<QToolButton>(tile, "plotOptions"), Qt::LeftButton);
        auto* mean = options->findChild<QCheckBox*>(QStringLiteral("mean.model"));
        QTest::mouseClick(mean, Qt::LeftButton, {}, QPoint(10, mean->height() / 2));
        QCOMPARE(tile.view()->chart().lines.at(0).y.at(0), 2.0); // of 8/4 and 10/5
        QCOMPARE(tile.view()->chart().y.label, QStringLiteral("Speed-up, mean (×)"));
        choose(find<QComboBox>(*options, "meanKind"), static_cast<int>(engine::MeanKind::Sum));
        QCOMPARE(tile.view()->chart().lines.at(0).y.at(0), 4.0);
    }

    void axesReadAgainAreTheSame() {
        const auto scenario = engine::loadStudy(*shippedCatalog(), "preserve/fig6", "test").study.base;
        for (const auto* text :
             {"nodes.npu.count=8:128:*2", "nodes.npu.device.l2_mb=1:16,24:200:8", "workload.batch=3",
              "links.npu-switch.bandwidth_gbps=25:125:12.5", "model=llama3-70b,llama3-8b",
              "techniques.l2_prefetch.enabled=*", "workload.batch=5,4,3,2",
              "nodes.npu.device.l2_mb=0.1:0.7:0.1", "serving.rate_req_s=0.05:1:0.05",
              "serving.rate_req_s=0.1,0.3,0.35:2:0.15"}) {
            const auto axis = engine::parseAxis(scenario, *shippedCatalog(), text);
            const auto written = axisText(axis);
            QCOMPARE(engine::parseAxis(scenario, *shippedCatalog(), written.path + "=" + written.values),
                     axis);
        }
        QCOMPARE(axisText(engine::parseAxis(scenario, *shippedCatalog(), "nodes.npu.count=8:128:*2")).values,
                 std::string("8:128:*2"));
        QCOMPARE(
            axisText(engine::parseAxis(scenario, *shippedCatalog(), "serving.rate_req_s=0.05:1:0.05")).values,
            std::string("0.05:1:0.05"));
        QCOMPARE(
            axisText(engine::parseAxis(scenario, *shippedCatalog(), "workload.batch=1:16,24:200:8")).values,
            std::string("1:16,24:200:8"));
    }

    void sharedDevicesAreSweptByDoublings() {
        const auto shared = *engine::loadStudy(*shippedCatalog(), "preserve/fig7", "test").study.base;
        const auto axes = defaultAxes(shared);
        QCOMPARE(axes.size(), std::size_t{2});
        QCOMPARE(axes[0], (AxisText{"nodes.npu.count", "1,2,4,8,16,32,64"}));
        QCOMPARE(axes[1], (AxisText{"techniques.l2_prefetch.enabled", "false,true"}));
        auto copies = shared;
        engine::applyEdit(copies, engine::setEdit(copies, *shippedCatalog(), "nodes.npu.replicas", "4"));
        QCOMPARE(defaultAxes(copies)[0].values, std::string("4,8,16,32,64"));
        for (const auto& axis : axes)
            engine::parseAxis(shared, *shippedCatalog(),
                              axis.path + "=" + axis.values); // throws when it does not hold
    }

    void aChoiceIsPickedTickedAndTyped() {
        Document document(shippedCatalog());
        document.openPreset("preserve/llama3-405b-32");
        StudySetup setup(&document);
        expose(setup, {260, 700});
        setup.setAxes({});
        QTest::mouseClick(buttonSaying(&setup, QStringLiteral("Add axis")), Qt::LeftButton);
        auto* picker = setup.findChild<AxisPicker*>();
        QVERIFY(picker->isVisible());
        auto* search = picker->findChild<QLineEdit*>();
        QTest::keyClicks(search, QStringLiteral("model choice"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(setup.axes(), (std::vector<AxisText>{{"model", "llama3-405b"}}));
        // Its list opens; a tick adds a name.
        auto* list = setup.findChildren<AxisRow*>().last()->findChild<ChoiceList*>();
        QTRY_VERIFY(list->isVisible());
        auto* choices = list->findChild<QListWidget*>();
        auto* item = choices->findItems(QStringLiteral("Llama3-8B"), Qt::MatchExactly).first();
        QCOMPARE(item->checkState(), Qt::Unchecked);
        choices->setCurrentItem(item);
        QTest::keyClick(choices, Qt::Key_Space);
        QCOMPARE(setup.axes()[0].values, std::string("llama3-405b,llama3-8b"));
        QVERIFY(setup.study());
        QCOMPARE(setup.study()->pointCount(), std::size_t{2});
        list->hide();
        auto* field = setup.findChildren<AxisRow*>().last()->field();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("llama3-8b, llama3-70b"));
        QCOMPARE(setup.study()->axes[0].names, (std::vector<std::string>{"llama3-8b", "llama3-70b"}));
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("*"));
        QCOMPARE(setup.study()->pointCount(), shippedCatalog()->models.size());
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("llama3-9b"));
        QVERIFY(!setup.study());
        QVERIFY(!setup.findChildren<AxisRow*>().last()->error().isEmpty());
    }

    void theTableShowsNamesAndARowIsItsDesign() {
        QTemporaryDir folder;
        engine::Store store(folder.filePath(QStringLiteral("s.sqlite")).toStdString());
        const auto base = engine::loadStudy(*shippedCatalog(), "preserve/fig7", "test").study.base;
        engine::Study study{"choices", base, {}};
        for (const auto* text : {"model=llama3-8b,qwen2-72b", "workload=s2k,s8k", "workload.batch=4,8",
                                 "techniques.l2_prefetch.enabled=*", "nodes.npu.runtime.allreduce=*"})
            study.axes.push_back(engine::parseAxis(base, *shippedCatalog(), text));
        const auto run = engine::runStudy(study, store, {});
        const auto loaded = readStudy(store, run.study.id, *shippedCatalog());
        QCOMPARE(loaded->table.rows(), study.pointCount());
        StudyTableModel model;
        model.setStudy(loaded, {}, {});
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("Llama3-8B"));
        QCOMPARE(model.index(0, 1).data().toString(), QStringLiteral("2k sequence"));
        QCOMPARE(model.index(0, 3).data().toString(), QStringLiteral("off"));
        QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(), QStringLiteral("llama3-8b"));
        const auto* latency = loaded->table.find("latency_s");
        for (std::size_t row = 0; row < loaded->table.rows(); ++row) {
            const auto scenario = loaded->scenarioOf(row);
            const auto name = [&](std::size_t axis) {
                const auto& column = loaded->table.columns[axis];
                return column.text(column.values[row]);
            };
            QCOMPARE(scenario.model.id, name(0));
            QCOMPARE(scenario.workload.id, name(1));
            QCOMPARE(scenario.techniques[engine::l2Prefetch()].enabled, name(3) == "true");
            const auto evaluation = engine::evaluate(scenario);
            QVERIFY(evaluation.feasible);
            QVERIFY(evaluation.metric(engine::Metric::Latency) == latency->at(row));
        }
    }
};

WIDGET_TEST(StudyPlotTest)
#include "study_plot_test.moc"
