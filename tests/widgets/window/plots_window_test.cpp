// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of a study in the program's window: added, walked through with the mouse, scrubbed, and how far their
// values may lie off.
#include "study_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/parallel_view.h"
#include "widgets/explore/plot_controls.h"
#include "widgets/explore/plot_options.h"
#include "widgets/explore/scrub_panel.h"
#include "widgets/explore/scrub_slider.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/explore/tornado_tile.h"
#include "widgets/timeline/timeline_view.h"

#include <QCheckBox>
#include <QComboBox>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

/// How many pixels of a picture have a colour.
int coloured(QWidget* widget, const QColor& colour) {
    QCoreApplication::processEvents(); // plots are drawn when the event loop has time
    const auto picture = widget->grab().toImage();
    int count = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) {
            const auto pixel = picture.pixelColor(x, y);
            count += std::abs(pixel.red() - colour.red()) + std::abs(pixel.green() - colour.green()) +
                         std::abs(pixel.blue() - colour.blue()) <
                     60; // antialiased
        }
    return count;
}

} // namespace

class PlotsWindowTest : public StudyFixture {
    Q_OBJECT

    PlotView* view() const { return m_test->view(0); }
    QPointF pixel(int line, int index) const { return view()->pixelOf({line, index}); }
    /// The empty ground of a plot beside its curves, within it.
    QPointF middle() const { return QPointF(view()->rect().center()); }
    QWidget* plotOf(const PlotView* view) const { return view->childAt(view->rect().center()); }
    /// The menu of a plot under the right button.
    void chooseInPlot(const char* entry) {
        const auto [plot, at] = StudyWindow::placeAt(view(), middle());
        Hand{.button = Qt::RightButton}.click(plot, at);
        auto* menu = openMenu();
        QVERIFY(menu);
        choose(menu, QLatin1String(entry));
    }
    /// Ticks or clears an option of a tile.
    void tick(StudyTile* tile, const char* option) {
        click(tile->findChild<QToolButton*>(QStringLiteral("plotOptions")));
        auto* options = tile->findChild<PlotOptions*>();
        QTRY_VERIFY(options->isVisible());
        auto* box = options->findChild<QCheckBox*>(QLatin1String(option));
        QVERIFY(box->isVisible());
        Hand().click(box, QPoint(9, box->height() / 2));
        QTest::keyClick(options, Qt::Key_Escape);
        QTRY_VERIFY(!options->isVisible());
    }
    /// Chooses an entry of one of a tile's lists with the keyboard.
    static void chooseIn(StudyTile* tile, const char* list, const QVariant& entry) {
        auto* combo = tile->findChild<QComboBox*>(QLatin1String(list));
        const int wanted = combo->findData(entry);
        QVERIFY(wanted >= 0 && combo->isVisible());
        combo->setFocus();
        for (int i = 0; i < combo->count() && combo->currentIndex() != wanted; ++i)
            QTest::keyClick(combo, combo->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
        QCOMPARE(combo->currentIndex(), wanted);
    }

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
        QColor colour;
        const auto& chart = tile->view()->chart();
        switch (tile->plot().kind) {
        case engine::PlotKind::Parallel:
            drawn = child<ParallelView>(tile);
            QVERIFY(child<ParallelView>(tile)->picture().axes.size() >= 3);
            break;
        case engine::PlotKind::Timeline:
            drawn = tile->timeline();
            QTRY_VERIFY(!tile->timeline()->tracks().empty());
            break;
        case engine::PlotKind::Scatter:
            QVERIFY(chart.cloud && chart.cloud->points->x.size() == 56);
            colour = chart.cloud->groups.front().color.resolve(false);
            break;
        case engine::PlotKind::Roofline:
            QVERIFY(!chart.marks.empty() && chart.x.log && chart.y.log);
            colour = chart.marks.front().color.resolve(false);
            break;
        case engine::PlotKind::HeatMap:
            QVERIFY(chart.heatMap && chart.heatMap->z.size() == 8);
            break;
        case engine::PlotKind::Bars:
        case engine::PlotKind::Breakdown:
            QVERIFY(chart.bars && !chart.bars->series.empty());
            colour = chart.bars->series.front().color.resolve(false);
            break;
        case engine::PlotKind::Lines:
            QCOMPARE(chart.lines.size(), std::size_t{8});
            colour = chart.lines.front().color.resolve(false);
            break;
        }
        if (tile->plot().kind != engine::PlotKind::Parallel &&
            tile->plot().kind != engine::PlotKind::Timeline)
            QVERIFY(chart.hasData());
        QVERIFY(isReached(drawn, drawn->rect().center()));
        QTRY_VERIFY(isDrawn(drawn));
        if (colour.isValid())
            QTRY_VERIFY(coloured(drawn, colour) > 20);
        QVERIFY(!words(tile).isEmpty()); // its title
        click(tile->findChild<QToolButton*>(QStringLiteral("closeTile")));
        QCOMPARE(m_test->board()->plots().size(), std::size_t{2});
    }

    void wheelDragAndBoxMoveThroughAPlotAndItsButtonShowsAll() {
        const auto plot = plotOf(view());
        const auto within = [&](QPointF at) { return plot->mapFrom(view(), at.toPoint()); };
        const auto first = pixel(0, 1), last = pixel(0, 5);
        // The wheel: the points part, and what is under the pointer stays.
        wheel(plot, within(first), 2);
        QTRY_VERIFY(pixel(0, 5).x() - pixel(0, 1).x() > 1.1 * (last.x() - first.x()));
        QVERIFY(std::fabs(pixel(0, 1).x() - first.x()) < 1.5);
        // A drag takes them along.
        const auto before = pixel(0, 1);
        Hand().drag(plot, within(middle()), within(middle() + QPointF(40, -15)));
        QVERIFY(std::fabs(pixel(0, 1).x() - before.x() - 40) < 2);
        auto* fit = [this]() -> QToolButton* {
            for (auto* button : m_test->tile(0)->findChildren<QToolButton*>())
                if (button->accessibleName() == QStringLiteral("Show all data (Home)"))
                    return button;
            return nullptr;
        }();
        QVERIFY(fit);
        click(fit);
        QTRY_VERIFY((pixel(0, 1) - first).manhattanLength() < 1);
        // A box with the right button fills the plot.
        const QRectF box(first - QPointF(4, 30), last + QPointF(4, 30));
        Hand{.button = Qt::RightButton}.drag(plot, within(box.topLeft()), within(box.bottomRight()));
        QVERIFY(!openMenu());
        QVERIFY(pixel(0, 5).x() - pixel(0, 1).x() > 1.1 * (last.x() - first.x()));
        QVERIFY(pixel(0, 6).x() > view()->width() - 40); // outside of the box
        QTest::keyClick(view(), Qt::Key_Home);
        QTRY_VERIFY((pixel(0, 5) - last).manhattanLength() < 1);
    }

    void theMenuOfAPlotMakesItLogarithmicAndReadsOutAtTheCrosshair() {
        const auto line = m_test->chart(0).lines[0]; // what is drawn anew is another
        const auto ratio = [&] {                     // of two steps that are alike on a logarithmic axis only
            return (pixel(0, 3).x() - pixel(0, 1).x()) / (pixel(0, 1).x() - pixel(0, 0).x());
        };
        QCOMPARE(line.x[0] * 2, line.x[1]);
        QCOMPARE(line.x[1] * 2, line.x[3]);
        QVERIFY(std::fabs(ratio() - 2) < 0.05);
        chooseInPlot("Logarithmic x");
        QTRY_VERIFY(std::fabs(ratio() - 1) < 0.05);
        QVERIFY(view()->isLog(PlotView::Axis::X));
        chooseInPlot("Logarithmic x");
        QTRY_VERIFY(std::fabs(ratio() - 2) < 0.05);

        QVERIFY(!view()->marks().crosshair());
        chooseInPlot("Crosshair");
        StudyWindow::hoverPoint(view(), {0, 3});
        const auto cross = view()->marks().crosshair();
        QVERIFY(cross);
        QVERIFY(std::fabs(cross->x.toDouble() - line.x[3]) < 0.05);
        const auto unit = QStringLiteral("\u2009tok/s");
        QVERIFY2(cross->y.endsWith(unit), qPrintable(cross->y));
        const double read = cross->y.chopped(unit.size()).remove(u',').toDouble();
        QVERIFY2(std::fabs(read / line.y[3] - 1) < 0.05, qPrintable(cross->y));
        QVERIFY(view()->readOut().isPresented()); // and the curves there
        QVERIFY(view()->readOut().rows().size() >= 8);
        chooseInPlot("Crosshair");
        StudyWindow::hoverPoint(view(), {0, 4});
        QVERIFY(!view()->marks().crosshair());
    }

    void aNameOfTheLegendHidesItsCurve() {
        const auto boxes = view()->legendBoxes();
        QCOMPARE(boxes.size(), std::size_t{8});
        std::size_t most = 0; // the curve that the others hide least
        int before = 0;
        for (std::size_t i = 0; i < 8; ++i)
            if (const int seen = coloured(view(), m_test->chart(0).lines[i].color.resolve(false));
                seen > before) {
                before = seen;
                most = i;
            }
        QVERIFY2(before > 40, qPrintable(QString::number(before)));
        const auto line = m_test->chart(0).lines[most];
        const auto colour = line.color.resolve(false);
        const auto entry = std::find_if(boxes.begin(), boxes.end(),
                                        [&](const LegendBox& box) { return box.name == line.name; });
        QVERIFY(entry != boxes.end());
        const auto name = entry->name;
        const auto [plot, at] = StudyWindow::placeAt(view(), entry->box.center());
        Hand().click(plot, at);
        QVERIFY(m_test->chart(0).isHidden(name));
        // Its own pixels go; what is left is of others that are nearly as coloured.
        QTRY_VERIFY2(coloured(view(), colour) < before - 20,
                     qPrintable(QStringLiteral("%1 of %2").arg(coloured(view(), colour)).arg(before)));
        Hand().click(plot, at);
        QVERIFY(!m_test->chart(0).isHidden(name));
        QTRY_COMPARE(coloured(view(), colour), before);
    }

    void contoursAndTheParetoFrontAreDrawn() {
        auto* map = m_test->tile(0);
        chooseIn(map, "kind", static_cast<int>(engine::PlotKind::HeatMap));
        QCOMPARE(map->plot().kind, engine::PlotKind::HeatMap);
        QVERIFY(map->view()->chart().heatMap->contours.empty());
        QCoreApplication::processEvents();
        const auto before = map->view()->grab().toImage();
        tick(map, "contours");
        const auto& contours = map->view()->chart().heatMap->contours;
        QVERIFY(contours.size() >= 2);
        QTRY_VERIFY(map->view()->grab().toImage() != before);
        const auto range = map->view()->chart().heatMap->scale();
        for (const auto& contour : contours)
            QVERIFY(contour.level > range.lower && contour.level < range.upper && contour.points.size() > 1);

        auto* scatter = m_test->addPlot("Scatter");
        QVERIFY(scatter);
        click(scatter->findChild<QToolButton*>(QStringLiteral("maximise")));
        QTRY_VERIFY(scatter->view()->width() > 800);
        chooseIn(scatter, "upwards", QStringLiteral("price_usd"));
        const auto& cloud = *scatter->view()->chart().cloud;
        const auto metrics = scatter->plot().metrics;
        QCOMPARE(metrics, (std::vector<std::string>{"throughput_tok_s", "price_usd"}));
        // The front holds exactly what no other point beats in both.
        const auto better = [&](std::size_t which, std::size_t a, std::size_t b) {
            const int sign = static_cast<int>(engine::findMetric(metrics[which])->better);
            const auto* column = m_test->points().find(metrics[which]);
            return sign * (column->at(a) - column->at(b));
        };
        std::vector<std::size_t> front;
        for (std::size_t row = 0; row < 56; ++row) {
            bool beaten = false;
            for (std::size_t other = 0; other < 56; ++other) {
                const double first = better(0, other, row), second = better(1, other, row);
                beaten |= first >= 0 && second >= 0 && (first > 0 || second > 0 || other < row);
            }
            if (!beaten)
                front.push_back(row);
        }
        QVERIFY(front.size() > 3);
        auto shown = cloud.front;
        std::sort(shown.begin(), shown.end());
        QCOMPARE(shown, front);
        QVERIFY(cloud.frontLabel.contains(QString::number(front.size())));
        QCoreApplication::processEvents();
        const auto ringed = scatter->view()->grab().toImage();
        tick(scatter, "pareto");
        QVERIFY(scatter->view()->chart().cloud->front.empty());
        QTRY_VERIFY(scatter->view()->grab().toImage() != ringed);
    }

    void aSliderIsDraggedAndTheLinesFollow() {
        click(m_test->named<QPushButton>("addParameter"));
        auto* picker = m_test->explore().findChild<ScrubPanel*>()->findChild<AxisPicker*>();
        QTRY_VERIFY(picker->isVisible());
        QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("workload.output_tokens"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        auto* panel = m_test->explore().findChild<ScrubPanel*>();
        QTRY_COMPARE(panel->sliders().size(), std::size_t{3});
        auto* scrub = panel->sliders().back();
        QCOMPARE(scrub->path(), std::string("workload.output_tokens"));
        QTRY_VERIFY(words(scrub).contains(QStringLiteral("utput")));

        auto* slider = scrub->slider();
        const auto stored = m_test->chart(0).lines[0].y;
        QStyleOptionSlider option;
        option.initFrom(slider);
        option.orientation = Qt::Horizontal;
        option.minimum = slider->minimum();
        option.maximum = slider->maximum();
        option.sliderPosition = option.sliderValue = slider->value();
        option.state |= QStyle::State_Horizontal;
        const auto handle = slider->style()
                                ->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider)
                                .center();
        const auto text = scrub->field()->text();
        const auto scrubbed = [this] {
            return words(m_test->tile(0)).contains(QStringLiteral("scrubbed, not stored"));
        };
        QVERIFY(!scrubbed());
        Hand().press(slider, handle);
        std::vector<std::vector<double>> seen{stored};
        for (const int step : {12, 24, 36}) { // the button is still down: live
            QTest::mouseMove(m_test->window->windowHandle(),
                             slider->mapTo(m_test->window.get(), handle + QPoint(step, 0)));
            QTRY_VERIFY(scrubbed() && !panel->isBusy() && m_test->chart(0).lines[0].y != seen.back());
            seen.push_back(m_test->chart(0).lines[0].y);
        }
        Hand().release(slider, handle + QPoint(36, 0));
        QVERIFY(scrub->field()->text() != text);
        QVERIFY(scrubbed());
        QCOMPARE(m_test->store().pointCount(), std::size_t{56}); // not stored
        click(m_test->named<QPushButton>("resetScrub"));
        QVERIFY(!scrubbed());
        QCOMPARE(m_test->chart(0).lines[0].y, stored);
        QCOMPARE(scrub->field()->text(), text);
    }

    void theTornadoIsOpenedFromTheMenuWithSortedBars() {
        click(m_test->named<QPushButton>("addPlot"));
        QVERIFY(openMenu());
        choose(openMenu(), QStringLiteral("Sensitivity"));
        auto* tile = m_test->explore().findChild<TornadoTile*>();
        QVERIFY(tile);
        QTRY_VERIFY(!tile->isBusy() && tile->chart()->picture().bars() > 3);
        auto* chart = tile->chart();
        QTRY_VERIFY(isReached(chart, chart->rect().center()));
        const auto layout = chart->tornadoLayout();
        QVERIFY(layout.count > 3);
        double widest = 1e300;
        for (std::size_t bar = 0; bar < layout.count; ++bar) {
            QVERIFY(layout.barRect(bar).width() <= widest + 1e-9);
            widest = layout.barRect(bar).width();
            // The swing that the bar stands for, at the base's two sides or one.
            const auto& swing = chart->picture().tornado.swings[bar];
            const double low = std::min({swing.atLow, swing.atHigh, chart->picture().tornado.base});
            QVERIFY(layout.barRect(bar).left() >= layout.x(low) - 1);
        }
        const auto picture = chart->grab().toImage();
        const auto middle = layout.barRect(0).center().toPoint();
        QVERIFY(picture.pixelColor(middle + QPoint(static_cast<int>(layout.barRect(0).width() / 4), 0)) !=
                Theme::instance().color(ColorRole::Surface));
        Hand::moveTo(chart, middle);
        QTRY_VERIFY(chart->readOut().isPresented());
        QCOMPARE(chart->readOut().heading(),
                 QString::fromStdString(chart->picture().tornado.swings[0].input.label));
    }

    void theBandsBoxPaintsABand() {
        auto* tile = m_test->tile(0);
        QVERIFY(tile->view()->chart().lines[0].low.empty());
        QCoreApplication::processEvents();
        const auto before = tile->view()->grab().toImage();
        tick(tile, "bands");
        QTRY_VERIFY(!tile->view()->chart().lines[0].low.empty());
        const auto& line = tile->view()->chart().lines[0];
        QVERIFY(line.low[3] < line.y[3] && line.y[3] < line.high[3]);
        QTRY_VERIFY(tile->view()->grab().toImage() != before);
        StudyWindow::hoverPoint(tile->view(), {0, 3});
        const auto& rows = tile->view()->readOut().rows();
        QVERIFY(!rows.empty());
        QVERIFY2(rows.front().value.contains(QStringLiteral(" to ")), qPrintable(rows.front().value));
        tick(tile, "bands");
        QTRY_VERIFY(tile->view()->chart().lines[0].low.empty());
    }
};

WIDGET_TEST(PlotsWindowTest)
#include "plots_window_test.moc"
