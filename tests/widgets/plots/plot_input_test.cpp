// SPDX-License-Identifier: GPL-3.0-or-later
// What the mouse and the keyboard do in a plot: boxes, crosshair, logarithmic axes, legend, marks from
// elsewhere; and clouds.
#include "tests/widgets/plots/sample_charts.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/theme.h"

#include <QMenu>
#include <QSignalSpy>
#include <QTest>

#include <qcustomplot.h>

#include <cmath>
#include <limits>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

Chart twoCurves() {
    Chart chart;
    chart.title = QStringLiteral("Time over batch");
    chart.x.label = QStringLiteral("Batch");
    chart.y.label = QStringLiteral("Time (s)");
    chart.lines = {{.name = QStringLiteral("first"),
                    .x = {1, 2, 4, 8},
                    .y = {1, 10, 100, 1000},
                    .color = ChartColor::series(0),
                    .marker = ChartMarker::Circle},
                   {.name = QStringLiteral("second"),
                    .x = {1, 2, 4, 8},
                    .y = {5, 6, 7, 8},
                    .color = ChartColor::series(1),
                    .marker = ChartMarker::Square}};
    chart.stars = {{.label = QStringLiteral("1,000 s"), .x = 8, .y = 1000}};
    return chart;
}

} // namespace

class PlotInputTest : public QObject {
    Q_OBJECT

    std::unique_ptr<PlotView> m_view;
    QCustomPlot* m_plot = nullptr;

    void show(const Chart& chart) {
        m_view = std::make_unique<PlotView>();
        m_view->setChart(chart);
        expose(*m_view, {640, 420});
        m_plot = m_view->findChild<QCustomPlot*>();
        m_plot->replot(QCustomPlot::rpImmediateRefresh);
    }
    QPoint inPlot(QPointF at) const { return (at - QPointF(m_plot->pos())).toPoint(); }
    void drag(QPointF from, QPointF to, Qt::MouseButton button, Qt::KeyboardModifiers keys) {
        QTest::mousePress(m_plot, button, keys, inPlot(from));
        for (const double part : {0.5, 1.0}) {
            const auto at = inPlot(from + (to - from) * part);
            QMouseEvent move(QEvent::MouseMove, QPointF(at), m_plot->mapToGlobal(QPointF(at)), Qt::NoButton,
                             button, keys);
            QCoreApplication::sendEvent(m_plot, &move);
        }
        QTest::mouseRelease(m_plot, button, keys, inPlot(to));
    }
    void hover(QPointF at) {
        const QPointF in = at - QPointF(m_plot->pos());
        QMouseEvent move(QEvent::MouseMove, in, m_plot->mapToGlobal(in), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(m_plot, &move);
    }
    QAction* menuAction(const QString& text) {
        auto* menu = m_view->findChild<QMenu*>(QStringLiteral("plotMenu"));
        for (auto* action : menu ? menu->actions() : QList<QAction*>())
            if (action->text() == text)
                return action;
        return nullptr;
    }

private slots:
    void cleanup() { m_view.reset(); }

    void aBoxWithShiftOrTheRightButtonIsZoomedTo() {
        for (const bool right : {false, true}) {
            show(twoCurves());
            const auto from = m_view->pixelOf({1, 1}) + QPointF(0, 12),
                       to = m_view->pixelOf({1, 2}) - QPointF(0, 60);
            const auto before = m_plot->xAxis->range();
            drag(from, to, right ? Qt::RightButton : Qt::LeftButton,
                 right ? Qt::NoModifier : Qt::ShiftModifier);
            const auto after = m_plot->xAxis->range();
            QVERIFY(std::fabs(after.lower - 2) < 0.05 && std::fabs(after.upper - 4) < 0.05);
            QVERIFY(after.size() < before.size());
            QVERIFY(!m_view->marks().rubber());
            QVERIFY(!m_view->findChild<QMenu*>(QStringLiteral("plotMenu")));
            QTest::keyClick(m_view.get(), Qt::Key_Home);
            QCOMPARE(m_plot->xAxis->range().lower, before.lower);
        }
    }

    void theWheelZoomsAboutThePointer() {
        show(twoCurves());
        const auto first = m_view->pixelOf({1, 1}), last = m_view->pixelOf({1, 2});
        wheel(m_plot, inPlot(first), 2);
        QTRY_VERIFY(m_view->pixelOf({1, 2}).x() - m_view->pixelOf({1, 1}).x() > 1.1 * (last.x() - first.x()));
        QVERIFY(std::fabs(m_view->pixelOf({1, 1}).x() - first.x()) < 1.5); // what is under it stays
    }

    void aPlainDragPansAndEscapeDropsABox() {
        show(twoCurves());
        const auto size = m_plot->xAxis->range().size();
        const auto lower = m_plot->xAxis->range().lower;
        drag({200, 200}, {300, 200}, Qt::LeftButton, Qt::NoModifier);
        QVERIFY(m_plot->xAxis->range().lower < lower);
        QVERIFY(std::fabs(m_plot->xAxis->range().size() - size) < 1e-9);
        m_view->fit();
        QTest::mousePress(m_plot, Qt::LeftButton, Qt::ShiftModifier, {150, 150});
        QMouseEvent move(QEvent::MouseMove, QPointF(250, 220), m_plot->mapToGlobal(QPointF(250, 220)),
                         Qt::NoButton, Qt::LeftButton, Qt::ShiftModifier);
        QCoreApplication::sendEvent(m_plot, &move);
        QVERIFY(m_view->marks().rubber());
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(!m_view->marks().rubber());
        QTest::mouseRelease(m_plot, Qt::LeftButton, Qt::ShiftModifier, {250, 220});
        QCOMPARE(m_plot->xAxis->range().lower, lower);
    }

    void aBoxIsToldInDataCoordinates() {
        show(twoCurves());
        QSignalSpy told(m_view.get(), &PlotView::boxSelected);
        const auto before = m_plot->xAxis->range();
        drag(m_view->pixelOf({1, 1}), m_view->pixelOf({0, 2}), Qt::LeftButton,
             Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(told.count(), 1);
        const auto box = told[0][0].toRectF();
        QVERIFY(std::fabs(box.left() - 2) < 0.03 && std::fabs(box.right() - 4) < 0.03);
        QVERIFY(std::fabs(box.top() - 6) < 3 && std::fabs(box.bottom() - 100) < 3); // a pixel is about 3 s
        QCOMPARE(m_plot->xAxis->range().lower, before.lower);
        QTest::keyClick(m_view.get(), Qt::Key_Menu);
        menuAction(QStringLiteral("Drag selects"))->trigger();
        m_view->findChild<QMenu*>(QStringLiteral("plotMenu"))->close();
        QVERIFY(m_view->isBrushing());
        drag({200, 150}, {260, 220}, Qt::LeftButton, Qt::NoModifier);
        QCOMPARE(told.count(), 2);
        QTest::mouseClick(m_plot, Qt::LeftButton, Qt::NoModifier, {240, 60});
        QCOMPARE(told.count(), 3);
        QVERIFY(told[2][0].toRectF().isNull());
    }

    void theMenuMakesAxesLogarithmic() {
        show(twoCurves());
        QSignalSpy toggled(m_view.get(), &PlotView::logToggled);
        QVERIFY(!m_view->isLog(PlotView::Axis::Y));
        QTest::keyClick(m_view.get(), Qt::Key_Menu);
        auto* action = menuAction(QStringLiteral("Logarithmic y"));
        QVERIFY(action && action->isCheckable() && !action->isChecked());
        auto* menu = m_view->findChild<QMenu*>(QStringLiteral("plotMenu"));
        QTRY_VERIFY(menu->isVisible());
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QVERIFY(m_view->isLog(PlotView::Axis::Y));
        QCOMPARE(toggled.count(), 1);
        QCOMPARE(m_plot->yAxis->scaleType(), QCPAxis::stLogarithmic);
        m_plot->replot(QCustomPlot::rpImmediateRefresh);
        // Factors of ten are equal steps now.
        const double a = m_view->pixelOf({0, 0}).y(), b = m_view->pixelOf({0, 1}).y(),
                     c = m_view->pixelOf({0, 2}).y();
        QVERIFY(std::fabs((a - b) - (b - c)) < 1e-6 && a > b);
        m_view->setChart(twoCurves()); // drawn again: the choice stays
        QVERIFY(m_view->isLog(PlotView::Axis::Y));
        m_view->setLog(PlotView::Axis::Y, false);
        QVERIFY(!m_view->isLog(PlotView::Axis::Y));
        auto below = twoCurves();
        for (auto& line : below.lines)
            for (auto& y : line.y)
                y = -y;
        below.stars.clear();
        below.y.label = QStringLiteral("Loss");
        m_view->setChart(below);
        m_view->setLog(PlotView::Axis::Y, true);
        QVERIFY(!m_view->isLog(PlotView::Axis::Y)); // nothing is above zero
    }

    void theCrosshairReadsBothAxes() {
        show(twoCurves());
        QTest::mouseClick(m_plot, Qt::RightButton, Qt::NoModifier, {200, 200});
        auto* action = menuAction(QStringLiteral("Crosshair"));
        QVERIFY(action);
        action->trigger();
        QVERIFY(m_view->pointer().hasCrosshair());
        m_view->findChild<QMenu*>(QStringLiteral("plotMenu"))->close();
        hover(m_view->pixelOf({0, 2}));
        QVERIFY(m_view->marks().crosshair());
        QVERIFY(std::fabs(m_view->marks().crosshair()->x.toDouble() - 4) < 0.02);
        const auto read = m_view->marks().crosshair()->y;
        QVERIFY(read.endsWith(QStringLiteral("\u2009s")));
        QVERIFY2(std::fabs(read.section(QChar(0x2009), 0, 0).toDouble() - 100) < 5, qPrintable(read));
        QCOMPARE(m_view->readOut().rows().size(), std::size_t{2}); // and the curves there
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(!m_view->marks().crosshair());
    }

    void theLegendHidesCurves() {
        show(twoCurves());
        const auto boxes = m_view->legendBoxes();
        QCOMPARE(boxes.size(), std::size_t{2});
        QCOMPARE(boxes[0].name, QStringLiteral("first"));
        const auto coloured = [this](const QRectF& within, const QColor& color) {
            m_plot->replot(QCustomPlot::rpImmediateRefresh);
            const auto picture = m_view->grab().toImage();
            int count = 0;
            for (int y = qCeil(within.top()); y < within.bottom(); ++y)
                for (int x = qCeil(within.left()); x < within.right(); ++x)
                    count += picture.rect().contains(x, y) && picture.pixelColor(x, y) == color;
            return count;
        };
        const auto first = Theme::instance().series(0), second = Theme::instance().series(1);
        const auto area = m_view->pointer().plotArea();
        for (const auto& box : boxes) // each name has the colour of its curve beside it
            QVERIFY(coloured(box.box, box.name == QStringLiteral("first") ? first : second) > 5);
        const int drawn = coloured(area, first);
        QVERIFY(drawn > 100);
        QTest::mouseClick(m_plot, Qt::LeftButton, Qt::NoModifier, inPlot(boxes[0].box.center()));
        QCOMPARE(coloured(area, first), 0);
        QVERIFY(coloured(area, second) > 100);
        QVERIFY(m_view->chart().isHidden(QStringLiteral("first")));
        QVERIFY(!m_view->chart().isShown(8, 1000)); // nor its star
        m_view->fit();
        QVERIFY(m_plot->yAxis->range().upper < 20); // of what is left
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QCOMPARE(m_view->readOut().rows().size(), std::size_t{1});
        QVERIFY(chartCsv(m_view->chart()).contains(QStringLiteral("first"))); // the data stays
        // With the keyboard: down to the first entry, and back.
        QTest::keyClick(m_view.get(), Qt::Key_Down);
        QVERIFY(m_view->accessibleDescription().contains(QStringLiteral("hidden")));
        QTest::keyClick(m_view.get(), Qt::Key_Space);
        QVERIFY(!m_view->chart().isHidden(QStringLiteral("first")));
        QTRY_VERIFY(coloured(area, first) > 100);
        QTest::keyClick(m_view.get(), Qt::Key_Down);
        QTest::keyClick(m_view.get(), Qt::Key_Space);
        QVERIFY(m_view->chart().isHidden(QStringLiteral("second")));
        m_view->setChart(twoCurves());
        QVERIFY(m_view->chart().isHidden(QStringLiteral("second")));
    }

    void pointingIsToldAndShownElsewhere() {
        show(twoCurves());
        PlotView other;
        QList<std::optional<ChartPoint>> told;
        connect(m_view.get(), &PlotView::pointHovered, this, [&](auto point) { told << point; });
        hover(m_view->pixelOf({1, 2}) + QPointF(2, 0));
        hover(m_view->pixelOf({1, 2}) + QPointF(3, 0)); // the same: told once
        QCOMPARE(told.size(), 1);
        QCOMPARE(*told[0], (ChartPoint{1, 2}));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(m_plot, &leave);
        QCOMPARE(told.size(), 2);
        QVERIFY(!told[1]);
        m_view->pointer().setHovered(ChartPoint{0, 1});
        QVERIFY(m_view->marks().mark());
        QCOMPARE(m_view->marks().mark()->at, m_view->pixelOf({0, 1}));
        QCOMPARE(told.size(), 2); // it tells nobody
        m_view->pointer().setHovered({});
        QVERIFY(!m_view->marks().mark());
    }

    void aCloudFindsThePointAtThePointer() {
        const double none = std::numeric_limits<double>::quiet_NaN();
        auto chart = samples::cloudOf({1, 2, 3, 4, none}, {10, 40, 20, 30, 50});
        chart.cloud->kept = {1, 1, 0, 1, 1};
        show(chart);
        QList<std::optional<ChartPoint>> told;
        connect(m_view.get(), &PlotView::pointHovered, this, [&](auto point) { told << point; });
        const auto cloud = [](int index) { return ChartPoint{0, index, ChartPoint::Kind::Cloud}; };
        hover(m_view->pixelOf(cloud(1)) + QPointF(4, 3));
        QCOMPARE(*told.back(), cloud(1));
        QCOMPARE(m_view->readOut().heading(), QStringLiteral("Point 2"));
        QCOMPARE(m_view->readOut().rows().at(0).value, QStringLiteral("40\u2009tok/s"));
        hover(m_view->pixelOf(cloud(2)));
        QCOMPARE(*told.back(), cloud(2));
        QCOMPARE(m_view->readOut().rows().back().name, QStringLiteral("Filtered out"));
        hover((m_view->pixelOf(cloud(0)) + m_view->pixelOf(cloud(1))) / 2); // nothing is near
        QVERIFY(!told.back());
        QSignalSpy clicked(m_view.get(), &PlotView::pointClicked);
        QTest::mouseClick(m_plot, Qt::LeftButton, Qt::NoModifier, inPlot(m_view->pixelOf(cloud(3))));
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].value<ChartPoint>(), cloud(3));
        // The keyboard goes through what is kept, from the left.
        for (const int expected : {0, 1, 3, 3}) {
            QTest::keyClick(m_view.get(), Qt::Key_Right);
            QCOMPARE(*told.back(), cloud(expected));
        }
        // Zoomed in, the same point is found at its new place.
        m_view->zoom(0.5);
        m_plot->replot(QCustomPlot::rpImmediateRefresh);
        hover(m_view->pixelOf(cloud(2)));
        QCOMPARE(*told.back(), cloud(2));
        const auto csv = chartCsv(m_view->chart()).split(u'\n');
        QCOMPARE(csv[0], QStringLiteral("Row,Price (USD),Throughput (tok/s),Kept"));
        QCOMPARE(csv[3], QStringLiteral("2,3,20,0"));
        QCOMPARE(csv.size(), 6); // the point without a price has no row
    }

    void manyPointsAreDrawnWhereTheyLie() {
        std::vector<double> x, y;
        for (int i = 0; i < 40000; ++i) { // the left half, and one lonely point
            x.push_back(1 + i % 200 / 200.0);
            y.push_back(1 + i / 200 / 200.0);
        }
        x.push_back(2.87);
        y.push_back(1.93);
        auto chart = samples::cloudOf(x, y);
        chart.cloud->kept.assign(x.size(), 1);
        show(chart);
        const auto colorAt = [&](int index) {
            const auto image = m_plot->toPixmap(m_plot->width(), m_plot->height()).toImage();
            return image.pixelColor(inPlot(m_view->pixelOf({0, index, ChartPoint::Kind::Cloud})));
        };
        const auto ground = Theme::instance().color(ColorRole::Surface);
        QVERIFY(colorAt(20100) != ground);
        QVERIFY(colorAt(40000) != ground);
        chart.cloud->kept.assign(x.size(), 0);
        m_view->setChart(chart, true);
        m_plot->replot(QCustomPlot::rpImmediateRefresh);
        QCOMPARE(colorAt(40000), Theme::instance().color(ColorRole::Track));
    }
};

WIDGET_TEST(PlotInputTest)
#include "plot_input_test.moc"
