// SPDX-License-Identifier: GPL-3.0-or-later
// The studies of papers' figures, opened as a user does, against figures computed point by point.
#include "engine/base/csv.h"
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/l2_prefetch.h"
#include "engine/units/number_text.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/explore/loaded_study.h"
#include "widgets/explore/study_export.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_setup.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/chart_reading.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/window/command_palette.h"
#include "widgets/window/command_registry.h"

#include <QImage>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTableView>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class FigureStudiesTest : public WindowFixture {
    Q_OBJECT

    ExploreWorkspace* explore() const { return m_window->findChild<ExploreWorkspace*>(); }
    StudyTile* tile(int index) const { return explore()->findChildren<StudyTile*>().at(index); }
    const Chart& chart(int index) const { return tile(index)->view()->chart(); }
    engine::FigureStudy figure(const char* id) const {
        return engine::loadStudy(*shippedCatalog(), id, "test");
    }

    void open(const char* id) {
        QVERIFY(m_window->openStudy(id));
        QTRY_VERIFY_WITH_TIMEOUT(!explore()->isRunning(), 30000);
        QCOMPARE(m_window->workspace(), Workspace::Explore);
    }

    static engine::Scenario with(engine::Scenario scenario, const engine::Catalog& catalog,
                                 const std::vector<std::pair<std::string, std::string>>& settings) {
        for (const auto& [path, text] : settings)
            engine::applyEdit(scenario, engine::setEdit(scenario, catalog, path, text));
        return scenario;
    }
    double metric(const engine::Scenario& base, Metric which,
                  const std::vector<std::pair<std::string, std::string>>& settings) const {
        return engine::evaluate(with(base, *shippedCatalog(), settings)).metric(which);
    }
    static double at(const ChartLine& line, double x) {
        for (std::size_t i = 0; i < line.x.size(); ++i)
            if (line.x[i] == x)
                return line.y[i];
        return std::nan("");
    }
    static bool near(double a, double b, double tolerance = 1e-9) {
        return std::fabs(a / b - 1) <= tolerance;
    }
    /// Clicks where a cell or bar is drawn; with Ctrl that opens its design.
    void click(int index, ChartPoint point, Qt::KeyboardModifier with) {
        auto* view = tile(index)->view();
        const auto place = view->pixelOf(point).toPoint();
        auto* plot = view->childAt(place);
        QVERIFY(plot);
        const auto within = plot->mapFrom(view, place);
        QTest::mouseClick(plot, Qt::LeftButton, with, within);
    }

public:
    FigureStudiesTest() { share("everyStudyShowsItsPlots"); }

private slots:
    void theMenuListsEveryStudy() {
        auto* bar = child<TopBar>(m_window)->menuBar();
        QMenu* figures = nullptr;
        for (auto* menu : bar->findChildren<QMenu*>())
            if (menu->title() == QStringLiteral("&Figures"))
                figures = menu;
        QVERIFY(figures);
        const auto ids = engine::listStudies(*shippedCatalog());
        // A menu for each paper, in it its figures.
        std::vector<std::pair<std::string, std::string>> listed;
        for (auto* paper : figures->actions()) {
            QVERIFY(paper->menu());
            for (auto* action : paper->menu()->actions())
                listed.emplace_back(paper->text().toStdString(), action->text().toStdString());
        }
        QCOMPARE(listed.size(), ids.size());
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto figure = engine::loadStudy(*shippedCatalog(), ids[i], "test");
            QCOMPARE(listed[i], std::pair(figure.paper, figure.name));
        }
    }

    void fig7FromTheMenu() {
        auto* bar = child<TopBar>(m_window)->menuBar();
        QAction* study = nullptr;
        for (auto* action : bar->actions())
            if (action->text() == QStringLiteral("&Study"))
                study = action;
        QVERIFY(study);
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(study).center());
        QTRY_VERIFY(study->menu()->isVisible());
        auto* figures = study->menu()->actions().last();
        QTest::mouseClick(study->menu(), Qt::LeftButton, {}, study->menu()->actionGeometry(figures).center());
        QTRY_VERIFY(figures->menu()->isVisible());
        QAction* preserve = nullptr;
        for (auto* paper : figures->menu()->actions())
            if (paper->text() == QStringLiteral("PRESERVE"))
                preserve = paper;
        QVERIFY(preserve);
        QTest::mouseClick(figures->menu(), Qt::LeftButton, {},
                          figures->menu()->actionGeometry(preserve).center());
        QTRY_VERIFY(preserve->menu()->isVisible());
        for (auto* action : preserve->menu()->actions())
            if (action->text().startsWith(QStringLiteral("Fig 7")))
                QTest::mouseClick(preserve->menu(), Qt::LeftButton, {},
                                  preserve->menu()->actionGeometry(action).center());
        QCOMPARE(m_window->workspace(), Workspace::Explore);
        QTRY_VERIFY_WITH_TIMEOUT(!explore()->isRunning(), 30000);

        const auto base = *figure("preserve/fig7").study.base;
        QCOMPARE(document().scenario().model.id, std::string("llama3-405b"));
        const auto& lines = chart(0).lines;
        QCOMPARE(lines.size(), std::size_t{4});
        QCOMPARE(lines[0].x, (std::vector<double>{8, 16, 32, 64, 128}));
        for (const double count : lines[0].x) {
            const auto devices = engine::exactText(count);
            const auto latency = [&](const char* on) {
                return metric(base, Metric::Latency,
                              {{"nodes.npu.count", devices}, {"techniques.l2_prefetch.enabled", on}});
            };
            QVERIFY(near(at(lines[0], count), latency("false") / latency("true")));
        }
        QVERIFY(std::fabs(at(lines[0], 32) - 1.4235) < 1e-4);
        QVERIFY(std::fabs(at(lines[0], 8) - 1.0857) < 1e-4);
        QCOMPARE(chart(0).y.label, QStringLiteral("Speed-up (×)"));
        QVERIFY(chart(0).x.log);
        QCOMPARE(chart(0).x.base, 2);
        // On the right: the metrics themselves, with prefetch.
        QVERIFY(chart(0).right);
        QCOMPARE(chart(0).right->label, QStringLiteral("Time (µs)"));
        QVERIFY(lines[1].onRight);
        QVERIFY(std::fabs(at(lines[1], 32) - 35.486) < 5e-4);
        QVERIFY(near(at(lines[2], 16), 1e6 * metric(base, Metric::FfnRead, {{"nodes.npu.count", "16"}})));
        QCOMPARE(chart(0).stars.size(), std::size_t{1});
        QCOMPARE(chart(0).stars[0].x, 32.0);
        // The second plot has a curve each, and the way from the best without to the best with prefetch.
        QCOMPARE(chart(1).lines.size(), std::size_t{2});
        QCOMPARE(chart(1).lines[0].name, QStringLiteral("No L2 prefetch"));
        QVERIFY(chart(1).stars.at(0).over);
        QVERIFY(chart(1).stars[0].over->gain.startsWith(QChar(0x2212))); // less latency
    }

    void fig6FromTheCommandPalette() {
        auto* palette = m_window->openCommandPalette();
        auto* search = palette->findChild<QLineEdit*>();
        QTest::keyClicks(search, QStringLiteral("throughput density"));
        QTest::keyClick(search, Qt::Key_Return);
        QTRY_VERIFY_WITH_TIMEOUT(explore()->isVisible() && !explore()->isRunning(), 60000);
        const auto study = figure("preserve/fig6").study;
        // The harmonic mean over 192 runs, here run by run.
        const auto density = [&](const char* on, const char* l2) {
            double sum = 0, runs = 0;
            for (const auto& model : study.axes[0].names)
                for (const auto& workload : study.axes[1].names)
                    for (const auto* batch : {"8", "16", "24", "32"}) {
                        sum += 1e-6 / metric(study.base, Metric::ProcessedThroughputPerDie,
                                             {{"model", model},
                                              {"workload", workload},
                                              {"workload.batch", batch},
                                              {"techniques.l2_prefetch.enabled", on},
                                              {"nodes.npu.device.l2_mb", l2}});
                        ++runs;
                    }
            return runs / sum * 1e-12;
        };
        const auto& star = chart(0).stars.at(0);
        QCOMPARE(star.x, 88.0);
        QVERIFY(near(star.y, density("true", "88"), 1e-6));
        QVERIFY(std::fabs(star.y - 14.4) < 0.1);
        QVERIFY(star.over);
        QCOMPARE(star.over->x, 7.0);
        QVERIFY(near(star.over->y, density("false", "7"), 1e-6));
        QCOMPARE(star.over->gain, QStringLiteral("+23\u2009%"));
        QVERIFY(chart(0).x.log);
        QCOMPARE(chart(0).x.base, 2);
        QCOMPARE(chart(1).lines.size(), std::size_t{12});
        QCOMPARE(chart(1).lines[0].name, QStringLiteral("Llama3-8B"));
    }

    void fig4MapsGainsAndSaysWhyACellIsEmpty() {
        open("preserve/fig4");
        QVERIFY(chart(0).heatMap);
        const auto& map = *chart(0).heatMap;
        QCOMPARE(map.z.size(), std::size_t{9});
        QCOMPARE(map.columns(), std::size_t{7});
        QCOMPARE(chart(0).x.categories.front(), QStringLiteral("1k"));
        const auto base = *figure("preserve/fig4").study.base;
        const char* const workloads[] = {"s1k", "s2k", "s4k", "s8k", "s16k", "s32k", "s64k"};
        int empty = 0;
        for (std::size_t row = 0; row < 9; ++row)
            for (std::size_t column = 0; column < 7; ++column) {
                const auto batch = std::to_string(1 << row);
                const auto point = [&](const char* on) {
                    return engine::evaluate(with(base, *shippedCatalog(),
                                                 {{"model", "llama3-70b"},
                                                  {"workload", workloads[column]},
                                                  {"workload.batch", batch},
                                                  {"techniques.l2_prefetch.enabled", on}}));
                };
                const auto off = point("false"), on = point("true");
                const bool fits = off.feasible && on.feasible;
                QCOMPARE(std::isfinite(map.z[row][column]), fits);
                if (fits) {
                    QVERIFY(near(map.z[row][column],
                                 off.metric(Metric::LayerTime) / on.metric(Metric::LayerTime)));
                    continue;
                }
                ++empty;
                QCOMPARE(map.whyNot({row, column}), QString::fromStdString(on.reason));
                QVERIFY(map.whyNot({row, column}).contains(QStringLiteral("GB")));
            }
        QCOMPARE(empty, 10);
        // The data of the map as CSV: one line a cell.
        const auto path = m_test->file("map.csv");
        QVERIFY(tile(0)->exportButton()->exportTo(path));
        QCOMPARE(bytesOf(path).count('\n'), 64);
        const auto picture = m_test->file("map.png");
        QVERIFY(tile(0)->exportButton()->exportTo(picture));
        QVERIFY(!QImage(picture).isNull());
    }

    void aCellIsMarkedInTheTableAndOpensItsDesign() {
        open("preserve/fig4");
        click(0, {3, 4, ChartPoint::Kind::Cell}, Qt::NoModifier); // batch 8, 16k
        auto* table = explore()->findChild<QTableView*>();
        const auto row = table->currentIndex().row();
        QVERIFY(row >= 0);
        const auto cell = [&](int column) { return table->model()->index(row, column).data().toString(); };
        QCOMPARE(cell(0), QStringLiteral("Llama3-70B"));
        QCOMPARE(cell(1), QStringLiteral("16k sequence"));
        QCOMPARE(cell(2), QStringLiteral("8"));
        QCOMPARE(cell(3), QStringLiteral("on"));
        QCOMPARE(tile(0)->view()->selected(), (ChartPoint{3, 4, ChartPoint::Kind::Cell}));
        QVERIFY(!tile(1)->view()->selected()); // another model
        click(1, {0, 0, ChartPoint::Kind::Cell}, Qt::ControlModifier);
        QCOMPARE(m_window->workspace(), Workspace::Design);
        QCOMPARE(document().scenario().model.id, std::string("phi3-medium"));
        QCOMPARE(document().scenario().workload.id, std::string("s1k"));
        QCOMPARE(document().scenario().workload.batch.value, 1.0);
        QVERIFY(document().scenario().techniques[engine::l2Prefetch()].enabled);
        document().undoStack()->undo();
        QCOMPARE(document().scenario().model.id, std::string("llama3-70b"));
    }

    void table1AndFig2AreBars() {
        open("preserve/table1");
        const auto& bars = *chart(0).bars;
        QCOMPARE(bars.series.size(), std::size_t{3}); // devices
        QCOMPARE(chart(0).x.categories.size(), std::size_t{6});
        const auto base = *figure("preserve/table1").study.base;
        const auto latency = [&](const char* on) {
            return metric(
                base, Metric::Latency,
                {{"model", "qwen2-72b"}, {"nodes.npu.count", "4"}, {"techniques.l2_prefetch.enabled", on}});
        };
        QVERIFY(near(bars.series[1].values[3], latency("false") / latency("true")));
        click(0, {1, 3, ChartPoint::Kind::Bar}, Qt::ControlModifier);
        QCOMPARE(document().scenario().model.id, std::string("qwen2-72b"));
        QCOMPARE(document().scenario().nodes.front().count.value, 4.0);

        open("preserve/fig2");
        QVERIFY(chart(0).y.log);
        QCOMPARE(chart(0).references.size(), std::size_t{4});
        QCOMPARE(chart(0).references[2].label, QStringLiteral("H100 50\u2009MB"));
        const auto ffn = metric(figure("preserve/fig2").study.base, Metric::FfnFootprint,
                                {{"model", "llama3-405b"}, {"nodes.npu.count", "16"}});
        QVERIFY(near(chart(1).bars->series[4].values[2], ffn / 1e6));
    }

    void inf2GainsCasesAndCrossovers() {
        open("inf2/fig10");
        const auto base = *figure("inf2/fig10").study.base;
        const auto rate = [&](const char* model, const char* runtime) {
            return metric(base, Metric::Throughput, {{"model", model}, {"nodes.gpu.runtime", runtime}});
        };
        const auto& gains = *chart(0).bars; // at 16K, the second context
        QVERIFY(near(gains.series.at(0).values.at(1), rate("opt-30b", "inf2") / rate("opt-30b", "flexgen")));
        QVERIFY(std::fabs(gains.series[0].values[1] - 2.673) < 1e-3);
        QVERIFY(std::fabs(gains.series[2].values[1] - 2.299) < 1e-3);
        QVERIFY(gains.writeValues);
        // Attention near storage alone is the base of all four cases.
        open("inf2/fig11");
        const auto& ablation = *chart(1).bars; // H100
        QCOMPARE(ablation.series.size(), std::size_t{4});
        QCOMPARE(ablation.series[0].values, (std::vector<double>{1, 1, 1}));
        QVERIFY(std::fabs(ablation.series[3].values[0] - 1.645) < 2e-3);
        open("inf2/fig16");
        QVERIFY(std::fabs(at(chart(0).lines.at(0), 2) - 1.681) < 1e-3);
        const auto& crossovers = chart(1).crossovers;
        QCOMPARE(crossovers.size(), std::size_t{2});
        QCOMPARE(crossovers[0].x, 6.0); // over as many SSDs
        QCOMPARE(crossovers[1].x, 7.0); // over two SSDs
        QVERIFY(crossovers[1].label.contains(QStringLiteral("INF2")));
        open("inf2/sweep-uplink");
        QCOMPARE(chart(0).crossovers.size(), std::size_t{3}); // one a model
        for (const auto& crossover : chart(0).crossovers)
            QVERIFY(near(crossover.y, 1.0));
        QVERIFY(at(chart(0).lines[0], 18) > 1 && at(chart(0).lines[0], 20) < 1);
        QVERIFY(chart(0).crossovers[0].x > 18 && chart(0).crossovers[0].x < 20);
    }

    void whatDoesNotFitSaysSo() {
        open("inf2/fig15");
        const auto& bars = *chart(0).bars;
        QCOMPARE(bars.missing, QStringLiteral("does not fit"));
        QVERIFY(std::isfinite(bars.series.at(2).values.at(0))); // Accelerate with OPT-30B
        QVERIFY(std::isnan(bars.series[2].values[1]));
        QVERIFY(std::isnan(bars.series[2].values[2]));
        QVERIFY(bars.whyNot(2, 2).contains(QStringLiteral("device memory")));
        const auto reading = readingOf(chart(0), {2, 2, ChartPoint::Kind::Bar}).text();
        QVERIFY(reading.contains(QStringLiteral("does not fit")));
        QVERIFY(reading.contains(QStringLiteral("device memory")));
    }

    void everyStudyShowsItsPlots_data() {
        QTest::addColumn<QString>("id");
        for (const auto& id : engine::listStudies(*shippedCatalog()))
            QTest::newRow(id.c_str()) << QString::fromStdString(id);
    }
    void everyStudyShowsItsPlots() {
        QFETCH(QString, id);
        const auto one = figure(id.toUtf8().constData());
        QVERIFY(m_window->openStudy(one.id));
        QTRY_VERIFY_WITH_TIMEOUT(!explore()->isRunning(), 60000);
        QCOMPARE(engine::scenarioKey(document().scenario()), engine::scenarioKey(one.study.base));
        if (one.study.axes.empty()) {
            QCOMPARE(m_window->workspace(), Workspace::Design);
            return;
        }
        auto* setup = explore()->findChild<StudySetup*>();
        QVERIFY(setup->study());
        QCOMPARE(setup->study()->axes, one.study.axes);
        for (int i = 0; i < std::min(2, static_cast<int>(one.plots.size())); ++i) {
            QCOMPARE(chart(i).title.toStdString(), one.plots.at(static_cast<std::size_t>(i)).title);
            QTRY_VERIFY_WITH_TIMEOUT(chart(i).hasData(), 60000); // some evaluate their designs on a thread
            QVERIFY(!chartCsv(chart(i)).isEmpty());
        }
    }

    void aDesignWithChangesComesBackByUndo() {
        document().set("nodes.fpga.count", "5");
        const auto before = document().scenario();
        open("preserve/fig7");
        QVERIFY(explore()->findChild<NoticeBar*>(QStringLiteral("studyNotice"))->isVisible());
        document().undoStack()->undo();
        QCOMPARE(document().scenario(), before);
    }

    void aStudyIsFoundAgainInTheList() {
        open("preserve/fig7");
        const auto speedUp = chart(0).lines[0].y;
        open("preserve/table1");
        auto* view = explore()->findChild<StudyList*>()->findChild<QAbstractItemView*>();
        QVERIFY(view->model()->index(1, 0).data().toString().startsWith(QStringLiteral("Fig 7")));
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                          view->visualRect(view->model()->index(1, 0)).center());
        QTRY_COMPARE(chart(0).title, QStringLiteral("Speed-up by prefetch, and what it hides"));
        QCOMPARE(chart(0).lines[0].y, speedUp);
    }

    void aReportHasTheFiguresPlots() {
        open("preserve/fig7");
        engine::Store store(m_test->storePath().toStdString());
        const auto study = readStudy(store, store.studies().front().id, *shippedCatalog());
        const auto folder = m_test->file("report");
        QCOMPARE(writeReport(*study, figure("preserve/fig7").plots, folder).size(), std::size_t{5});
        QVERIFY(std::abs(QImage(folder + QStringLiteral("/plot-1.png")).width() - 1402) < 3);
        QCOMPARE(bytesOf(folder + QStringLiteral("/plot-1.csv")).toStdString(),
                 engine::csvFile(chartCsv(chart(0)).toStdString()));
    }
};

WIDGET_TEST(FigureStudiesTest)
#include "figure_studies_test.moc"
