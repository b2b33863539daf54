// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of a study in the program's window: every kind is added, and a point of one becomes the design on the
// canvas.
#include "engine/evaluation/evaluate.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/explore/parallel_view.h"
#include "widgets/timeline/timeline_view.h"
#include "widgets/window/metrics_strip.h"

#include <QToolButton>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class PlotsWindowTest : public StudyFixture {
    Q_OBJECT

private slots:
    void thePlotMenuAddsEveryKind_data() {
        QTest::addColumn<QString>("entry");
        for (const char* entry : {"Lines", "Bars", "Heat map", "Scatter", "Parallel coordinates",
                                  "Breakdown of time", "Roofline", "Step timeline"})
            QTest::newRow(entry) << QString::fromLatin1(entry);
    }
    void thePlotMenuAddsEveryKind() {
        QFETCH(QString, entry);
        auto* tile = m_test->addPlot(entry.toLatin1().constData());
        QVERIFY(tile);
        QTRY_VERIFY(tile->isVisible() && tile->width() > 200 && !tile->isBusy());
        QWidget* drawn = tile->view();
        if (tile->plot().kind == engine::PlotKind::Parallel) {
            drawn = child<ParallelView>(tile);
            QVERIFY(child<ParallelView>(tile)->picture().axes.size() >= 3);
        } else if (tile->plot().kind == engine::PlotKind::Timeline) {
            drawn = tile->timeline();
            QTRY_VERIFY(!tile->timeline()->tracks().empty());
        } else {
            QVERIFY(tile->view()->chart().hasData());
        }
        QVERIFY(isReached(drawn, drawn->rect().center()));
        QTRY_VERIFY(isDrawn(drawn));
        QVERIFY(!words(tile).isEmpty()); // its title
        click(tile->findChild<QToolButton*>(QStringLiteral("closeTile")));
        QCOMPARE(m_test->board()->plots().size(), std::size_t{2});
    }

    void aClickOnAPointPutsItsDesignOnTheCanvas() {
        auto* tile = m_test->addPlot("Scatter");
        QVERIFY(tile);
        const auto before = m_test->scenario();
        StudyWindow::clickPoint(tile->view(), {0, 20, ChartPoint::Kind::Cloud});
        QVERIFY(m_test->marks()->selected());
        const auto chosen = *m_test->marks()->selected();
        const auto& points = m_test->points();
        QCOMPARE(m_test->cell(m_test->table()->currentIndex().row(), 0).toDouble(),
                 points.columns[0].at(chosen));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_B);
        QVERIFY(m_test->marks()->baseline());
        const auto* cell = child<MetricsStrip>(window())->cell(Metric::Throughput);
        QVERIFY(cell->content().note.isEmpty()); // nothing was pinned in the Design workspace
        QVERIFY(m_test->scenario() == before);   // chosen, not opened
        click(m_test->named<QPushButton>("openOnCanvas"));
        QTRY_COMPARE(window()->workspace(), Workspace::Design);
        QVERIFY(window()->canvas()->isVisible());
        QCOMPARE(m_test->scenario().findNode({"fpga"})->count.value, points.columns[0].at(chosen));
        const double stored = points.find("throughput_tok_s")->at(chosen);
        m_test->awaitMetrics();
        QVERIFY(std::fabs(document().evaluation().metric(Metric::Throughput) / stored - 1) < 1e-12);
        QTRY_VERIFY(std::fabs(cell->content().value.toDouble() / stored - 1) < 0.01);
        QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(m_test->scenario() == before);
        const double old = engine::evaluate(before).metric(Metric::Throughput);
        QTRY_VERIFY(std::fabs(cell->content().value.toDouble() / old - 1) < 0.01);
    }
};

WIDGET_TEST(PlotsWindowTest)
#include "plots_window_test.moc"
