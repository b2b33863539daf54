// SPDX-License-Identifier: GPL-3.0-or-later
// The landscape of a study as one: what is pointed at, chosen, brushed or pinned in one place is so in all.
#include "engine/evaluation/evaluate.h"
#include "engine/store/run_study.h"
#include "engine/units/number_text.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/parallel_view.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/scrub_panel.h"
#include "widgets/explore/scrub_slider.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_runner.h"
#include "widgets/explore/study_setup.h"
#include "widgets/explore/study_tile.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/explore/tornado_tile.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_view.h"

#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QStandardPaths>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

class LinkedTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const engine::Catalog> m_catalog;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<ExploreWorkspace> m_explore;

    QString store() const { return m_folder->filePath(QStringLiteral("studies.sqlite")); }
    StudySetup* setup() const { return m_explore->findChild<StudySetup*>(); }
    StudyMarks* marks() const { return m_explore->marks(); }
    StudyBoard* board() const { return m_explore->board(); }
    template <class Widget>
    Widget* found(const char* name) const {
        return m_explore->findChild<Widget*>(QLatin1String(name));
    }
    QTableView* table() const { return m_explore->findChild<QTableView*>(); }
    const engine::StudyTable& points() const { return marks()->study()->table; }
    std::string countPath() const { return points().columns[0].name; }

    void open(const QString& path) {
        m_explore = std::make_unique<ExploreWorkspace>(m_document.get(), path);
        m_explore->resize(1440, 860);
        m_explore->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_explore.get()));
    }
    void run() {
        QTest::mouseClick(found<QPushButton>("run"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!m_explore->isRunning(), 60000);
        QVERIFY(marks()->study());
    }
    QString words(QWidget* within) const {
        QStringList all;
        for (auto* label : within->findChildren<QLabel*>())
            if (label->isVisible())
                all << label->text();
        return all.join(u'\n');
    }
    QString note() const { return words(m_explore->findChild<PointsTable*>()); }
    void type(const char* text) {
        auto* filter = found<QLineEdit>("filter");
        filter->setFocus();
        filter->selectAll();
        QTest::keyClick(filter, Qt::Key_Delete);
        QTest::keyClicks(filter, QLatin1String(text));
        QTest::keyClick(filter, Qt::Key_Return);
    }
    QPoint plotPlace(PlotView* view, ChartPoint point, QWidget*& plot) const {
        const auto at = view->pixelOf(point).toPoint();
        plot = view->childAt(at);
        return plot->mapFrom(view, at);
    }
    ParallelView* addParallel() {
        auto* tile = board()->addPlot(engine::PlotKind::Parallel);
        auto* view = tile->parallel();
        QCoreApplication::processEvents(); // the grid places the new tile
        return view;
    }
    static void drag(QWidget* widget, QPoint from, QPoint to) {
        QTest::mousePress(widget, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 8; ++i)
            QTest::mouseMove(widget, from + (to - from) * i / 8);
        QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
    }

private slots:
    void initTestCase() {
        QStandardPaths::setTestModeEnabled(true);
        Theme::instance().install(*qApp);
        m_catalog = std::make_shared<const engine::Catalog>(engine::loadCatalog(TEST_PRESETS));
    }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_document = std::make_unique<Document>(m_catalog);
        m_document->openPreset("glitches/a100-7u280");
        open(store());
    }
    void cleanup() {
        m_explore.reset();
        m_document.reset();
    }

    void typedLimitsFilterTheTable() {
        run();
        const auto text = countPath() + "<=3";
        type(text.c_str());
        QCOMPARE(marks()->keptCount(), std::size_t{24}); // 3 of 7 counts, 8 ratios
        QCOMPARE(table()->model()->rowCount(), 24);
        QVERIFY2(note().contains(QStringLiteral("24 shown, 32 filtered out")), qPrintable(note()));
        type("ttft_s<=quick");
        QVERIFY2(note().contains(QStringLiteral("ttft_s<=quick")), qPrintable(note()));
        QCOMPARE(table()->model()->rowCount(), 24); // what held before still does
        type("nodes.nothing.count<=1");
        QVERIFY(note().contains(QStringLiteral("no column")));
        QTest::mouseClick(found<QPushButton>("clearFilter"), Qt::LeftButton);
        QCOMPARE(table()->model()->rowCount(), 56);
        QVERIFY(found<QLineEdit>("filter")->text().isEmpty());
        QVERIFY(!found<QPushButton>("clearFilter")->isVisible());
    }

    void aTableRowUnderTheMouseIsHoveredEverywhere() {
        run();
        auto* parallel = addParallel();
        const auto index = table()->model()->index(2, 0);
        QTest::mouseMove(table()->viewport(), table()->visualRect(index).center());
        QVERIFY(marks()->hovered());
        QVERIFY(index.data(Qt::BackgroundRole).isValid());
        QVERIFY(!table()->model()->index(1, 0).data(Qt::BackgroundRole).isValid());
        // And the other way round: the line under the mouse lights its row.
        const auto layout = parallel->parallelLayout();
        const auto row = *marks()->hovered() == 0 ? std::size_t{1} : std::size_t{0};
        const auto place = [&](std::size_t axis) {
            return layout.y(parallel->picture().axes[axis].axis->places[row] / 255.0);
        };
        const QPointF at(layout.x(0) + 0.4 * layout.spacing(), place(0) + 0.4 * (place(1) - place(0)));
        QTest::mouseMove(parallel, at.toPoint());
        QVERIFY(marks()->hovered());
        const auto hovered = *marks()->hovered();
        // Rows alike in the two axes beside the mouse share one line.
        for (std::size_t axis = 0; axis < 2; ++axis)
            QCOMPARE(points().columns[axis].at(hovered), points().columns[axis].at(row));
    }

    void aClickChoosesAndCtrlClickOpensAtOnce() {
        run();
        const double before = m_document->scenario().techniques.loadMerging.ratio.value;
        auto* view = board()->plots().front()->view();
        QWidget* plot = nullptr;
        const auto at = plotPlace(view, {1, 2}, plot);
        QTest::mouseClick(plot, Qt::LeftButton, {}, at);
        QVERIFY(marks()->selected());
        const auto row = *marks()->selected();
        QCOMPARE(m_document->undoStack()->count(), 0);
        QVERIFY(board()->plots()[1]->view()->selected());
        QVERIFY(words(m_explore.get()).contains(marks()->study()->nameOf(row)));

        QSignalSpy opened(m_explore.get(), &ExploreWorkspace::designOpened);
        QTest::mouseClick(found<QPushButton>("openOnCanvas"), Qt::LeftButton);
        QCOMPARE(opened.count(), 1);
        const auto ratio = points().find("techniques.load_merging.ratio")->at(row);
        QCOMPARE(m_document->scenario().techniques.loadMerging.ratio.value, ratio);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scenario().techniques.loadMerging.ratio.value, before);

        QTest::mouseClick(plot, Qt::LeftButton, Qt::ControlModifier, at);
        QCOMPARE(opened.count(), 2);
        QCOMPARE(m_document->scenario().techniques.loadMerging.ratio.value, ratio);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scenario().techniques.loadMerging.ratio.value, before);
    }

    void whilePinnedEverythingReadsAsRatio() {
        run();
        table()->setFocus();
        table()->setCurrentIndex(table()->model()->index(7, 0));
        const auto row = *marks()->selected();
        const auto* throughput = points().find("throughput_tok_s");
        const auto before = board()->plots().front()->view()->chart().lines[0].y;
        QTest::keyClick(table(), Qt::Key_B);
        QVERIFY(marks()->baseline());
        const auto& after = board()->plots().front()->view()->chart().lines[0].y;
        QCOMPARE(after.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i)
            if (std::isfinite(before[i]))
                QVERIFY(std::fabs(after[i] * throughput->at(row) / before[i] - 1) < 1e-12);
        int column = -1;
        for (int i = 0; i < table()->model()->columnCount(); ++i)
            if (table()->model()->headerData(i, Qt::Horizontal).toString().startsWith("Throughput ("))
                column = i;
        QVERIFY(column >= 0);
        QVERIFY(table()->model()->headerData(column, Qt::Horizontal).toString().contains(u'×'));
        QCOMPARE(table()->model()->index(7, column).data().toString(), QStringLiteral("1.000"));
        QVERIFY(words(board()).contains(QStringLiteral("Read as × of")));
        QTest::keyClick(table(), Qt::Key_B, Qt::ShiftModifier);
        QVERIFY(!marks()->baseline());
        QCOMPARE(board()->plots().front()->view()->chart().lines[0].y[0], before[0]);
        QTest::mouseClick(found<QPushButton>("pinDesign"), Qt::LeftButton);
        QVERIFY(marks()->baseline());
        QCOMPARE(marks()->baseline()->metrics.at("throughput_tok_s"),
                 m_document->evaluation().metric(engine::Metric::Throughput));
        QTest::mouseClick(found<QPushButton>("unpin"), Qt::LeftButton);
        QVERIFY(!marks()->baseline());
    }

    void brushingAnAxisFiltersEverything() {
        run();
        auto* view = addParallel();
        QVERIFY(view->picture().axes.size() >= 3);
        const auto layout = view->parallelLayout();
        const auto at = [&](double share) {
            return QPoint(static_cast<int>(std::lround(layout.x(0))),
                          static_cast<int>(std::lround(layout.y(share))));
        };
        // Counts 1..7: the upper half holds 4 (in the middle) to 7.
        drag(view, at(0.45), at(1.0));
        QCOMPARE(marks()->brush().size(), std::size_t{1});
        QCOMPARE(marks()->brush()[0].column, countPath());
        QCOMPARE(marks()->keptCount(), std::size_t{32});
        QCOMPARE(table()->model()->rowCount(), 32);
        // The brush is dragged down by its middle: as long as it was, so 1 to 4.
        drag(view, at(0.7), at(0.2));
        QCOMPARE(marks()->keptCount(), std::size_t{32});
        QVERIFY(marks()->brush()[0].holds(1.0));
        QVERIFY(!marks()->brush()[0].holds(6.0));
        QTest::mouseDClick(view, Qt::LeftButton, {}, at(0.9));
        QVERIFY(marks()->brush().empty());
        // By keys: the second axis' upper half, down a step, and away.
        view->setFocus();
        QTest::keyClick(view, Qt::Key_Right);
        QTest::keyClick(view, Qt::Key_Up);
        QCOMPARE(marks()->brush().size(), std::size_t{1});
        QCOMPARE(marks()->brush()[0].column, points().columns[1].name);
        const double most = marks()->brush()[0].most;
        QTest::keyClick(view, Qt::Key_Down);
        QVERIFY(marks()->brush()[0].most < most);
        QTest::keyClick(view, Qt::Key_Delete);
        QVERIFY(marks()->brush().empty());
        QCOMPARE(table()->model()->rowCount(), 56);
    }

    void parallelCoordinatesAreExported() {
        run();
        addParallel();
        auto* tile = board()->plots().back();
        for (const char* name : {"p.png", "p.svg", "p.pdf", "p.csv"}) {
            const auto path = m_folder->filePath(QLatin1String(name));
            QVERIFY2(tile->exportButton()->exportTo(path), name);
            QVERIFY2(QFile(path).size() > 500, name);
        }
        QVERIFY(!QImage(m_folder->filePath(QStringLiteral("p.png"))).isNull());
        QFile csv(m_folder->filePath(QStringLiteral("p.csv")));
        QVERIFY(csv.open(QIODevice::ReadOnly));
        QCOMPARE(csv.readAll().count('\n'), 57);
    }

    void tilesComeGoAndFillTheWhole() {
        run();
        while (board()->plots().size() < 6)
            QVERIFY(board()->addPlot(engine::PlotKind::HeatMap));
        QVERIFY(!board()->addPlot(engine::PlotKind::Lines));
        QVERIFY(!found<QPushButton>("addPlot")->isEnabled());
        auto* first = board()->plots().front();
        auto* maximise = first->findChild<QToolButton*>(QStringLiteral("maximise"));
        QTest::mouseClick(maximise, Qt::LeftButton);
        QVERIFY(first->isVisible());
        QVERIFY(!board()->plots()[1]->isVisible());
        QTest::mouseClick(maximise, Qt::LeftButton);
        QVERIFY(board()->plots()[1]->isVisible());
        QTest::mouseClick(first->findChild<QToolButton*>(QStringLiteral("closeTile")), Qt::LeftButton);
        QCOMPARE(board()->plots().size(), std::size_t{5});
        QVERIFY(found<QPushButton>("addPlot")->isEnabled());
    }

    void aTimelineIsOfTheChosenPoint() {
        run();
        auto* tile = board()->addPlot(engine::PlotKind::Timeline);
        QTRY_VERIFY(!tile->timeline()->tracks().empty());
        const auto best = tile->timeline()->tracks().front().step().seconds;
        m_explore->selectRow(0); // one card: slower
        QTRY_VERIFY(tile->timeline()->tracks().front().step().seconds > best);
    }

    void scrubbingEvaluatesWhatIsPlotted() {
        m_explore->addAxis(QStringLiteral("workload.batch"));
        run();
        const auto stored = points().rows();
        auto* tile = board()->plots().front();
        QCOMPARE(tile->query().fixed.size(), std::size_t{1});
        auto* panel = m_explore->findChild<ScrubPanel*>();
        QCOMPARE(panel->sliders().size(), std::size_t{3});
        auto* batch = panel->sliders()[2];
        const auto before = tile->view()->chart().lines[0].y;
        batch->slider()->setFocus();
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(batch->slider(), Qt::Key_PageUp);
        QTRY_VERIFY(tile->isScrubbed() && !panel->isBusy());
        // Against designs evaluated one by one.
        const auto check = [&](const char* extra, double value) {
            const auto& line = tile->view()->chart().lines[0];
            for (std::size_t i = 0; i < line.x.size(); ++i) {
                auto design = marks()->study()->definition.base;
                const auto set = [&](const std::string& path, double to) {
                    engine::applyEdit(design,
                                      engine::setEdit(design, *m_catalog, path, engine::exactText(to)));
                };
                set(countPath(), line.x[i]);
                set(points().columns[1].name, marks()->study()->definition.axes[1].values.front());
                set("workload.batch", batch->value());
                if (extra)
                    set(extra, value);
                const auto evaluation = engine::evaluate(design);
                if (evaluation.feasible)
                    QVERIFY(std::fabs(line.y[i] / evaluation.metric(engine::Metric::Throughput) - 1) < 1e-9);
            }
        };
        check(nullptr, 0);
        // A parameter that is not swept, its value typed.
        panel->addParameter(QStringLiteral("workload.output_tokens"));
        auto* output = panel->sliders().back();
        output->field()->setFocus();
        output->field()->selectAll();
        QTest::keyClicks(output->field(), QStringLiteral("77"));
        QTest::keyClick(output->field(), Qt::Key_Return);
        QTRY_VERIFY(!panel->isBusy());
        check("workload.output_tokens", 77);
        QTest::mouseClick(found<QPushButton>("resetScrub"), Qt::LeftButton);
        QVERIFY(!tile->isScrubbed());
        QCOMPARE(tile->view()->chart().lines[0].y[0], before[0]);
        engine::Store file(store().toStdString());
        QCOMPARE(file.pointCount(), stored); // nothing was stored
    }

    void aTornadoByHand() {
        m_explore.reset(); // it would lie under the mouse
        TornadoPicture picture;
        picture.metric = QStringLiteral("Throughput");
        picture.unit = QStringLiteral("tok/s");
        picture.tornado.base = 100;
        engine::UncertainInput wide{"a.wide", "Wide", "GB/s", 10, 9, 11, false, engine::Provenance::Paper};
        engine::UncertainInput slim{"a.slim", "Slim", "", 2, 1.5, 2.5, true, engine::Provenance::Calibrated};
        picture.tornado.swings = {{wide, 80, 120}, {slim, 110, 95}};
        TornadoChart chart;
        chart.resize(600, 300);
        chart.setPicture(picture);
        chart.show();
        QVERIFY(QTest::qWaitForWindowExposed(&chart));
        const auto layout = chart.tornadoLayout();
        const auto first = layout.barRect(0), second = layout.barRect(1);
        // 40 against 15 tok/s, both around 100.
        QVERIFY(std::fabs(second.width() / first.width() - 15.0 / 40) < 1e-9);
        QVERIFY(std::fabs(first.center().x() - layout.x(100)) < 1e-9);
        QTest::mouseMove(&chart, second.center().toPoint());
        QVERIFY(chart.readOut().isPresented());
        QCOMPARE(chart.readOut().heading(), QStringLiteral("Slim"));
        QVERIFY(chart.readOut().rows()[0].value.startsWith(QStringLiteral("110")));
        QVERIFY(chart.readOut().rows()[2].value.startsWith(QStringLiteral("95")));
        QCOMPARE(chart.readOut().rows()[3].name, QStringLiteral("stated"));
        QSignalSpy clicked(&chart, &TornadoChart::nameClicked);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, layout.nameRect(0).center().toPoint());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].toString(), QStringLiteral("a.wide"));
        QVERIFY(chart.csv().contains(QStringLiteral("a.slim,Slim,,2,1.5,2.5,yes,110,100,95")));
    }

    void aTornadoOfTheChosenPointSweepsByItsNames() {
        run();
        m_explore->selectRow(10);
        auto* tile = board()->addSensitivity();
        QTRY_VERIFY(!tile->isBusy() && tile->chart()->picture().bars() > 3);
        QCoreApplication::processEvents();
        const auto& shown = tile->chart()->picture().tornado;
        const auto* throughput = points().find("throughput_tok_s");
        QVERIFY(std::fabs(shown.base / throughput->at(10) - 1) < 1e-12);
        const auto design = marks()->study()->scenarioOf(10);
        for (std::size_t i = 0; i < 3; ++i) { // each end as the design alone gives it
            auto moved = design;
            const auto resolved = engine::resolveFigure(moved, shown.swings[i].input.path);
            resolved.access(moved).value = shown.swings[i].input.high * resolved.spec.scale;
            const double value = engine::evaluate(moved).metric(engine::Metric::Throughput);
            QVERIFY(std::fabs(shown.swings[i].atHigh / value - 1) < 1e-12);
        }
        const auto name = tile->chart()->tornadoLayout().nameRect(1).center().toPoint();
        const auto path = shown.swings[1].input.path;
        const auto before = setup()->axes().size();
        QTest::mouseClick(tile->chart(), Qt::LeftButton, {}, name);
        const auto axes = setup()->axes();
        const bool there =
            std::any_of(axes.begin(), axes.end(), [&](const auto& axis) { return axis.path == path; });
        QVERIFY(there);
        QVERIFY(axes.size() >= before);
        for (const char* file : {"t.png", "t.svg", "t.pdf", "t.csv"})
            QVERIFY2(tile->exportButton()->exportTo(m_folder->filePath(QLatin1String(file))), file);
    }

    void aStoreThatCannotBeWrittenLosesNothing() {
        run(); // something is shown
        const auto before = marks()->study();
        m_explore.reset();
        const auto damaged = m_folder->filePath(QStringLiteral("damaged.sqlite"));
        QFile file(damaged);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(8192, 'x'));
        file.close();
        for (const auto& path : {damaged, m_folder->path()}) { // a folder cannot be a store either
            open(path);
            run();
            QCOMPARE(points().rows(), before->table.rows());
            const auto* had = before->table.find("throughput_tok_s");
            const auto* has = points().find("throughput_tok_s");
            for (std::size_t row = 0; row < points().rows(); ++row)
                QVERIFY(had->at(row) == has->at(row) ||
                        (std::isnan(had->at(row)) && std::isnan(has->at(row))));
            auto* notice = m_explore->findChild<NoticeBar*>();
            QVERIFY(notice->isVisible());
            QVERIFY2(notice->text().contains(QStringLiteral("not kept")), qPrintable(notice->text()));
            const auto id = points().info.id;
            QVERIFY(id < 0);
            m_explore->selectRow(3);
            run(); // again: another study in memory
            QVERIFY(points().info.id != id);
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray(8192, 'x'));
    }

    void aLargeStudyShowsItsPlotsFirst() {
        engine::Study study{"large",
                            m_document->scenario(),
                            {{"workload.prompt_tokens", {}}, {"workload.output_tokens", {}}}};
        for (int i = 1; i <= 240; ++i) {
            study.axes[0].values.push_back(i);
            study.axes[1].values.push_back(i);
        }
        std::int64_t id = 0;
        {
            engine::Store file(store().toStdString());
            id = engine::runStudy(study, file, {}).study.id;
        }
        StudyRunner runner(store(), m_catalog);
        std::vector<std::shared_ptr<const LoadedStudy>> read;
        connect(&runner, &StudyRunner::tableRead, this, [&read](const auto& one) { read.push_back(one); });
        runner.open(id, [](const engine::StudyInfo&) { return std::vector<std::string>{"ttft_s"}; });
        QTRY_COMPARE_WITH_TIMEOUT(read.size(), std::size_t{2}, 60000);
        QVERIFY(read[0]->table.partial);
        QVERIFY(!read[0]->table.find("ttft_s")->values.empty());
        QVERIFY(read[0]->table.find("throughput_tok_s")->values.empty());
        QVERIFY(!read[1]->table.partial);
        QVERIFY(!read[1]->table.find("throughput_tok_s")->values.empty());
        // What was chosen and brushed of the first part stays with the whole.
        StudyMarks both;
        both.setStudy(read[0]);
        both.select(7);
        both.brush(engine::Limit{"workload.prompt_tokens", 1, 120});
        PointsTable shown(&both);
        shown.showStudy({});
        shown.sortBestFirst("ttft_s");
        QVERIFY(words(&shown).isEmpty()); // not on the screen yet
        shown.show();
        QVERIFY(words(&shown).contains(QStringLiteral("being read")));
        both.setStudy(read[1]);
        shown.showStudy({});
        shown.sortBestFirst("ttft_s");
        QCOMPARE(both.selected(), std::optional<std::size_t>(7));
        QCOMPARE(both.keptCount(), std::size_t{120 * 240});
        auto* view = shown.findChild<QTableView*>();
        QCOMPARE(view->model()->rowCount(), 120 * 240);
        QVERIFY(view->currentIndex().isValid());
    }
};

QTEST_MAIN(LinkedTest)
#include "linked_test.moc"
