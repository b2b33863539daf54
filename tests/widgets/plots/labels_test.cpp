// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that is written on a plot lies on a line of it: samples of every kind, and the rooflines of the
// designs that ship, in tiles, in the window and in print.
#include "engine/claims/claims.h"
#include "engine/evaluation/breakdown.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/plots/sample_charts.h"
#include "tests/widgets/widget_test.h"
#include "widgets/plots/chart_overlay.h"
#include "widgets/roofline/roofline_chart.h"

#include <QPolygonF>
#include <QTest>

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
            const auto design = engine::loadPreset(*shippedCatalog(), preset, preset);
            const auto rooflines = engine::rooflines(design);
            const auto chart = rooflineChart(rooflines, {{}, true, {}, rooflineCeilings(design, rooflines)});
            const auto words = check(chart, size, false);
            QVERIFY2(size.width() < 600 || words >= chart.captions.size() / 2, preset);
        }
    }

    void rooflinesOfAllDesignsInPrint_data() { samples_data(); }
    void rooflinesOfAllDesignsInPrint() {
        QFETCH(QSize, size);
        for (const auto& preset : shippedCatalog()->systems) {
            const auto design = engine::loadPreset(*shippedCatalog(), preset, preset);
            const auto rooflines = engine::rooflines(design);
            auto chart = rooflineChart(rooflines, {{}, true, {}, rooflineCeilings(design, rooflines)});
            chart.title = QString::fromStdString(preset);
            check(chart, size, true);
            checkPlates(chart, size);
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
