// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/evaluate.h"
#include "engine/exporters/study_csv.h"
#include "engine/plotting/series.h"
#include "engine/techniques/built_in.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/exact.h"
#include "tests/widgets/explore/explore_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/page_switch.h"
#include "widgets/explore/study_export.h"
#include "widgets/explore/study_list.h"

#include <QFile>
#include <QImage>
#include <QLineEdit>
#include <QMessageBox>
#include <QSignalSpy>

using namespace heteroscape::widgets::test;

class ExploreTest : public ExploreFixture {
    Q_OBJECT

    /// Of the only study in the file.
    std::size_t storedCount() const {
        engine::Store file(store().toStdString());
        const auto studies = file.studies();
        return studies.empty() ? 0 : studies.front().done;
    }
    /// Where throughput is highest, of those that can run.
    static std::size_t fastestRow(const engine::StudyTable& study) {
        const engine::FeasibleValues throughput(study, *study.find("throughput_tok_s"));
        std::size_t best = 0; // one FPGA without merging can run
        for (std::size_t row = 1; row < study.rows(); ++row)
            if (throughput(row) > throughput(best))
                best = row;
        return best;
    }
    /// Points that are simulated: one takes milliseconds.
    void setUpSlowStudy() {
        QVERIFY(m_document->set("serving.arrivals", "poisson"));
        QVERIFY(m_document->set("serving.requests", "3000"));
        setSlowAxes();
    }
    void setSlowAxes() {
        setup()->setAxes({{"serving.rate_req_s", "0.1:1:0.1"}, {"serving.seed", "1:12:1"}});
    }

private slots:
    void firstAxesAreCountAndRatio() {
        const auto axes = setup()->axes();
        QCOMPARE(axes.size(), std::size_t{2});
        QVERIFY(axes[0].path.ends_with(".count"));
        QCOMPARE(axes[0].values, std::string("1:7:1"));
        QCOMPARE(axes[1].path, std::string("techniques.load_merging.ratio"));
        QCOMPARE(setup()->study()->pointCount(), std::size_t{56});
        QVERIFY(status().contains(QStringLiteral("56 points: 7 × 8")));
    }

    void runStoresShowsAndReuses() {
        runByClick();
        QVERIFY2(status().contains(QStringLiteral("56 computed, 0 reused")), qPrintable(status()));
        QCOMPARE(table()->model()->rowCount(), 56);
        runByClick();
        QVERIFY2(status().contains(QStringLiteral("0 computed, 56 reused")), qPrintable(status()));
        QCOMPARE(m_explore->findChild<StudyList*>()->count(), 1);
    }

    void aListOfPointsIsRunStoredAndTakenAgain() {
        const auto path = writeFile(m_folder->filePath(QStringLiteral("points.csv")),
                                    "nodes.fpga.count,model\n3,llama2-7b\n5,llama2-13b\n3,llama2-13b\n");
        setup()->openPoints(path);
        QVERIFY2(setup()->study(), qPrintable(status()));
        runByClick();
        QCOMPARE(points().rows(), std::size_t{3});
        QVERIFY(points().info.isList);
        QCOMPARE(table()->model()->rowCount(), 3);
        const char* const models[] = {"llama2-7b", "llama2-13b", "llama2-13b"};
        const char* const counts[] = {"3", "5", "3"};
        for (std::size_t row = 0; row < 3; ++row) {
            auto design = m_document->scenario();
            for (const auto& [key, value] :
                 {std::pair{"model", models[row]}, {"nodes.fpga.count", counts[row]}})
                engine::applyEdit(design, engine::setEdit(design, *shippedCatalog(), key, value));
            QCOMPARE(points().find("throughput_tok_s")->at(row),
                     engine::evaluate(design).metric(engine::Metric::Throughput));
            QCOMPARE(engine::evaluate(marks()->study()->scenarioOf(row)).metric(engine::Metric::Throughput),
                     points().find("throughput_tok_s")->at(row));
        }
        // What is stored can be gone on from, as a list.
        const auto before = *setup()->study();
        setup()->setAxes({});
        engine::Store kept(store().toStdString());
        setup()->takeStudy(kept.definition(kept.studies().front().id, *shippedCatalog()));
        QVERIFY2(setup()->study(), qPrintable(status()));
        QVERIFY(setup()->study()->isList);
        QVERIFY(setup()->study()->axes == before.axes);
        runByClick();
        QVERIFY2(status().contains(QStringLiteral("0 computed, 3 reused")), qPrintable(status()));
    }

    void reopensTheStudyOfThisVeryDesign() {
        runByClick();
        m_explore.reset();
        open(); // as at the next start
        QTRY_COMPARE(table()->model()->rowCount(), 56);
        m_explore.reset();
        QVERIFY(m_document->set("nodes.fpga.device.price_usd", "9000"));
        open(); // another design of the same name
        QCOMPARE(m_explore->findChild<StudyList*>()->count(), 1);
        QVERIFY(!m_explore->isRunning());
        QCOMPARE(table()->model()->rowCount(), 0);
    }

    void plotsOfAnotherStateSaySo() {
        const auto told = [this] {
            const auto* label = m_explore->findChild<QLabel*>(QStringLiteral("studyState"));
            return label->isVisible() ? label->text() : QString();
        };
        runByClick();
        QCOMPARE(told(), QString());
        QVERIFY(m_document->set("workload.prompt_tokens", "777"));
        QVERIFY2(told().contains(QStringLiteral("another state of the design")), qPrintable(told()));
        m_document->undoStack()->undo();
        QCOMPARE(told(), QString());
        m_explore->findChild<StudySetup*>()->setAxes({{"workload.batch", "1,2"}});
        QVERIFY2(told().contains(QStringLiteral("axes on the left")), qPrintable(told()));
    }

    void aLargeStudyIsOnItsWayUntilItIsDrawn() {
        setup()->setAxes(
            {{"workload.prompt_tokens", "1:200:1"}, {"workload.output_tokens", "1:150:1"}}); // 30,000
        const auto* label = found<QLabel>("studyState");
        int busy = 0, told = 0;
        connect(m_explore->findChild<StudyRunner*>(), &StudyRunner::tableRead, this, [&] {
            if (!marks()->study() || points().rows() < points().info.points || !tile()->isBusy())
                return;
            ++busy;
            told += label->isVisible() && label->text().contains(QStringLiteral("being drawn"));
        });
        runByClick();
        QTRY_VERIFY_WITH_TIMEOUT(!m_explore->isBusy(), 60000);
        disconnect(m_explore->findChild<StudyRunner*>(), nullptr, this, nullptr);
        QVERIFY(busy > 0);
        QCOMPARE(told, busy);
        QTRY_VERIFY(!label->isVisible());
    }

    void theStateHasTheRoomOfTheBar() {
        m_explore->resize(1100, 860);
        runByClick();
        QVERIFY(m_document->set("workload.prompt_tokens", "777"));
        QCoreApplication::processEvents();
        auto* label = found<QLabel>("studyState");
        QVERIFY(label->isVisible());
        QVERIFY(label->geometry().right() > button("brushTool")->x() - 40);
        const auto& words = label->text();
        QVERIFY2(words.contains(QStringLiteral("to see the open one")), qPrintable(words));
    }

    void aRuleStandsBeforeToolsOnly() {
        PageSwitch pages;
        auto *plain = new QWidget, *tooled = new QWidget, *tools = new QWidget;
        new QPushButton(tools);
        pages.addPage(QStringLiteral("plain"), plain, nullptr);
        pages.addPage(QStringLiteral("tooled"), tooled, tools);
        pages.show();
        const QFrame* rule = nullptr;
        for (const auto* frame : pages.findChildren<QFrame*>())
            if (frame->frameShape() == QFrame::VLine)
                rule = frame;
        QVERIFY(rule && !rule->isVisible());
        pages.setPage(tooled);
        QVERIFY(rule->isVisible());
        pages.setPage(plain);
        QVERIFY(!rule->isVisible());
    }

    void plotsShowWhatIsStored() {
        runByClick();
        const auto study = stored();
        for (std::size_t i = 0; i < 2; ++i) {
            const auto query = tile(i)->query();
            QCOMPARE(query.metric, std::string(i == 0 ? "throughput_tok_s" : "tok_s_per_usd"));
            const auto& chart = tile(i)->view()->chart();
            QCOMPARE(chart.lines.size(), std::size_t{8});
            for (std::size_t a = 0; a < chart.lines.size(); ++a) // told apart without colours too
                for (std::size_t b = 0; b < a; ++b)
                    QVERIFY(chart.lines[a].marker != chart.lines[b].marker ||
                            chart.lines[a].dash != chart.lines[b].dash);
            std::size_t compared = 0;
            for (std::size_t row = 0; row < study.rows(); ++row) {
                const auto name = QString::number(study.find(query.curve)->at(row));
                for (const auto& line : chart.lines)
                    for (std::size_t k = 0; line.name == name && k < line.x.size(); ++k)
                        if (line.x[k] == study.find(query.x)->at(row)) {
                            QVERIFY(same(line.y[k], study.find(query.metric)->at(row)));
                            ++compared;
                        }
            }
            QCOMPARE(compared, std::size_t{56});
            QCOMPARE(chart.stars.size(), std::size_t{1});
        }
    }

    void aClosedPlotIsBroughtBackAndMessagesMoveNothing() {
        runByClick();
        auto plot = tile(0)->plot();
        plot.logValues = true;
        tile(0)->setPlot(plot);
        const auto shown = board()->shownPlots();
        const auto place = board()->geometry();
        QTest::mouseClick(child<QToolButton>(tile(0), "closeTile"), Qt::LeftButton);
        QCOMPARE(board()->plots().size(), shown.size() - 1);
        auto* notice = m_explore->notice();
        QVERIFY(notice->isVisible() && notice->isOffering());
        QCOMPARE(board()->geometry(), place); // it lies over the plots
        QTest::mouseClick(child<QPushButton>(notice), Qt::LeftButton);
        QVERIFY(!notice->isVisible());
        QCOMPARE(board()->shownPlots(), shown);
        QCOMPARE(tile(0)->view()->chart().y.log, true);
        // Of another study's plot nothing is offered any more.
        QTest::mouseClick(child<QToolButton>(tile(1), "closeTile"), Qt::LeftButton);
        QVERIFY(notice->isVisible());
        setup()->setAxes({{countPath(), "1:3:1"}});
        runByClick();
        QVERIFY(!notice->isOffering());
    }

    void tableIsBestFirstAndMarksEverywhere() {
        runByClick();
        const auto study = stored();
        const auto best = fastestRow(study);
        table()->setFocus();
        table()->setCurrentIndex(table()->model()->index(0, 0));
        const auto& throughput = study.find("throughput_tok_s")->values;
        for (std::size_t i = 0; i < 2; ++i) {
            const auto point = tile(i)->view()->selected();
            QVERIFY(point);
            const auto& line = tile(i)->view()->chart().lines[static_cast<std::size_t>(point->line)];
            if (i == 0)
                QVERIFY(line.y[static_cast<std::size_t>(point->index)] == throughput[best]);
        }
        // A click on a plot's point selects its row.
        auto* view = tile(0)->view();
        const auto at = view->pixelOf({0, 0}).toPoint();
        auto* plot = view->childAt(at);
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->mapFrom(view, at));
        QVERIFY(table()->currentIndex().row() > 40); // one card is near the bottom
    }

    void doubleClickPutsThePointOnTheCanvas() {
        runByClick();
        const auto study = stored();
        const auto best = fastestRow(study);
        QSignalSpy opened(m_explore.get(), &ExploreWorkspace::designOpened);
        const auto index = table()->model()->index(0, 0);
        table()->scrollTo(index);
        const auto at = table()->visualRect(index).center();
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(m_document->scenario().techniques[engine::loadMerging()].quantity(engine::kMergeRatio).value,
                 study.find("techniques.load_merging.ratio")->at(best));
        const double throughput = m_document->evaluation().metric(engine::Metric::Throughput);
        QVERIFY(throughput == study.find("throughput_tok_s")->at(best));
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scenario().techniques[engine::loadMerging()].quantity(engine::kMergeRatio).value,
                 4.0);
    }

    void wrongTextSaysSoAndDisablesRun() {
        auto* field = m_explore->findChild<AxisRow*>()->field();
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1,x"));
        auto* row = m_explore->findChild<AxisRow*>();
        QVERIFY(!row->error().isEmpty());
        QVERIFY(row->findChildren<QLabel*>().last()->isVisible());
        QVERIFY(!button("run")->isEnabled());
        QVERIFY(!setup()->study());
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("1,2"));
        QVERIFY(row->error().isEmpty());
        QVERIFY(button("run")->isEnabled());
        QCOMPARE(setup()->study()->pointCount(), std::size_t{16});
    }

    void cancelStopsAndTheRestIsResumed() {
        setUpSlowStudy();
        const auto study = *setup()->study();
        const auto total = study.pointCount();
        std::vector<engine::StudyRun> runs;
        connect(m_explore->findChild<StudyRunner*>(), &StudyRunner::ran, this,
                [&runs](const engine::StudyRun& run) { runs.push_back(run); });
        QTest::mouseClick(button("run"), Qt::LeftButton);
        QVERIFY(button("cancel")->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(storedCount() > 0, 30000);
        QTest::mouseClick(button("cancel"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!m_explore->isRunning(), 10000);
        const auto done = storedCount();
        QVERIFY2(0 < done && done < total, qPrintable(QString::number(done)));
        QVERIFY2(status().contains(QStringLiteral("Cancelled")), qPrintable(status()));
        QCOMPARE(table()->model()->rowCount(), static_cast<int>(done));
        QVERIFY(button("run")->isVisible());

        runByClick();
        QCOMPARE(runs.size(), std::size_t{2});
        QVERIFY(runs[0].cancelled && !runs[1].cancelled);
        QCOMPARE(runs[0].computed, done);
        QCOMPARE(runs[1].computed, total - done);
        QCOMPARE(runs[1].reused, done);
        QCOMPARE(storedCount(), total);
        // As if nobody had interrupted it.
        engine::Store whole(m_folder->filePath(QStringLiteral("whole.sqlite")).toStdString());
        const auto id = engine::runStudy(study, whole, {}).study.id;
        QCOMPARE(engine::studyCsv(stored()), engine::studyCsv(whole.read(id)));
    }

    void closingWhileRunningLosesNothing() {
        setUpSlowStudy();
        const auto total = setup()->study()->pointCount();
        QTest::mouseClick(button("run"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(storedCount() > 0, 30000);
        const auto before = storedCount();
        m_explore.reset();
        QVERIFY(waitForJobs(std::chrono::seconds(30))); // the batch under way is brought to its end
        const auto done = storedCount();
        QVERIFY2(before <= done && done < total, qPrintable(QString::number(done)));
        open(); // nobody writes any more: the rest is still to do, and can be done
        setSlowAxes();
        QCOMPARE(storedCount(), done);
        runByClick();
        QCOMPARE(storedCount(), total);
    }

    void earlierStudiesReopenFromTheFile() {
        runByClick();
        const auto before = tile(0)->view()->chart().lines[3].y;
        m_explore.reset();
        open();
        auto* list = m_explore->findChild<StudyList*>();
        QCOMPARE(list->count(), 1);
        auto* view = list->findChild<QAbstractItemView*>();
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                          view->visualRect(view->model()->index(0, 0)).center());
        QTRY_COMPARE(table()->model()->rowCount(), 56);
        QCOMPARE(tile(0)->view()->chart().lines[3].y, before);
        QTRY_VERIFY(!m_explore->isRunning());
        QTest::keyClick(view, Qt::Key_Delete);
        auto* box = m_explore->findChild<QMessageBox*>();
        QVERIFY(box);
        QTest::mouseClick(box->findChild<QPushButton*>(QStringLiteral("confirmDelete")), Qt::LeftButton);
        QCOMPARE(list->count(), 0);
        QCOMPARE(table()->model()->rowCount(), 0);
    }

    void sweepThisAddsAnAxisOnce() {
        m_explore->addAxis(QStringLiteral("workload.batch"));
        m_explore->addAxis(QStringLiteral("workload.batch"));
        QCOMPARE(setup()->axes().size(), std::size_t{3});
        QVERIFY(setup()->study());
        runByClick();
        QCOMPARE(tile(0)->query().fixed.size(), std::size_t{1});
    }

    void reportWritesItsFourFiles() {
        runByClick();
        const auto folder = m_folder->filePath(QStringLiteral("report"));
        engine::Store file(store().toStdString());
        const auto written =
            writeReport(*readStudy(file, file.studies().front().id, *shippedCatalog()), {}, folder);
        QCOMPARE(written.size(), std::size_t{4});
        for (const auto* name : {"throughput.png", "cost_efficiency.png", "roofline.png"})
            QVERIFY2(std::abs(QImage(folder + u'/' + QLatin1String(name)).width() - 1402) < 3, name);
        QVERIFY(QFile::exists(folder + QStringLiteral("/study.csv")));
    }
};

WIDGET_TEST(ExploreTest)
#include "explore_test.moc"
