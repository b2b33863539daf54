// SPDX-License-Identifier: GPL-3.0-or-later
// The mouse moves what plots of the program's window show: how far they can be panned, what a double click
// does, and the tool that makes a drag brush.
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/explore/tornado_tile.h"

#include <QAccessible>
#include <QUndoStack>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

class MovingPlotsTest : public StudyFixture {
    Q_OBJECT

    using Kind = ChartPoint::Kind;

    PlotView* view() const { return m_test->view(0); }
    static QCustomPlot* drawing(const PlotView* view) { return view->findChild<QCustomPlot*>(); }
    /// What lies within the axes of a plot, in the coordinates of its drawing.
    static QRect axesOf(const PlotView* view) { return drawing(view)->axisRect()->rect(); }
    static QStringList labelsOf(const QCPAxis* axis) {
        const auto labels = axis->tickVectorLabels();
        return {labels.begin(), labels.end()};
    }
    static QStringList labelsOf(const PlotView* view) {
        QCoreApplication::processEvents(); // they are written when it is drawn
        return labelsOf(drawing(view)->xAxis) + labelsOf(drawing(view)->yAxis);
    }
    static bool isNegative(const QString& label) {
        return label.startsWith(u'-') || label.startsWith(QChar(0x2212));
    }
    /// Takes a plot as far to the right and up as it can be seen go.
    static void pushTowardsZero(const PlotView* view) {
        const auto axes = axesOf(view);
        const QPoint in(axes.width() / 4, axes.height() / 4); // a drag near an axis moves that one only
        for (int i = 0; i < 3; ++i)
            Hand().drag(drawing(view), QPoint(axes.left() + in.x(), axes.bottom() - in.y()),
                        QPoint(axes.right() - in.x(), axes.top() + in.y()));
    }
    static std::vector<ChartPoint> pointsOf(const Chart& chart) {
        std::vector<ChartPoint> points;
        for (std::size_t i = 0; chart.cloud && i < chart.cloud->points->x.size(); ++i)
            points.push_back({0, static_cast<int>(i), Kind::Cloud});
        for (std::size_t line = 0; line < chart.lines.size(); ++line)
            for (std::size_t i = 0; i < chart.lines[line].x.size(); ++i)
                if (std::isfinite(chart.lines[line].y[i]))
                    points.push_back({static_cast<int>(line), static_cast<int>(i)});
        return points;
    }
    static std::vector<QPointF> placesOf(const PlotView* view) {
        std::vector<QPointF> places;
        for (const auto point : pointsOf(view->chart()))
            places.push_back(view->pixelOf(point));
        return places;
    }
    /// How many of these places are within the reach of a click there.
    static auto countAt(const std::vector<QPointF>& places, QPointF at) {
        return std::ranges::count_if(places, [at](QPointF place) { return QLineF(place, at).length() < 20; });
    }
    static bool isSeen(const PlotView* view, QPointF at) {
        return axesOf(view).translated(drawing(view)->pos()).adjusted(6, 6, -6, -6).contains(at.toPoint());
    }
    static void zoomIn(const PlotView* view) {
        const auto before = placesOf(view);
        wheel(drawing(view), axesOf(view).topLeft() + QPoint(axesOf(view).width() / 4, 12), 5);
        QTRY_VERIFY(placesOf(view) != before);
    }
    /// Nothing was opened: neither a design on the canvas nor another workspace, menu or dialog.
    void checkNothingOpened(const engine::Scenario& before, int edits) const {
        QCOMPARE(m_test->window->workspace(), Workspace::Explore);
        QVERIFY(m_test->explore().isVisible());
        QVERIFY(m_test->scenario() == before);
        QCOMPARE(m_test->document().undoStack()->count(), edits);
        QVERIFY(!QApplication::activePopupWidget() && !QApplication::activeModalWidget());
    }

private slots:
    void aPannedPlotShowsNoNegativeValues_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"Lines", "Lines over 1 to 64", "Scatter", "Bars"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void aPannedPlotShowsNoNegativeValues() {
        QFETCH(QString, kind);
        if (kind.endsWith(QStringLiteral("64")))
            m_test->runStudy({{"workload.batch", "1:64"}});
        const bool lines = kind.startsWith(QStringLiteral("Lines"));
        auto* shown = lines ? view() : m_test->addPlot(kind.toLatin1().constData())->view();
        m_test->settle();
        const bool bars = shown->chart().bars.has_value();
        const auto check = [&] {
            const auto labels = labelsOf(shown);
            QVERIFY2(std::ranges::none_of(labels, isNegative), qPrintable(labels.join(u' ')));
            QVERIFY(!labelsOf(drawing(shown)->yAxis).isEmpty());
            QVERIFY(shown->view().y.lower >= 0);
            // Beside a first value that is near zero there is as much room as when all is shown.
            if (!bars)
                QVERIFY(shown->view().x.lower >= -0.05 * (shown->view().x.upper - shown->view().x.lower));
        };
        const auto home = shown->view();
        check();
        pushTowardsZero(shown);
        check();
        if (bars) { // along their names only
            QVERIFY(shown->view().x.lower < home.x.lower - 0.5);
            QCOMPARE(shown->view().y.upper, home.y.upper);
            QCOMPARE(shown->view().y.lower, 0.0);
            QTest::keyClick(shown, Qt::Key_Home);
        }
        const auto middle = axesOf(shown).center();
        wheel(drawing(shown), middle, 6);
        check();
        const auto zoomed = shown->view();
        QVERIFY(zoomed.x.upper - zoomed.x.lower < 0.5 * (home.x.upper - home.x.lower));
        pushTowardsZero(shown);
        check();
        if (!bars) // it did move
            QVERIFY(shown->view().x.upper < zoomed.x.upper && shown->view().y.upper < zoomed.y.upper);
        wheel(drawing(shown), middle, -28);
        check();
        pushTowardsZero(shown);
        check();
        if (!bars) { // and it came as far as zero
            QVERIFY(shown->view().x.upper > home.x.upper);
            QVERIFY2(labelsOf(drawing(shown)->xAxis).contains(QStringLiteral("0")),
                     qPrintable(labelsOf(shown).join(u' ')));
            QVERIFY(labelsOf(drawing(shown)->yAxis).contains(QStringLiteral("0")));
        }
    }

    void aTornadoIsAlwaysShownWhole() {
        click(m_test->named<QPushButton>("addPlot"));
        choose(openMenu(), QStringLiteral("Sensitivity"));
        auto* tile = m_test->explore().findChild<TornadoTile*>();
        QTRY_VERIFY(!tile->isBusy() && tile->chart()->picture().bars() > 3);
        m_test->settle();
        auto* chart = tile->chart();
        const auto layout = chart->tornadoLayout();
        QVERIFY(layout.least >= 0);
        Hand::moveTo(m_test->setup(), QPoint(2, 2));
        const auto before = chart->grab().toImage();
        const auto from = layout.barRect(2).center().toPoint();
        Hand().drag(chart, from, from + QPoint(80, -30));
        wheel(chart, from, -6);
        Hand().doubleClick(chart, from);
        Hand::moveTo(m_test->setup(), QPoint(2, 2));
        QCOMPARE(chart->tornadoLayout().least, layout.least);
        QTRY_VERIFY(chart->grab().toImage() == before);
    }

    void aDoubleClickOnEmptyRoomShowsAllAndOpensNothing_data() {
        QTest::addColumn<bool>("cloud");
        QTest::newRow("lines") << false;
        QTest::newRow("scatter") << true;
    }
    void aDoubleClickOnEmptyRoomShowsAllAndOpensNothing() {
        QFETCH(bool, cloud);
        auto* shown = cloud ? m_test->addPlot("Scatter")->view() : view();
        m_test->settle();
        const auto before = m_test->scenario();
        const auto edits = m_test->document().undoStack()->count();
        const auto home = placesOf(shown);
        const auto labels = labelsOf(shown);
        zoomIn(shown);
        QVERIFY(labelsOf(shown) != labels);
        // Where nothing is now, but a point will be when all is shown.
        const auto places = placesOf(shown);
        const auto empty = std::ranges::find_if(
            home, [&](QPointF at) { return isSeen(shown, at) && countAt(places, at) == 0; });
        QVERIFY(empty != home.end());
        const auto [plot, at] = StudyWindow::placeAt(shown, *empty);
        Hand().doubleClick(plot, at);
        QCOMPARE(placesOf(shown), home);
        QCOMPARE(labelsOf(shown), labels);
        checkNothingOpened(before, edits);
        QVERIFY(!m_test->marks()->selected()); // nor was that point chosen
        QVERIFY(!m_test->table()->currentIndex().isValid());
        QVERIFY(std::ranges::none_of(shown->chart().lines,
                                     [&](const auto& line) { return shown->chart().isHidden(line.name); }));
    }

    void aDoubleClickOnAPointChoosesItShowsAllAndOpensNothing() {
        auto* shown = m_test->addPlot("Scatter")->view();
        m_test->settle();
        const auto before = m_test->scenario();
        const auto edits = m_test->document().undoStack()->count();
        const auto home = placesOf(shown);
        zoomIn(shown);
        const auto places = placesOf(shown);
        // A point by itself; best one over which another will come to lie.
        std::size_t chosen = places.size();
        for (std::size_t i = 0; i < places.size(); ++i)
            if (isSeen(shown, places[i]) && countAt(places, places[i]) == 1 &&
                (chosen == places.size() || countAt(home, places[i]) > countAt(home, places[chosen])))
                chosen = i;
        QVERIFY(chosen < places.size());
        const auto [plot, at] = StudyWindow::placeAt(shown, places[chosen]);
        Hand().doubleClick(plot, at);
        QCOMPARE(placesOf(shown), home);
        checkNothingOpened(before, edits);
        QCOMPARE(m_test->marks()->selected(), std::optional(chosen));
        const auto row = m_test->table()->currentIndex().row();
        for (int axis = 0; axis < 2; ++axis)
            QCOMPARE(m_test->cell(row, axis).toDouble(),
                     m_test->points().columns[static_cast<std::size_t>(axis)].at(chosen));
    }

    void brushingHasATool() {
        auto* shown = m_test->addPlot("Scatter")->view();
        m_test->settle();
        auto* tool = m_test->named<QPushButton>("brushTool");
        QVERIFY(isReached(tool, tool->rect().center()));
        QCOMPARE(tool->text(), QStringLiteral("Brush"));
        QCOMPARE(QAccessible::queryAccessibleInterface(tool)->text(QAccessible::Name), tool->text());
        QVERIFY2(tool->toolTip().contains(QStringLiteral("selects points")), qPrintable(tool->toolTip()));
        QVERIFY(!tool->icon().isNull() && !tool->isChecked());
        const auto axes = axesOf(shown);
        const QPoint from = axes.center() - QPoint(axes.width() / 4, 0), to = axes.topRight() + QPoint(-4, 4);
        const auto pans = [&](int rows) {
            const auto places = placesOf(shown);
            Hand().drag(drawing(shown), from, from + QPoint(-30, 20));
            const auto moved = placesOf(shown);
            for (std::size_t i = 0; i < places.size(); ++i)
                QVERIFY((moved[i] - places[i] - QPointF(-30, 20)).manhattanLength() < 2);
            QCOMPARE(m_test->rows(), rows);
            QTest::keyClick(shown, Qt::Key_Home);
        };
        pans(56);

        click(tool);
        QVERIFY(tool->isChecked());
        QCOMPARE(drawing(shown)->cursor().shape(), Qt::CrossCursor);
        const auto places = placesOf(shown);
        // A box that is begun and dropped.
        Hand().press(drawing(shown), from);
        QTest::mouseMove(m_test->window->windowHandle(), drawing(shown)->mapTo(m_test->window.get(), to));
        QTRY_VERIFY(shown->marks().rubber());
        QTest::keyClick(m_test->window->windowHandle(), Qt::Key_Escape);
        QTRY_VERIFY(!shown->marks().rubber());
        Hand().release(drawing(shown), to);
        QCOMPARE(m_test->rows(), 56);
        // One that is drawn to its end.
        Hand().drag(drawing(shown), from, to);
        QCOMPARE(placesOf(shown), places); // nothing was panned
        const int kept = m_test->rows();
        QVERIFY2(kept > 0 && kept < 56, qPrintable(QString::number(kept)));
        const auto box = QRectF(from, to).normalized().translated(drawing(shown)->pos());
        QVERIFY(std::ranges::count_if(
                    places, [&](QPointF at) { return box.adjusted(2, 2, -2, -2).contains(at); }) <= kept);
        QVERIFY(kept <= std::ranges::count_if(
                            places, [&](QPointF at) { return box.adjusted(-2, -2, 2, 2).contains(at); }));
        const auto told = QStringLiteral("%1 shown, %2 filtered out").arg(kept).arg(56 - kept);
        QVERIFY2(m_test->note().contains(told), qPrintable(m_test->note()));

        click(tool);
        QVERIFY(!tool->isChecked());
        QVERIFY(drawing(shown)->cursor().shape() != Qt::CrossCursor);
        pans(kept); // and what was brushed stays
        click(m_test->named<QPushButton>("clearFilter"));
        QCOMPARE(m_test->rows(), 56);
        QVERIFY(!m_test->note().contains(QStringLiteral("filtered out")));
    }
};

WIDGET_TEST(MovingPlotsTest)
#include "moving_plots_test.moc"
