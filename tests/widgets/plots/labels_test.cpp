// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that is written on a plot lies on a line of it: samples of every kind, and the rooflines of the
// designs that ship, in tiles, in the window and in print; and nothing of a near view beside its axes.
#include "engine/claims/claims.h"
#include "engine/evaluation/breakdown.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/plots/drawn_svg.h"
#include "tests/widgets/plots/sample_charts.h"
#include "tests/widgets/widget_test.h"
#include "widgets/plots/axis_scales.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/chart_overlay.h"
#include "widgets/plots/plot_view.h"
#include "widgets/roofline/roofline_chart.h"

#include <QPainter>
#include <QPolygonF>
#include <QSvgRenderer>

#include <qcustomplot.h>

#include <cmath>
#include <numbers>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

QPolygonF outline(const engine::TurnedBox& box) {
    QTransform turn;
    turn.translate(box.x, box.y);
    turn.rotate(box.radians * 180 / std::numbers::pi);
    return turn.map(QPolygonF(QRectF(-box.width / 2, -box.height / 2, box.width, box.height)));
}

bool meets(const QPolygonF& outline, const QLineF& line) {
    if (outline.containsPoint(line.p1(), Qt::OddEvenFill) ||
        outline.containsPoint(line.p2(), Qt::OddEvenFill))
        return true;
    for (qsizetype i = 0; i + 1 < outline.size(); ++i)
        if (line.intersects(QLineF(outline[i], outline[i + 1]), nullptr) == QLineF::BoundedIntersection)
            return true;
    return false;
}

/// A chart as it is drawn at a size.
struct Drawn {
    QCustomPlot plot;
    ChartPainter painter{plot};
    QImage image;

    Drawn(const Chart& chart, QSize size, bool exported, int scale = 1) {
        plot.setAttribute(Qt::WA_DontShowOnScreen);
        plot.resize(size);
        plot.setViewport(QRect(QPoint(), size));
        painter.draw(chart, {.exported = exported});
        painter.fit();
        image = plot.toPixmap(size.width(), size.height(), scale).toImage();
    }
};

} // namespace

class LabelsTest : public QObject {
    Q_OBJECT

    /// How many words the chart has; each on no line and on no other.
    static std::size_t check(const Chart& chart, QSize size, bool exported) {
        const Drawn drawn(chart, size, exported);
        const auto& overlay = drawn.painter.overlay();
        const auto lines = overlay.lines();
        for (const auto& text : overlay.texts()) {
            const auto box = outline(text.box);
            for (const auto& line : lines) {
                const QLineF stretch(line.x1, line.y1, line.x2, line.y2);
                // A leader ends at its own words.
                const bool own = std::hypot(std::clamp(line.x2, text.box.x - text.box.width / 2,
                                                       text.box.x + text.box.width / 2) -
                                                line.x2,
                                            std::clamp(line.y2, text.box.y - text.box.height / 2,
                                                       text.box.y + text.box.height / 2) -
                                                line.y2) < 0.01 &&
                                 !meets(outline({text.box.x, text.box.y, text.box.width - 1,
                                                 text.box.height - 1, text.box.radians}),
                                        stretch);
                if (!own && meets(box, stretch))
                    QTest::qFail(qPrintable(QStringLiteral("\"%1\" lies on a line of %2 at %3 x %4")
                                                .arg(text.text, chart.title)
                                                .arg(size.width())
                                                .arg(size.height())),
                                 __FILE__, __LINE__);
            }
            for (const auto& other : overlay.texts())
                if (&other != &text && !box.intersected(outline(other.box)).isEmpty())
                    QTest::qFail(
                        qPrintable(QStringLiteral("\"%1\" lies on \"%2\"").arg(text.text, other.text)),
                        __FILE__, __LINE__);
        }
        return overlay.texts().size();
    }

    /// The same of a written file, read by itself: but for what names a place of the x axis, over its own way
    /// down.
    static void checkWritten(const Chart& chart, double width) {
        const DrawnSvg svg(renderChart(chart, ImageFormat::Svg, {.widthMm = width}));
        QVERIFY(svg.isWhole);
        std::vector<const DrawnSvg::Line*> curves;
        for (const auto& line : svg.lines)
            for (const auto& one : chart.lines)
                if (line.color == one.color.resolve(true) && (curves.empty() || curves.back() != &line))
                    curves.push_back(&line);
        QVERIFY(curves.size() >= chart.lines.size());
        for (const auto& text : svg.texts)
            for (const auto* curve : curves) {
                const auto& way = curve->points;
                const double middle = text.ground.boundingRect().center().x();
                const bool own =
                    way.size() == 2 && way[0].x() == way[1].x() && std::fabs(way[0].x() - middle) < 1;
                QVERIFY2(own || !DrawnSvg::meet(text, *curve), qPrintable(chart.title + u' ' + text.words));
            }
    }
    static Chart rooflineOf(const std::string& preset) {
        const auto design = engine::loadPreset(*shippedCatalog(), preset, preset);
        const auto rooflines = engine::rooflines(design);
        auto chart = rooflineChart(rooflines, {{}, true, {}, rooflineCeilings(design, rooflines)});
        chart.title = QString::fromStdString(preset);
        return chart;
    }

    /// The plates of words beside a level roof leave its stroke whole, as printed.
    static void checkPlates(const Chart& chart, QSize size) {
        constexpr int kScale = 4;
        const Drawn drawn(chart, size, true, kScale);
        const auto& painter = drawn.painter;
        const auto& image = drawn.image;
        const auto isDrop = [&](double x) { // whose end is a disc of the background
            return std::any_of(chart.drops.begin(), chart.drops.end(), [&](const auto& drop) {
                return std::fabs(painter.pixel(drop.x, drop.y).x() - x) < 8;
            });
        };
        for (const auto& line : chart.lines) {
            const auto last = line.x.size() - 1;
            if (line.dash != ChartDash::Solid || line.y[last] != line.y[last - 1])
                continue;
            const auto from = painter.pixel(line.x[last - 1], line.y[last - 1]);
            const auto color = line.color.resolve(true);
            for (const auto& text : painter.overlay().texts()) {
                const double gap = std::fabs(text.box.y - from.y()) - text.box.height / 2;
                if (text.box.radians != 0 || gap > 3)
                    continue;
                const auto thickness = [&](double x) { // of the stroke there, in pixels
                    int dark = 0;
                    for (int row = static_cast<int>((from.y() - 1.5) * kScale);
                         row <= static_cast<int>((from.y() + 1.5) * kScale); ++row)
                        dark += image.pixelColor(static_cast<int>(x * kScale), row).lightness() <=
                                        color.lightness() + 40
                                    ? 1
                                    : 0;
                    return dark;
                };
                const double left = text.box.x - text.box.width / 2;
                if (left - 8 < from.x() + 8)
                    continue; // nothing of the line lies beside the words
                const int whole = std::min({thickness(left - 3), thickness(left - 5), thickness(left - 8)});
                for (double x = left; x < text.box.x + text.box.width / 2; ++x) {
                    if (!isDrop(x) && thickness(x) + 1 < whole)
                        QTest::qFail(qPrintable(QStringLiteral("\"%1\" cuts a roof of %2 at %3 x %4")
                                                    .arg(text.text, chart.title)
                                                    .arg(size.width())
                                                    .arg(size.height())),
                                     __FILE__, __LINE__);
                }
            }
        }
    }

private slots:
    void samples_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("tile") << QSize(420, 260);
        QTest::newRow("window") << QSize(1100, 640);
        QTest::newRow("one column") << QSize(321, 283);
        QTest::newRow("two columns") << QSize(673, 370);
    }
    void samples() {
        QFETCH(QSize, size);
        std::size_t words = 0;
        for (const auto& chart :
             {samples::twoAxes(), samples::optimum(), samples::workloads(), samples::fewGroups()})
            for (const bool exported : {false, true})
                words += check(chart, size, exported);
        QVERIFY(words >= 8);
    }

    void rooflines_data() { samples_data(); }
    void rooflines() {
        QFETCH(QSize, size);
        for (const auto* preset : {"glitches/a100-7u280", "glitches/8a100", "preserve/llama3-70b-8h100",
                                   "inf2/opt-30b-h100-16csd"}) {
            const auto chart = rooflineOf(preset);
            const auto words = check(chart, size, false);
            QVERIFY2(size.width() < 600 || words >= chart.captions.size() / 2, preset);
        }
    }

    void rooflinesOfAllDesignsInPrint_data() { samples_data(); }
    void rooflinesOfAllDesignsInPrint() {
        QFETCH(QSize, size);
        for (const auto& preset : shippedCatalog()->systems) {
            const auto chart = rooflineOf(preset);
            check(chart, size, true);
            checkPlates(chart, size);
        }
    }

    void whatIsWrittenIsReadClearOfCurves() {
        for (const double width : {kTwoColumnMm, kOneColumnMm}) {
            for (const auto& chart : {samples::twoAxes(), samples::optimum(), samples::workloads()})
                checkWritten(chart, width);
            checkWritten(rooflineOf("glitches/a100-7u280"), width);
        }
        // A word is found where one lies on a line.
        const auto chart = samples::optimum();
        DrawnSvg moved(renderChart(chart, ImageFormat::Svg, {}));
        auto& word =
            moved.texts[static_cast<std::size_t>(moved.words().indexOf(QStringLiteral("104\u2009MB, 14.8")))];
        const auto curve = std::find_if(moved.lines.begin(), moved.lines.end(), [&](const auto& line) {
            return line.color == chart.lines[1].color.resolve(true) && line.points.size() > 8;
        });
        QVERIFY(curve != moved.lines.end() && !DrawnSvg::meet(word, *curve));
        word.ground.translate(curve->points[8] - word.ground.boundingRect().center());
        QVERIFY(DrawnSvg::meet(word, *curve));
    }

    void nothingOfANearViewIsWrittenBesideItsAxes() {
        auto lines = samples::twoAxes();
        for (auto& line : lines.lines) { // with bands
            for (const double y : line.y) {
                line.low.push_back(0.9 * y);
                line.high.push_back(1.1 * y);
            }
        }
        for (const auto& chart :
             {lines, samples::pairedBars(), samples::cloud(), rooflineOf("glitches/a100-7u280")}) {
            PlotView view;
            view.setChart(chart);
            expose(view, {900, 600});
            const auto whole = view.view().x;
            view.zoom(0.5);
            QVERIFY(view.view().x.upper - view.view().x.lower < 0.8 * (whole.upper - whole.lower));
            const auto file = renderChart(zoomedTo(chart, view.view()), ImageFormat::Svg, {});
            const DrawnSvg svg(file);
            // The x axis: the longest of its colour.
            QLineF axis;
            for (const auto& line : svg.lines)
                if (const QLineF way(line.points.first(), line.points.last());
                    line.color == Theme::lightColor(ColorRole::BorderControl) && way.length() > axis.length())
                    axis = way;
            QVERIFY(axis.length() > 100 && axis.dy() == 0);
            QImage picture(svg.size.toSize(), QImage::Format_RGB32);
            picture.fill(Qt::white);
            QPainter painter(&picture);
            QSvgRenderer(file).render(&painter);
            painter.end();
            int within = 0, beside = 0; // pixels that have a colour: axes, grid and their words are grey
            const int half = qRound(axis.y1()) - picture.height() / 2; // a legend may stand above
            for (int y = 0; y < picture.height(); ++y)
                for (int x = 0; x < axis.x2() - 2; ++x)
                    if (picture.pixelColor(x, y).hslSaturation() > 120) {
                        const bool isWithin = x > axis.x1() - 4 && y < axis.y1() + 4;
                        within += isWithin;
                        beside += !isWithin && y > half;
                    }
            QVERIFY2(within > 60, qPrintable(chart.title));
            QVERIFY2(beside == 0, qPrintable(chart.title));
        }
    }

    void aPointOnACrowdedCurveIsNamedAside() {
        Chart chart;
        chart.x.label = QStringLiteral("x");
        chart.y.label = QStringLiteral("y");
        for (int i = 0; i < 30; ++i) // close to each other all over the middle
            chart.lines.push_back({.name = {},
                                   .x = {0, 10},
                                   .y = {10.0 + i * 0.6, 11.0 + i * 0.6},
                                   .color = ChartColor::series(0)});
        chart.y.range = engine::AxisRange{0, 60};
        chart.stars.push_back({QStringLiteral("the best\n12 tok/s"), 5, 19});
        QCOMPARE(check(chart, {700, 400}, false), std::size_t{1});
    }
};

WIDGET_TEST(LabelsTest)
#include "labels_test.moc"
