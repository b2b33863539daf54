// SPDX-License-Identifier: GPL-3.0-or-later
// A slider is dragged in the program's window: plots show where one is on axes that are swept and follow what
// is not; the table and the tornado say that they stay.
#include "engine/evaluation/evaluate.h"
#include "engine/units/number_text.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/explore/axis_list.h"
#include "widgets/explore/scrub_panel.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/explore/tornado_tile.h"
#include "widgets/inspector/scrub_slider.h"
#include "widgets/theme/text_label.h"

#include <QPainterPath>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;

class ScrubWindowTest : public StudyFixture {
    Q_OBJECT

    static constexpr const char* kCount = "nodes.fpga.count";
    static constexpr const char* kRatio = "techniques.load_merging.ratio";
    static constexpr const char* kOutput = "workload.output_tokens";

    PlotView* view() const { return m_test->view(0); }
    ScrubPanel* panel() const { return m_test->explore().findChild<ScrubPanel*>(); }
    static QImage pictureOf(PlotView* view) {
        QCoreApplication::processEvents(); // plots are drawn when the event loop has time
        return view->grab().toImage();
    }
    static QPoint handleOf(QSlider* slider) {
        QStyleOptionSlider option;
        option.initFrom(slider);
        option.orientation = Qt::Horizontal;
        option.minimum = slider->minimum();
        option.maximum = slider->maximum();
        option.sliderPosition = option.sliderValue = slider->value();
        option.state |= QStyle::State_Horizontal;
        return slider->style()
            ->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, slider)
            .center();
    }
    /// What stands in the field of a slider.
    static double valueIn(const ScrubSlider* scrub) { return scrub->field()->text().remove(u',').toDouble(); }
    ScrubSlider* addParameter(const char* path) {
        click(m_test->named<QPushButton>("addParameter"));
        auto* picker = panel()->findChild<AxisPicker*>();
        [&] { QTRY_VERIFY(picker->isVisible()); }();
        QTest::keyClicks(QApplication::focusWidget(), QLatin1String(path));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QCoreApplication::processEvents();
        return panel()->sliders().back();
    }
    TornadoTile* addTornado() {
        click(m_test->named<QPushButton>("addPlot"));
        choose(openMenu(), QStringLiteral("Sensitivity"));
        auto* tile = m_test->explore().findChild<TornadoTile*>();
        [&] { QTRY_VERIFY(tile && !tile->isBusy() && tile->chart()->picture().bars() > 3); }();
        m_test->settle();
        return tile;
    }
    /// Where a line goes through the whole height of a plot that was not there before; -1: nowhere.
    static int newLineIn(PlotView* view, const QImage& before) {
        const auto after = pictureOf(view);
        const auto* drawing = view->findChild<QCustomPlot*>();
        const auto axes = drawing->axisRect()->rect().translated(drawing->pos());
        int found = -1, most = axes.height() * 9 / 10;
        for (int x = axes.left(); x <= axes.right(); ++x) {
            int other = 0;
            for (int y = axes.top(); y <= axes.bottom(); ++y)
                other += after.pixel(x, y) != before.pixel(x, y);
            if (other > most) {
                most = other;
                found = x;
            }
        }
        return found;
    }
    /// Whether a label with these words is shown, and wide enough for all of them.
    static bool isSaid(const QWidget* within, const QString& part) {
        for (const auto* label : within->findChildren<TextLabel*>())
            if (label->isVisible() && label->text().contains(part))
                return label->fontMetrics().horizontalAdvance(label->text()) <= label->contentsRect().width();
        return false;
    }
    /// Every cell of the table as it is written.
    QStringList cells() const {
        QStringList all;
        for (int row = 0; row < m_test->rows(); ++row)
            for (int column = 0; column < m_test->table()->model()->columnCount(); ++column)
                all << m_test->cell(row, column);
        return all;
    }
    /// Drags the handle of a slider by so many pixels and waits for what is drawn then.
    void dragSlider(ScrubSlider* scrub, int by) {
        auto* slider = scrub->slider();
        const auto from = handleOf(slider);
        Hand().drag(slider, from, from + QPoint(by, 0));
        QTRY_VERIFY(!panel()->isBusy());
    }
    /// What a plot reads out of a point of its curves: in the row that is named as the curve.
    static double readAt(const PlotView* view, ChartPoint point) {
        StudyWindow::hoverPoint(view, point);
        for (const auto& row : view->readOut().rows())
            if (row.name == view->chart().lines[static_cast<std::size_t>(point.line)].name)
                return row.value.section(QChar(0x2009), 0, 0).remove(u',').toDouble();
        return NAN;
    }

private slots:
    void aSliderOfASweptAxisMarksWhereOneIs() {
        auto* tornado = addTornado();
        auto* count = panel()->sliders().at(0);
        const auto picture = pictureOf(view()), bars = tornado->chart()->grab().toImage();
        const auto table = cells();
        const auto stays = QStringLiteral("the sliders do not move");
        QVERIFY(!words(&m_test->explore()).contains(stays));
        QCOMPARE(newLineIn(view(), picture), -1);
        const auto from = handleOf(count->slider());
        Hand().press(count->slider(), from);
        std::set<double> seen;
        for (const int by : {30, 60, 100}) { // the button is still down: live
            QTest::mouseMove(m_test->window->windowHandle(),
                             count->slider()->mapTo(m_test->window.get(), from + QPoint(by, 0)));
            QTRY_VERIFY(!seen.contains(valueIn(count)));
            seen.insert(valueIn(count));
            // What stands in the field is where the line goes through the axis.
            const auto& xs = view()->chart().lines[0].x;
            const auto place = static_cast<int>(std::ranges::find(xs, valueIn(count)) - xs.begin());
            QVERIFY(place < static_cast<int>(xs.size()));
            QTRY_VERIFY(std::fabs(newLineIn(view(), picture) - view()->pixelOf({0, place}).x()) < 1.5);
        }
        Hand().release(count->slider(), from + QPoint(100, 0));
        QVERIFY(newLineIn(view(), picture) > 0); // it stays when the button is let go
        QTRY_VERIFY(!panel()->isBusy());
        // What does not follow says so, in words that have room.
        QVERIFY2(isSaid(m_test->explore().findChild<PointsTable*>(), stays), qPrintable(m_test->note()));
        QVERIFY2(isSaid(tornado, stays), qPrintable(words(tornado)));
        QCOMPARE(cells(), table);
        Hand::moveTo(m_test->setup(), QPoint(2, 2));
        QVERIFY(tornado->chart()->grab().toImage() == bars);
        click(m_test->named<QPushButton>("resetScrub"));
        QTRY_VERIFY(pictureOf(view()) == picture);
        QVERIFY(!words(&m_test->explore()).contains(stays));

        // The other axis has a curve for each of its values: that one is drawn thicker, and no other.
        auto* ratio = panel()->sliders().at(1);
        dragSlider(ratio, 70);
        const auto& lines = view()->chart().lines;
        const auto line = std::ranges::find_if(
            lines, [&](const auto& one) { return one.name.toDouble() == valueIn(ratio); });
        QVERIFY(line != lines.end());
        QPainterPath curve(view()->pixelOf({static_cast<int>(line - lines.begin()), 0}));
        for (int i = 1; i < static_cast<int>(line->x.size()); ++i)
            curve.lineTo(view()->pixelOf({static_cast<int>(line - lines.begin()), i}));
        QPainterPathStroker beside;
        beside.setWidth(8);
        const auto around = beside.createStroke(curve);
        int changed = 0, away = 0;
        const auto after = pictureOf(view());
        for (int y = 0; y < after.height(); ++y)
            for (int x = 0; x < after.width(); ++x)
                if (after.pixel(x, y) != picture.pixel(x, y))
                    around.contains(QPointF(x + 0.5, y + 0.5)) ? ++changed : ++away;
        QVERIFY2(changed > 100, qPrintable(QString::number(changed)));
        QCOMPARE(away, 0);
    }

    void aSliderOfAParameterMovesCurvesAndTheRestSaysItStays() {
        auto* tornado = addTornado();
        auto* output = addParameter(kOutput);
        QCOMPARE(output->path(), std::string(kOutput));
        const auto stays = QStringLiteral("the sliders do not move");
        const auto table = cells();
        const auto bars = tornado->chart()->grab().toImage();
        const double before = readAt(view(), {1, 2});
        auto* slider = output->slider();
        const auto from = handleOf(slider);
        auto seen = m_test->chart(0).lines[0].y;
        Hand().press(slider, from);
        for (const int by : {14, 27, 40}) { // the button is still down: live
            QTest::mouseMove(window()->windowHandle(), slider->mapTo(window(), from + QPoint(by, 0)));
            QTRY_VERIFY(!panel()->isBusy() && m_test->chart(0).lines[0].y != seen);
            seen = m_test->chart(0).lines[0].y;
        }
        Hand().release(slider, from + QPoint(40, 0));
        QTRY_VERIFY(!panel()->isBusy());
        auto design = m_test->scenario();
        const auto& line = m_test->chart(0).lines[1];
        for (const auto& [path, value] :
             {std::pair(kCount, line.x[2]), {kRatio, line.name.toDouble()}, {kOutput, valueIn(output)}})
            engine::applyEdit(design,
                              engine::setEdit(design, *shippedCatalog(), path, engine::exactText(value)));
        const double expected = engine::evaluate(design).metric(engine::Metric::Throughput);
        QVERIFY(std::fabs(expected / before - 1) > 0.02);
        QTRY_VERIFY(std::fabs(readAt(view(), {1, 2}) / expected - 1) < 0.01);
        QVERIFY2(isSaid(m_test->explore().findChild<PointsTable*>(), stays), qPrintable(m_test->note()));
        QVERIFY2(isSaid(tornado, stays), qPrintable(words(tornado)));
        QCOMPARE(cells(), table);
        Hand::moveTo(m_test->setup(), QPoint(2, 2));
        QVERIFY(tornado->chart()->grab().toImage() == bars);
    }
};

WIDGET_TEST(ScrubWindowTest)
#include "scrub_window_test.moc"
