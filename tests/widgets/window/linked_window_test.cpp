// SPDX-License-Identifier: GPL-3.0-or-later
// What is pointed at, brushed, chosen or pinned in one plot of the program's window, and what the others, the
// table and the canvas show then.
#include "engine/evaluation/evaluate.h"
#include "engine/techniques/load_merging.h"
#include "study_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/plots/chart_reading.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"

#include <QToolButton>

#include <cmath>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;
using Kind = ChartPoint::Kind;

class LinkedWindowTest : public StudyFixture {
    Q_OBJECT

    /// The row of the study whose point is at these values of its two axes.
    std::size_t rowOf(double count, double ratio) const {
        const auto& points = m_test->points();
        for (std::size_t row = 0; row < points.rows(); ++row)
            if (points.columns[0].at(row) == count && points.columns[1].at(row) == ratio)
                return row;
        return points.rows();
    }
    /// Whether exactly this point's row is lit in the table.
    bool isLit(double count, double ratio) const {
        const auto lit = m_test->litRows();
        return lit.size() == 1 && m_test->cell(lit[0], 0).toDouble() == count &&
               m_test->cell(lit[0], 1).toDouble() == ratio;
    }
    /// Whether another plot marks the same row.
    bool isMarked(PlotView* view, ChartPoint point) const {
        const auto& mark = view->marks().mark();
        return mark && (mark->at - view->pixelOf(point)).manhattanLength() < 1;
    }
    static void choosePlot(const PlotView* view, QPointF at, const char* entry) {
        const auto [plot, within] = StudyWindow::placeAt(view, at);
        Hand{.button = Qt::RightButton}.click(plot, within);
        QVERIFY(openMenu());
        choose(openMenu(), QLatin1String(entry));
    }
    /// What stands on the canvas is the design of this row, and the strip above it says so.
    void checkOpened(std::size_t row) {
        QTRY_COMPARE(m_test->window->workspace(), Workspace::Design);
        QVERIFY(m_test->window->canvas()->isVisible());
        const auto& points = m_test->points();
        QCOMPARE(m_test->scenario().findNode({"fpga"})->count.value, points.columns[0].at(row));
        QCOMPARE(m_test->scenario().techniques[engine::loadMerging()].quantity(engine::kMergeRatio).value,
                 points.columns[1].at(row));
        const double stored = points.find("throughput_tok_s")->at(row);
        const double shown = m_test->document().evaluation().metric(engine::Metric::Throughput);
        QVERIFY(std::fabs(shown / stored - 1) < 1e-12);
        const auto* cell = child<MetricsStrip>(m_test->window)->cell(engine::Metric::Throughput);
        QVERIFY(std::fabs(cell->content().value.toDouble() / stored - 1) < 0.01);
    }

private slots:
    void aPointOfTheLinesIsMarkedEverywhere() {
        const auto& line = m_test->chart(0).lines[3];
        // The window may still be laying itself out: until the point is where it was sought.
        QTRY_VERIFY(
            (StudyWindow::hoverPoint(m_test->view(0), {3, 5}), isLit(line.x[5], line.name.toDouble())));
        QVERIFY(isMarked(m_test->view(1), {3, 5}));
        QVERIFY(!m_test->view(0)->marks().mark()); // it is read out there
        QVERIFY(m_test->view(0)->readOut().isPresented());
        StudyWindow::hoverPoint(m_test->view(1), {0, 0});
        QVERIFY(isLit(1, 1));
        QVERIFY(isMarked(m_test->view(0), {0, 0}));
        Hand::moveTo(m_test->setup(), QPoint(5, 5)); // away from all
        QVERIFY(m_test->litRows().isEmpty());
        QVERIFY(!m_test->view(0)->marks().mark());
    }

    void aCellAndAPointOfACloudAreMarkedEverywhere() {
        auto* map = m_test->addPlot("Heat map");
        QVERIFY(map);
        auto* cloud = m_test->addPlot("Scatter");
        QVERIFY(cloud);
        const auto& cells = *map->view()->chart().heatMap;
        // Columns are counts, rows are ratios.
        const auto xs = map->view()->chart().xNames(), ys = map->view()->chart().yNames();
        QCOMPARE(cells.columns(), std::size_t{7});
        StudyWindow::hoverPoint(map->view(), {2, 4, Kind::Cell});
        const double count = xs[4].toDouble(), ratio = ys[2].toDouble();
        QVERIFY(isLit(count, ratio));
        const auto row = static_cast<int>(rowOf(count, ratio));
        QVERIFY(isMarked(cloud->view(), {0, row, Kind::Cloud}));
        QVERIFY(m_test->view(0)->marks().mark());
        QVERIFY(map->view()->readOut().isPresented());

        // A cloud point that no other lies upon.
        const auto& points = m_test->points();
        std::size_t alone = 0;
        for (std::size_t i = 0; i < points.rows(); ++i) {
            double nearest = 1e9;
            for (std::size_t other = 0; other < points.rows(); ++other)
                if (other != i)
                    nearest = std::min(
                        nearest, QLineF(cloud->view()->pixelOf({0, static_cast<int>(i), Kind::Cloud}),
                                        cloud->view()->pixelOf({0, static_cast<int>(other), Kind::Cloud}))
                                     .length());
            if (nearest > 8) {
                alone = i;
                break;
            }
        }
        StudyWindow::hoverPoint(cloud->view(), {0, static_cast<int>(alone), Kind::Cloud});
        QVERIFY(isLit(points.columns[0].at(alone), points.columns[1].at(alone)));
        const auto& mark = map->view()->marks().mark();
        QVERIFY(mark && !mark->frame.isEmpty()); // a frame round the cell
        QVERIFY(m_test->view(0)->marks().mark());

        // And the other way round: a row of the table.
        const auto at = m_test->table()->model()->index(1, 0);
        Hand::moveTo(m_test->table()->viewport(), m_test->table()->visualRect(at).center());
        QCOMPARE(m_test->litRows(), QList<int>{1});
        QVERIFY(cloud->view()->marks().mark() && map->view()->marks().mark());
    }

    void aBoxInTheScatterFiltersTheTable_data() {
        QTest::addColumn<bool>("pinned");
        QTest::newRow("as they are") << false;
        QTest::newRow("against a baseline") << true;
    }
    void aBoxInTheScatterFiltersTheTable() {
        QFETCH(bool, pinned);
        auto* tile = m_test->addPlot("Scatter");
        QVERIFY(tile);
        if (pinned) {
            click(m_test->named<QPushButton>("pinPoint"));
            QVERIFY(m_test->view(0)->chart().y.label.contains(QStringLiteral("× of")));
        }
        click(tile->findChild<QToolButton*>(QStringLiteral("maximise")));
        auto* view = tile->view();
        QTRY_VERIFY(view->width() > 800);
        QCoreApplication::processEvents();
        std::vector<QPointF> places;
        for (int row = 0; row < 56; ++row)
            places.push_back(view->pixelOf({0, row, Kind::Cloud}));
        // From the best point a third of the way to the left and down, between two points.
        QRectF all(places[0], QSizeF());
        for (const auto& place : places)
            all |= QRectF(place, QSizeF(0.1, 0.1));
        QRectF box(all.center().x() + 3, all.top() - 12, all.width() / 2 + 9, all.height() / 2 + 15);
        const auto nearEdge = [&](double edge, bool across) {
            for (const auto& place : places)
                if (std::fabs((across ? place.x() : place.y()) - edge) < 1.6)
                    return true;
            return false;
        };
        while (nearEdge(box.left(), true))
            box.setLeft(box.left() - 1);
        while (nearEdge(box.bottom(), false))
            box.setBottom(box.bottom() + 1);
        std::set<std::size_t> expected;
        for (std::size_t row = 0; row < places.size(); ++row)
            if (box.contains(places[row]))
                expected.insert(row);
        QVERIFY(expected.size() > 2 && expected.size() < 50);

        choosePlot(view, all.bottomRight(), "Drag selects");
        auto* plot = view->childAt(view->rect().center());
        const auto within = [&](QPointF at) { return plot->mapFrom(view, at.toPoint()); };
        Hand().drag(plot, within(box.bottomLeft()), within(box.topRight()));
        QCOMPARE(m_test->rows(), static_cast<int>(expected.size()));
        for (int row = 0; row < m_test->rows(); ++row)
            QVERIFY(
                expected.contains(rowOf(m_test->cell(row, 0).toDouble(), m_test->cell(row, 1).toDouble())));
        QVERIFY2(m_test->note().contains(QStringLiteral("filtered out")), qPrintable(m_test->note()));
        int pale = 0;
        for (std::size_t row = 0; row < 56; ++row)
            pale += !view->chart().cloud->isKept(row);
        QCOMPARE(pale, 56 - static_cast<int>(expected.size()));
        // A click beside everything takes it away.
        QPointF beside;
        for (double x = all.left(); x < all.right() && beside.isNull(); x += 16)
            for (double y = all.top(); y < all.bottom() && beside.isNull(); y += 16) {
                bool free = true;
                for (const auto& place : places)
                    free = free && QLineF(place, {x, y}).length() > 24;
                if (free)
                    beside = {x, y};
            }
        QVERIFY(!beside.isNull());
        Hand().click(plot, within(beside));
        QCOMPARE(m_test->rows(), 56);
        QVERIFY(!m_test->note().contains(QStringLiteral("filtered out")));
    }

    void aClickOnACloudPutsItsDesignOnTheCanvas() {
        auto* tile = m_test->addPlot("Scatter");
        QVERIFY(tile);
        const auto before = m_test->scenario();
        const auto row = rowOf(3, 8);
        StudyWindow::clickPoint(tile->view(), {0, static_cast<int>(row), Kind::Cloud});
        QVERIFY(m_test->marks()->selected());
        const auto chosen = *m_test->marks()->selected(); // points may lie upon each other
        QVERIFY((tile->view()->pixelOf({0, static_cast<int>(chosen), Kind::Cloud}) -
                 tile->view()->pixelOf({0, static_cast<int>(row), Kind::Cloud}))
                    .manhattanLength() < 12);
        const auto current = m_test->table()->currentIndex().row();
        QCOMPARE(m_test->cell(current, 0).toDouble(), m_test->points().columns[0].at(chosen));
        QVERIFY(m_test->scenario() == before); // chosen, not opened
        click(m_test->named<QPushButton>("openOnCanvas"));
        checkOpened(chosen);
        QTest::keyClick(m_test->window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(m_test->scenario() == before);
        const auto* cell = child<MetricsStrip>(m_test->window)->cell(engine::Metric::Throughput);
        const double old = engine::evaluate(before).metric(engine::Metric::Throughput);
        QVERIFY(std::fabs(cell->content().value.toDouble() / old - 1) < 0.01);
    }

    void aCtrlClickOnACellPutsItsDesignOnTheCanvas() {
        auto* tile = m_test->addPlot("Heat map");
        QVERIFY(tile);
        const auto before = m_test->scenario();
        const auto& chart = tile->view()->chart();
        StudyWindow::clickPoint(tile->view(), {0, 6, Kind::Cell}, Qt::ControlModifier);
        checkOpened(rowOf(chart.xNames()[6].toDouble(), chart.yNames()[0].toDouble()));
        m_test->undo();
        QVERIFY(m_test->scenario() == before);
    }

    void keyBPinsAndEverythingReadsAsRatio() {
        const auto column = m_test->columnOf("Throughput (");
        const auto header = m_test->header(column);
        const auto label = m_test->chart(0).y.label;
        const auto values = m_test->chart(0).lines[0].y;
        QCOMPARE(label, QStringLiteral("Throughput (tok/s)"));
        const auto second = m_test->table()->model()->index(1, column);
        Hand().click(m_test->table()->viewport(), m_test->table()->visualRect(second).center());
        const auto axes = m_test->axesOf(1);
        const auto row = rowOf(axes[0].toDouble(), axes[1].toDouble());
        const double base = m_test->points().find("throughput_tok_s")->at(row);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_B);
        QVERIFY2(m_test->chart(0).y.label.startsWith(QStringLiteral("Throughput (× of ")),
                 qPrintable(m_test->chart(0).y.label));
        QVERIFY2(m_test->header(column).contains(u'×'), qPrintable(m_test->header(column)));
        QCOMPARE(m_test->cell(1, column), QStringLiteral("1.000"));
        QVERIFY2(words(m_test->board()).contains(QStringLiteral("Read as × of ")),
                 qPrintable(words(m_test->board())));
        for (std::size_t i = 0; i < values.size(); ++i)
            QVERIFY(std::fabs(m_test->chart(0).lines[0].y[i] * base / values[i] - 1) < 1e-12);
        QCoreApplication::processEvents(); // the figures beside are made anew
        QCOMPARE(m_test->named<QLabel>("metric-throughput_tok_s")->text(), QStringLiteral("1.00\u2009×"));
        // A plot that comes now reads the same way.
        auto* scatter = m_test->addPlot("Scatter");
        QVERIFY(scatter);
        QVERIFY(scatter->view()->chart().y.label.contains(QStringLiteral("(× of ")));
        // Nothing was pinned in the Design workspace.
        QVERIFY(
            child<MetricsStrip>(m_test->window)->cell(engine::Metric::Throughput)->content().note.isEmpty());
        m_test->table()->setFocus();
        QTest::keyClick(m_test->table(), Qt::Key_B, Qt::ShiftModifier);
        QCOMPARE(m_test->chart(0).y.label, label);
        QCOMPARE(m_test->header(column), header);
        QCOMPARE(m_test->chart(0).lines[0].y, values);
        QVERIFY(!words(m_test->board()).contains(QStringLiteral("Read as")));
    }
};

WIDGET_TEST(LinkedWindowTest)
#include "linked_window_test.moc"
