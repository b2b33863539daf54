// SPDX-License-Identifier: GPL-3.0-or-later
// What is brushed and limited, told alike by every kind of plot, the table, the set-up and the store; which
// study Resume and the report mean; and plots that evaluate designs.
#include "engine/base/error.h"
#include "engine/study_run/run_study.h"
#include "tests/widgets/explore/explore_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/run_row.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/tornado_tile.h"

#include <QAccessible>
#include <QLineEdit>
#include <QSignalSpy>
#include <QToolButton>

#include <algorithm>
#include <cmath>

class BrushTest : public ExploreFixture {
    Q_OBJECT

    static constexpr const char* kRatio = "techniques.load_merging.ratio";

    NoticeBar* notice() const { return m_explore->findChild<NoticeBar*>(QStringLiteral("studyNotice")); }
    const engine::StudyInfo& info() const { return marks()->study()->table.info; }
    std::vector<engine::Limit> storedLimits() const {
        return engine::Store(store().toStdString()).study(info().id).limits;
    }
    const engine::Limit* brushed(const std::string& column) const {
        for (const auto& stretch : marks()->brush())
            if (stretch.column == column)
                return &stretch;
        return nullptr;
    }
    StudyTile* tileOf(engine::PlotKind kind) {
        auto* tile = board()->addPlot(kind);
        QCoreApplication::processEvents(); // the grid places the new tile
        return tile;
    }
    /// From the middle of one point to that of another.
    static void drawBox(PlotView* view, ChartPoint from, ChartPoint to) {
        const auto start = view->pixelOf(from).toPoint(), end = view->pixelOf(to).toPoint();
        auto* plot = view->childAt(start);
        QVERIFY(plot);
        const auto tells = Qt::ControlModifier | Qt::ShiftModifier;
        QTest::mousePress(plot, Qt::LeftButton, tells, plot->mapFrom(view, start));
        for (int i = 1; i <= 4; ++i)
            QTest::mouseMove(plot, plot->mapFrom(view, start + (end - start) * i / 4));
        QTest::mouseRelease(plot, Qt::LeftButton, tells, plot->mapFrom(view, end));
    }
    /// Enough points for a run to be under way when the next click comes.
    void startLongRun(const char* prompts) {
        setup()->setAxes({{"workload.batch", "1:64:1"}, {"workload.prompt_tokens", prompts}});
        QTest::mouseClick(button("run"), Qt::LeftButton);
        QVERIFY(setup()->runRow()->isRunning());
    }

private slots:
    void barsAreBrushedByTheValuesOfTheirAxis() {
        runByClick();
        auto* tile = tileOf(engine::PlotKind::Bars);
        auto plot = tile->plot();
        plot.query.x = kRatio; // 1, 2, 3, 4, 6, 8, 16, 32
        plot.query.curve.clear();
        tile->setPlot(plot);
        QCOMPARE(tile->query().x, std::string(kRatio));
        drawBox(tile->view(), {0, 4, ChartPoint::Kind::Bar}, {0, 6, ChartPoint::Kind::Bar});
        const auto* across = brushed(kRatio);
        QVERIFY(across);
        QCOMPARE(across->least, 6.0);
        QCOMPARE(across->most, 16.0);
    }

    void sharesHaveNoMetricUpwards() {
        runByClick();
        auto* tile = tileOf(engine::PlotKind::Bars);
        auto plot = tile->plot();
        plot.metrics = {"ttft_s", "tpot_s"};
        plot.shares = true;
        tile->setPlot(plot);
        emit tile->view()->boxSelected(QRectF(QPointF(0.8, 10), QPointF(2.2, 60)));
        QCOMPARE(marks()->brush().size(), std::size_t{1});
        QCOMPARE(marks()->brush()[0], (engine::Limit{info().axes[0].path, 2, 3}));
    }

    void cellsAreBrushedByBothAxes() {
        runByClick();
        auto* tile = tileOf(engine::PlotKind::HeatMap);
        const auto x = tile->query().x, y = tile->query().curve;
        QCOMPARE(y, std::string(kRatio));
        drawBox(tile->view(), {1, 2, ChartPoint::Kind::Cell}, {5, 4, ChartPoint::Kind::Cell});
        QVERIFY(brushed(x));
        QVERIFY(brushed(y));
        QCOMPARE(*brushed(x), (engine::Limit{x, 3, 5}));
        QCOMPARE(*brushed(y), (engine::Limit{y, 2, 8}));
        QCOMPARE(marks()->keptCount(), std::size_t{3 * 5});
    }

    void pointsOfACloudAreBrushedByBothMetrics_data() {
        QTest::addColumn<bool>("pinned");
        QTest::newRow("as they are") << false;
        QTest::newRow("against a baseline") << true;
    }
    void pointsOfACloudAreBrushedByBothMetrics() {
        QFETCH(bool, pinned);
        runByClick();
        auto* tile = tileOf(engine::PlotKind::Scatter);
        if (pinned) {
            QTest::mouseClick(button("pinPoint"), Qt::LeftButton);
            QVERIFY(tile->view()->chart().y.label.contains(QStringLiteral("× of")));
        }
        const auto metrics = tile->plot().metrics;
        const auto value = [&](std::size_t metric, std::size_t row) {
            return points().find(metrics[metric])->at(row);
        };
        drawBox(tile->view(), {0, 5, ChartPoint::Kind::Cloud}, {0, 50, ChartPoint::Kind::Cloud});
        QCOMPARE(marks()->brush().size(), std::size_t{2});
        for (const std::size_t metric :
             {0, 1}) { // to a few pixels of 200 and more, whatever is read as ratio
            const auto* stretch = brushed(metrics[metric]);
            QVERIFY(stretch);
            const auto [low, high] = std::minmax({value(metric, 5), value(metric, 50)});
            const auto& all = points().find(metrics[metric])->values;
            const double room = 0.03 * (*std::max_element(all.begin(), all.end()));
            QVERIFY(std::fabs(stretch->least - low) < room && std::fabs(stretch->most - high) < room);
        }
        for (std::size_t row = 0; row < points().rows(); ++row) {
            const bool within =
                brushed(metrics[0])->holds(value(0, row)) && brushed(metrics[1])->holds(value(1, row));
            QCOMPARE(marks()->kept()[row] != 0, within);
            QCOMPARE(tile->view()->chart().cloud->isKept(row), within); // else it is pale
        }
        QVERIFY(marks()->keptCount() > 0 && marks()->keptCount() < 56);
        QCOMPARE(table()->model()->rowCount(), static_cast<int>(marks()->keptCount()));
        emit tile->view()->boxSelected({}); // a click beside everything
        QVERIFY(marks()->brush().empty());
        QCOMPARE(table()->model()->rowCount(), 56);
    }

    void theBrushIsATool() {
        runByClick();
        auto* view = tileOf(engine::PlotKind::Scatter)->view();
        auto* tool = button("brushTool");
        QCOMPARE(tool->text(), QStringLiteral("Brush"));
        QCOMPARE(QAccessible::queryAccessibleInterface(tool)->text(QAccessible::Name), tool->text());
        QVERIFY2(tool->toolTip().contains(QStringLiteral("selects points")), qPrintable(tool->toolTip()));
        QVERIFY(!tool->icon().isNull() && !tool->isChecked());
        const auto area = view->pointer().plotArea().toRect();
        auto* plot = view->childAt(area.center());
        const auto drag = [&](QPoint from, QPoint to) {
            QTest::mousePress(plot, Qt::LeftButton, {}, plot->mapFrom(view, from));
            for (int i = 1; i <= 4; ++i)
                QTest::mouseMove(plot, plot->mapFrom(view, from + (to - from) * i / 4));
            QTest::mouseRelease(plot, Qt::LeftButton, {}, plot->mapFrom(view, to));
        };
        const auto home = view->view();
        const auto pans = [&](int rows) {
            drag(area.center(), area.center() + QPoint(-30, 20));
            QVERIFY(!(view->view() == home));
            QCOMPARE(table()->model()->rowCount(), rows);
            QTest::keyClick(view, Qt::Key_Home);
            QVERIFY(view->view() == home);
        };
        pans(56);
        QTest::mouseClick(tool, Qt::LeftButton);
        QVERIFY(tool->isChecked());
        QCOMPARE(plot->cursor().shape(), Qt::CrossCursor);
        drag(area.center() - QPoint(area.width() / 4, 0), area.topRight() + QPoint(-4, 4));
        QVERIFY(view->view() == home); // nothing was panned
        const int kept = static_cast<int>(marks()->keptCount());
        QVERIFY(kept > 0 && kept < 56);
        const auto told = QStringLiteral("%1 shown, %2 filtered out").arg(kept).arg(56 - kept);
        QVERIFY2(words(m_explore.get()).contains(told), qPrintable(words(m_explore.get())));
        QTest::mouseClick(tool, Qt::LeftButton);
        QVERIFY(!tool->isChecked());
        QVERIFY(plot->cursor().shape() != Qt::CrossCursor);
        pans(kept); // and what was brushed stays
        QTest::mouseClick(button("clearFilter"), Qt::LeftButton);
        QCOMPARE(table()->model()->rowCount(), 56);
    }

    void designsAreEvaluatedOffTheUiThread() {
        runByClick();
        for (const auto kind : {engine::PlotKind::Breakdown, engine::PlotKind::Roofline}) {
            auto* tile = board()->addPlot(kind);
            const auto& chart = tile->view()->chart();
            QVERIFY(!chart.hasData()); // what adds the plot does not wait for it
            QVERIFY(tile->isBusy() && m_explore->isBusy());
            QVERIFY(!chart.emptyText.isEmpty());
            QTRY_VERIFY(!tile->isBusy());
            QVERIFY(chart.hasData());
            // What is shown stays until there is something newer.
            marks()->brush({info().axes[0].path, 1, 3});
            QVERIFY(tile->isBusy() && chart.hasData());
            QTRY_VERIFY(!tile->isBusy());
            QVERIFY(chart.hasData());
            marks()->clearBrush();
            // Another kind of plot is not overtaken by it.
            auto other = tile->plot();
            other.kind = engine::PlotKind::Bars;
            tile->setPlot(other);
            QVERIFY(!tile->isBusy());
        }
    }

    void whatIsEvaluatedAgainIsNotBrushed() {
        runByClick();
        for (const auto kind : {engine::PlotKind::Breakdown, engine::PlotKind::Roofline}) {
            auto* tile = tileOf(kind);
            QCOMPARE(tile->plot().kind, kind);
            emit tile->view()->boxSelected(QRectF(QPointF(0.1, 0.1), QPointF(1e6, 1e12)));
            QVERIFY(marks()->brush().empty());
        }
    }

    void aClickOnAPointKeepsTheBrush() {
        runByClick();
        auto* view = board()->plots().front()->view();
        marks()->brush({info().axes[0].path, 1, 6});
        auto* tool = button("brushTool");
        QVERIFY(tool->isVisible());
        QTest::mouseClick(tool, Qt::LeftButton);
        for (const auto* plot : board()->plots())
            QVERIFY(plot->view()->isBrushing());
        view->setBrushing(true);
        const auto at = view->pixelOf({1, 2}).toPoint();
        auto* plot = view->childAt(at);
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->mapFrom(view, at));
        QVERIFY(marks()->selected());
        QCOMPARE(marks()->brush().size(), std::size_t{1});
    }

    void limitsAreTheSameInTableSetUpAndStore() {
        runByClick();
        auto* filter = found<QLineEdit>("filter");
        auto* limits = m_explore->findChild<LimitList*>();
        auto* typed = found<QLineEdit>("typedLimit");
        typed->setFocus();
        QTest::keyClicks(typed, QStringLiteral("ttft_s<=2"));
        QTest::keyClick(typed, Qt::Key_Return);
        const std::vector<engine::Limit> wanted{engine::parseLimit("ttft_s<=2")};
        QCOMPARE(marks()->limits(), wanted);
        QCOMPARE(filter->text(), QStringLiteral("ttft_s<=2"));
        // Passing through the field changes nothing.
        filter->setFocus();
        QTest::keyClick(filter, Qt::Key_Return);
        typed->setFocus();
        QCOMPARE(marks()->limits(), wanted);
        QCOMPARE(storedLimits(), wanted);
        // Typed there, it is the set-up's and the store's.
        filter->setFocus();
        filter->selectAll();
        QTest::keyClicks(filter, QStringLiteral("price_usd<=90000"));
        QTest::keyClick(filter, Qt::Key_Return);
        const std::vector<engine::Limit> other{engine::parseLimit("price_usd<=90000")};
        QCOMPARE(limits->limits(), other);
        QCOMPARE(setup()->study()->limits, other);
        QCOMPARE(storedLimits(), other);
        // Back to what was loaded with the study: none.
        QTest::mouseClick(button("clearFilter"), Qt::LeftButton);
        QVERIFY(info().limits.empty());
        QVERIFY(limits->limits().empty());
        QVERIFY(storedLimits().empty());
    }

    void cellsSayWhichLimitOfNowLeavesThemOut() {
        runByClick();
        auto* tile = tileOf(engine::PlotKind::HeatMap);
        const auto* column = marks()->study()->table.find("throughput_tok_s");
        marks()->setLimits({{"throughput_tok_s", 1e9}});
        const auto& map = *tile->view()->chart().heatMap;
        const auto name = QString::fromStdString(column->label).mid(1);
        QVERIFY2(map.filteredWord.contains(name), qPrintable(map.filteredWord));
        QVERIFY2(map.reasonOf({0, 0}).contains(name), qPrintable(map.reasonOf({0, 0})));
    }

    void whatIsNotReadYetIsNeitherWrittenNorUnknown() {
        runByClick();
        engine::Store file(store().toStdString());
        const auto whole = marks()->study();
        const auto part = readStudy(file, info().id, *shippedCatalog(), {"throughput_tok_s"});
        QVERIFY(part->table.partial);
        StudyMarks some;
        PointsTable table(&some);
        const auto show = [&](const auto& study) {
            some.setStudy(study);
            table.showStudy({});
        };
        show(part);
        auto* copy = table.findChild<QPushButton*>(QStringLiteral("copyStudy"));
        auto* save = table.findChild<QToolButton*>(QStringLiteral("exportStudy"));
        auto* filter = table.findChild<QLineEdit*>(QStringLiteral("filter"));
        QVERIFY(!copy->isEnabled() && !save->isEnabled());
        QTest::keyClicks(filter, QStringLiteral("price_usd<=1"));
        QTest::keyClick(filter, Qt::Key_Return);
        QStringList words;
        for (const auto* label : table.findChildren<QLabel*>())
            words << label->text();
        QVERIFY2(words.join(u' ').contains(QStringLiteral("still being read")), qPrintable(words.join(u' ')));
        QVERIFY(some.limits().empty());
        show(whole);
        QVERIFY(copy->isEnabled() && save->isEnabled());
        QTest::keyClick(filter, Qt::Key_Return);
        QCOMPARE(some.limits().size(), std::size_t{1});
    }

    void resumeGoesOnWithTheStudyThatWasPaused() {
        startLongRun("1:2048:1");
        const auto started = setup()->study()->axes;
        setup()->setAxes({{"workload.batch", "1:4:1"}});
        QTest::mouseClick(button("pause"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!m_explore->isRunning(), 10000);
        QVERIFY(setup()->runRow()->isPaused());
        QTest::mouseClick(button("run"), Qt::LeftButton);
        QVERIFY(setup()->runRow()->isRunning());
        QTest::mouseClick(button("cancel"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!m_explore->isRunning(), 10000);
        engine::Store file(store().toStdString());
        QCOMPARE(file.studies().size(), std::size_t{1});
        QCOMPARE(file.studies()[0].axes, started);
    }

    void openingAnotherStudyPausesTheRun() {
        runByClick();
        const auto first = info().id;
        setup()->setAxes({{"workload.batch", "1:4:1"}});
        runByClick();
        QVERIFY(info().id != first);
        startLongRun("1:2048:1");
        emit m_explore->findChild<StudyList*>()->openRequested(first);
        QTRY_VERIFY_WITH_TIMEOUT(!m_explore->isRunning(), 10000);
        QVERIFY(setup()->runRow()->isPaused());
        QCOMPARE(info().id, first);
        QVERIFY2(notice()->text().contains(QStringLiteral("paused")), qPrintable(notice()->text()));
    }

    void aReportHasOnlyPlotsOfItsDesign() {
        runByClick();
        QVERIFY(!m_explore->shownPlots().empty());
        m_explore->openRow(3); // one of its points is still of this study
        QVERIFY(!m_explore->shownPlots().empty());
        m_document->openPreset("glitches/8a100");
        QVERIFY(m_explore->shownPlots().empty());
    }

    void bandsAreWorkedOutBesideTheWindow() {
        runByClick();
        auto* tile = board()->plots().front();
        auto plot = tile->plot();
        plot.bands = true;
        tile->setPlot(plot);
        QVERIFY(tile->view()->chart().lines[0].low.empty()); // drawn at once
        QTRY_VERIFY_WITH_TIMEOUT(!tile->view()->chart().lines[0].low.empty(), 30000);
        const auto& line = tile->view()->chart().lines[0];
        for (std::size_t i = 0; i < line.y.size(); ++i)
            if (std::isfinite(line.low[i]))
                QVERIFY(line.low[i] <= line.y[i] && line.y[i] <= line.high[i]);
    }

    void theLastTileStaysWhateverItIs() {
        runByClick();
        auto* tile = board()->addSensitivity();
        auto* close = tile->findChild<QToolButton*>(QStringLiteral("closeTile"));
        QVERIFY(close->isEnabled());
        while (!board()->plots().empty())
            QTest::mouseClick(board()->plots().front()->findChild<QToolButton*>(QStringLiteral("closeTile")),
                              Qt::LeftButton);
        QVERIFY(!close->isEnabled());
    }
};

WIDGET_TEST(BrushTest)
#include "brush_test.moc"
