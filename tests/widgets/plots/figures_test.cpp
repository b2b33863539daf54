// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of chart, drawn and measured. With HETEROSCAPE_GALLERY set to a folder the pictures are kept
// there.
#include "tests/widgets/plots/sample_charts.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/parallel_painter.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/theme.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>

#include <qcustomplot.h>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

struct Sample {
    QString name;
    Chart chart;
};

std::vector<Sample> allSamples() {
    return {{QStringLiteral("bars"), samples::groupedStackedBars()},
            {QStringLiteral("few"), samples::fewGroups()},
            {QStringLiteral("pairs"), samples::pairedBars()},
            {QStringLiteral("heat"), samples::heatMap()},
            {QStringLiteral("axes"), samples::twoAxes()},
            {QStringLiteral("optimum"), samples::optimum()},
            {QStringLiteral("workloads"), samples::workloads()}};
}

void keep(const QByteArray& bytes, const QString& name) {
    const auto folder = qEnvironmentVariable("HETEROSCAPE_GALLERY");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    QFile file(QDir(folder).filePath(name));
    if (file.open(QIODevice::WriteOnly))
        file.write(bytes);
}

void keep(const QImage& image, const QString& name) {
    const auto folder = qEnvironmentVariable("HETEROSCAPE_GALLERY");
    if (folder.isEmpty())
        return;
    QDir().mkpath(folder);
    image.save(QDir(folder).filePath(name));
}

QColor at(const QImage& image, QPointF point) {
    const auto place = point * image.devicePixelRatio();
    return image.pixelColor(static_cast<int>(std::floor(place.x())), static_cast<int>(std::floor(place.y())));
}

bool alike(const QColor& a, const QColor& b, int most) {
    return std::abs(a.red() - b.red()) <= most && std::abs(a.green() - b.green()) <= most &&
           std::abs(a.blue() - b.blue()) <= most;
}

/// How many logical pixels of a part of a picture have this colour, or one no further from it than `most` a
/// channel (smooth edges).
int count(const QImage& image, const QRectF& part, const QColor& color, int most = 0) {
    const double ratio = image.devicePixelRatio();
    int found = 0;
    for (int y = static_cast<int>(part.top() * ratio); y < part.bottom() * ratio; ++y)
        for (int x = static_cast<int>(part.left() * ratio); x < part.right() * ratio; ++x)
            found += image.rect().contains(x, y) && alike(image.pixelColor(x, y), color, most) ? 1 : 0;
    return static_cast<int>(found / (ratio * ratio));
}

/// A plot that is shown, laid out and painted.
struct Shown {
    explicit Shown(const Chart& chart, QSize size = {900, 560}) {
        view.resize(size);
        view.setChart(chart);
        view.show();
        isExposed = QTest::qWaitForWindowExposed(&view);
        plot = view.findChild<QCustomPlot*>();
        plot->replot(QCustomPlot::rpImmediateRefresh);
    }
    QImage image() { return view.grab().toImage(); }
    /// Where data lies, by the axes alone.
    QPointF place(double x, double y, bool right = false) const {
        const auto* axis = right ? plot->yAxis2 : plot->yAxis;
        return QPointF(plot->xAxis->coordToPixel(x), axis->coordToPixel(y)) + plot->pos();
    }
    void hover(QPointF point) {
        const auto local = plot->mapFrom(&view, point.toPoint());
        QTest::mouseMove(plot, local - QPoint(3, 0));
        QTest::mouseMove(plot, local);
    }
    void click(QPointF point) {
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->mapFrom(&view, point.toPoint()));
    }
    PlotView view;
    QCustomPlot* plot = nullptr;
    bool isExposed = false;
};

std::vector<QString> valuesOf(const ReadOut& readOut) {
    std::vector<QString> values;
    for (const auto& row : readOut.rows())
        values.push_back(row.value);
    return values;
}

} // namespace

class FiguresTest : public QObject {
    Q_OBJECT
private slots:
    void cleanup() { Theme::instance().setMode(ThemeMode::Light); }

    void gallery() {
        for (const auto& [name, chart] : allSamples()) {
            for (const double width : {kTwoColumnMm, kOneColumnMm})
                for (const auto& [format, suffix] :
                     {std::pair(ImageFormat::Png, "png"), std::pair(ImageFormat::Svg, "svg"),
                      std::pair(ImageFormat::Pdf, "pdf")}) {
                    const auto bytes = renderChart(chart, format, {.widthMm = width, .dpi = 150});
                    QVERIFY(bytes.size() > 4000);
                    keep(bytes, QStringLiteral("%1_%2mm.%3").arg(name).arg(width).arg(QLatin1String(suffix)));
                }
            for (const auto mode : {ThemeMode::Light, ThemeMode::Dark})
                for (const QSize size : {QSize(900, 560), QSize(480, 320)}) {
                    Theme::instance().setMode(mode);
                    Shown shown(chart, size);
                    const auto end =
                        mode == ThemeMode::Dark ? QStringLiteral("dark") : QStringLiteral("light");
                    const auto image = shown.image();
                    QCOMPARE(at(image, {6, 6}), Theme::instance().color(ColorRole::Surface));
                    keep(image, QStringLiteral("%1_%2_%3.png").arg(name).arg(size.width()).arg(end));
                    shown.hover(shown.plot->axisRect()->center() + QPointF(60, -20));
                    keep(shown.image(),
                         QStringLiteral("%1_%2_%3_hover.png").arg(name).arg(size.width()).arg(end));
                }
            Theme::instance().setMode(ThemeMode::Light);
        }
    }

    void barsStandWhereTheirValuesSay() {
        Shown shown(samples::pairedBars());
        QVERIFY(shown.isExposed);
        const auto image = shown.image();
        const auto& theme = Theme::instance();
        // The second of two bars in a group that takes 80 % of the way from one category to the next.
        for (const double y : {0.2, 0.7, 1.55})
            QCOMPARE(at(image, shown.place(0.2, y)), theme.series(0));
        QCOMPARE(at(image, shown.place(0.2, 1.62)), theme.color(ColorRole::Surface));
        QCOMPARE(at(image, shown.place(0.45, 0.7)), theme.color(ColorRole::Surface));
        const auto tinted = at(image, shown.place(-0.2, 0.7));
        QVERIFY(tinted != theme.color(ColorRole::Baseline) && tinted != theme.color(ColorRole::Surface));
        // Where the paper has no value: hatched, low, and no bar.
        const auto foot = shown.place(3.8, 0);
        const QRectF hatch(foot.x() - 20, foot.y() - 8, 40, 7);
        QVERIFY(count(image, hatch, theme.color(ColorRole::Sunken)) > 60);
        QVERIFY(count(image, hatch, theme.color(ColorRole::Sunken)) < 250);
        QCOMPARE(at(image, shown.place(3.8, 0.65)), theme.color(ColorRole::Surface));
    }

    void stackedPiecesAddUp() {
        auto chart = samples::groupedStackedBars();
        for (auto& series : chart.bars->series)
            series.fill = ChartFill::Solid;
        const auto attention = chart.barPieces(0), ffn = chart.barPieces(1);
        QCOMPARE(ffn[1].from, attention[1].to);
        QCOMPARE(ffn[1].to, 302.0 / 4 + 1409.0 / 4);
        QVERIFY(std::isnan(chart.barPieces(2)[2].to)); // not on eight devices
        Shown shown(chart, {1200, 600});
        const auto image = shown.image();
        const double x = 1 - 0.4 + 0.08; // the first of five bars of the second model
        QCOMPARE(at(image, shown.place(x, 40)), Theme::instance().series(0));
        QCOMPARE(at(image, shown.place(x, 400)), Theme::instance().series(4));
        QCOMPARE(at(image, shown.place(x, 440)), Theme::instance().color(ColorRole::Surface));
    }

    void cellsHaveTheColoursOfTheirValues_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void cellsHaveTheColoursOfTheirValues() {
        QFETCH(bool, dark);
        Theme::instance().setMode(dark ? ThemeMode::Dark : ThemeMode::Light);
        const auto chart = samples::heatMap();
        Shown shown(chart);
        const auto image = shown.image();
        const auto& z = chart.heatMap->z;
        const double low = z[6][0], high = z[2][4]; // by the formula of the sample
        for (const auto& [row, column] :
             {std::pair(6, 0), std::pair(2, 4), std::pair(0, 8), std::pair(4, 3)}) {
            const auto expected = Theme::instance().heat(
                (z[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)] - low) / (high - low));
            QCOMPARE(at(image, shown.place(column - 0.3, row - 0.25)), expected);
        }
        // Not available: hatched, in no colour of the scale.
        const QRectF hatched(shown.place(7.55, 6.45), shown.place(8.45, 6.2));
        const int ground = count(image, hatched, Theme::instance().color(ColorRole::Sunken));
        const double all = hatched.width() * hatched.height();
        QVERIFY2(ground > 0.3 * all && ground < 0.95 * all,
                 qPrintable(QStringLiteral("%1 of %2").arg(ground).arg(all)));
        // The best cell is ringed.
        const auto corner = shown.place(3.5, 1.5);
        QVERIFY(count(image, QRectF(corner.x(), corner.y() - 6, 40, 8), Theme::instance().series(1)) > 40);
    }

    void aMapOfAMillionCellsHasThemToo() {
        Theme::instance().setMode(ThemeMode::Light);
        constexpr std::size_t kSide = 1000;
        Chart chart;
        chart.heatMap = ChartHeatMap{};
        auto& map = *chart.heatMap;
        for (std::size_t i = 0; i < kSide; ++i) {
            map.x.push_back(static_cast<double>(i));
            map.y.push_back(static_cast<double>(i));
            map.z.emplace_back(kSide, i < 500 ? 0.0 : 1.0);
            std::fill(map.z.back().begin() + 900, map.z.back().end(), samples::kNone);
        }
        Shown shown(chart);
        const auto image = shown.image();
        QCOMPARE(at(image, shown.place(300, 250)), Theme::instance().heat(0));
        QCOMPARE(at(image, shown.place(300, 750)), Theme::instance().heat(1));
        QCOMPARE(at(image, shown.place(950, 750)), Theme::instance().color(ColorRole::Sunken));
    }

    void theBestOfManySmallCellsHasItsStarAlone() {
        constexpr std::size_t kColumns = 50, kRows = 160, kBest = 20;
        Chart chart;
        chart.heatMap = ChartHeatMap{};
        auto& map = *chart.heatMap;
        for (std::size_t i = 0; i < kColumns; ++i)
            map.x.push_back(static_cast<double>(i));
        for (std::size_t i = 0; i < kRows; ++i) {
            map.y.push_back(static_cast<double>(i));
            map.z.emplace_back(kColumns, 1.0);
        }
        map.z[kBest][kBest] = 2.0;
        map.better = 1;
        Shown shown(chart);
        const auto image = shown.image();
        const auto corner = shown.place(kBest + 0.5, kBest + 0.5); // on which the star sits
        const auto cell = shown.place(kBest + 1.5, kBest - 0.5) - corner;
        QVERIFY(cell.x() > 8 && cell.y() > 1 && cell.y() < 6);
        QCOMPARE(at(image, corner), Theme::instance().series(1));
        // At its other end, where a frame would go, is what is everywhere.
        const auto around = at(image, shown.place(40, 120));
        QCOMPARE(at(image, corner + QPointF(-cell.x() - 1.3, cell.y() / 2)), around);
    }

    void theRightAxisIsItsOwn() {
        const auto chart = samples::twoAxes();
        Shown shown(chart);
        const auto image = shown.image();
        const auto color = Theme::instance().series(3);
        const auto marker = shown.place(32, 59, true);
        QCOMPARE(shown.view.pixelOf({3, 4}), marker);
        QVERIFY(std::abs(marker.y() - shown.place(32, 1.38).y()) >
                30); // not where the left axis would have it
        QCOMPARE(at(image, marker), color);
        // Half way between two points of a curve over two log axes lies their geometric mean.
        const auto half = shown.place(std::sqrt(8.0 * 16), std::sqrt(26.0 * 38), true);
        QVERIFY(count(image, QRectF(half - QPointF(9, 7), QSizeF(18, 14)), color) > 2);
        QVERIFY(shown.plot->yAxis2->visible());
        shown.hover(shown.place(8, 0.5));
        const auto values = valuesOf(shown.view.readOut());
        QCOMPARE(values.front(), QStringLiteral("1.31\u2009×"));
        QCOMPARE(values[3], QStringLiteral("26\u2009µs"));
    }

    void theOptimumIsCarriedOver() {
        const auto chart = samples::optimum();
        Shown shown(chart);
        const auto image = shown.image();
        const auto color = Theme::instance().series(1);
        const auto from = shown.place(8, 11.8), star = shown.place(104, 14.8);
        QCOMPARE(at(image, star), color);
        QCOMPARE(at(image, from), Theme::instance().color(ColorRole::Surface)); // a ring
        const int dots = count(image, QRectF(from.x() + 20, from.y() - 2, 100, 4), color, 60);
        QVERIFY2(dots > 20 && dots < 320, qPrintable(QString::number(dots))); // dotted
        QVERIFY(count(image, QRectF(star.x() - 2, star.y() + 20, 4, 20), color, 60) > 15);
        const QRectF beside(star.x() - 90, star.y(), 180, from.y() - star.y());
        QVERIFY(count(image, beside, Theme::instance().color(ColorRole::HotSoft)) > 200);
    }

    void referencesLieAtTheirValues() {
        Shown shown(samples::pairedBars());
        const auto image = shown.image();
        const auto line = shown.place(0.5, 1);
        const QRectF between(line.x() - 8, line.y() - 2, 16, 4);
        QVERIFY(count(image, between, Theme::instance().color(ColorRole::Text2)) > 5);
        auto far = samples::pairedBars();
        far.references.front().at = 40; // what is named is shown
        QVERIFY(far.yRange().upper > 40);
        QCOMPARE(far.yRange().lower, 0.0);
    }

    void exportsKeepTextAndTheLightPalette() {
        const auto svgOf = [](const Chart& chart) {
            return QString::fromUtf8(renderChart(chart, ImageFormat::Svg, {.widthMm = kTwoColumnMm}));
        };
        const auto contains = [](const QString& svg, const QStringList& words) {
            for (const auto& word : words)
                if (!svg.contains(u'>' + word + u'<') && !svg.contains(u'>' + word + QStringLiteral(" <")))
                    return QStringLiteral("no text \"%1\"").arg(word);
            return QString();
        };
        const auto bars = svgOf(samples::groupedStackedBars());
        QCOMPARE(contains(bars, {QStringLiteral("Llama3.1-405B"), QStringLiteral("H100 50\u2009MB"),
                                 QStringLiteral("Ascend 910B 192\u2009MB"), QStringLiteral("N/A"),
                                 QStringLiteral("FFN"),
                                 QStringLiteral("Devices, from the left: 4, 8, 16, 32, 64")}),
                 QString());
        const auto heat = svgOf(samples::heatMap());
        QCOMPARE(contains(heat, {QStringLiteral("32,768"), QStringLiteral("1.62"), QStringLiteral("N/A"),
                                 QStringLiteral("Speed-up (×)"), QStringLiteral("Batch (requests)")}),
                 QString());
        QCOMPARE(contains(svgOf(samples::twoAxes()),
                          {QStringLiteral("Allreduce (right)"), QStringLiteral("Latency per layer (µs)")}),
                 QString());
        QCOMPARE(contains(svgOf(samples::optimum()),
                          {QStringLiteral("+25\u2009%"), QStringLiteral("104\u2009MB, 14.8")}),
                 QString());
        for (const auto& [name, chart] : allSamples()) {
            const auto light = renderChart(chart, ImageFormat::Png, {});
            Theme::instance().setMode(ThemeMode::Dark);
            QVERIFY2(renderChart(chart, ImageFormat::Png, {}) == light, qPrintable(name));
            Theme::instance().setMode(ThemeMode::Light);
        }
    }

    void csvIsExactForEveryKind() {
        auto chart = samples::groupedStackedBars();
        auto lines = chartCsv(chart).split(u'\n');
        QVERIFY(lines[0].startsWith(
            QStringLiteral("Model,\"Weights per layer and device (MB), Attention, Devices 4\",")));
        QCOMPARE(
            lines[2],
            QStringLiteral(
                "Llama3-70B,75.5,352.25,37.75,176.125,18.875,88.0625,9.4375,44.03125,4.71875,22.015625,"
                "427.75,213.875,106.9375,53.46875,26.734375,50,192")); // five together, two reference lines
        QCOMPARE(lines[3],
                 QStringLiteral(
                     "Llama3.1-405B,,,,,75.5,307,37.75,153.5,18.875,76.75,,,382.5,191.25,95.625,50,192"));
        QCOMPARE(lines[13], QString()); // one table
        QCOMPARE(lines.size(), 14);

        chart = samples::heatMap();
        chart.heatMap->z[0][1] = 1.0 / 3;
        lines = chartCsv(chart).split(u'\n');
        QCOMPARE(lines[0],
                 QStringLiteral("Batch (requests),Context (tokens),Speed-up (×),Not available because"));
        QCOMPARE(lines[2], QStringLiteral("2,512,0.3333333333333333,"));
        QCOMPARE(lines[63],
                 QStringLiteral(
                     "256,32768,,The KV cache needs more memory than the 64\u2009GB that a device has"));

        lines = chartCsv(samples::twoAxes()).split(u'\n');
        QVERIFY(lines[0].contains(QStringLiteral("\"Latency per layer (µs), Allreduce\"")) ||
                lines[0].contains(QStringLiteral("Latency per layer (µs), Allreduce")));
        QCOMPARE(lines[1], QStringLiteral("2,1.05,,,14,410,220"));
        QCOMPARE(chartCsv(samples::workloads()).split(u'\n')[4], QStringLiteral("s12k,,1600,3000,2940,3080"));
    }

    void arrowsWalkThroughCells() {
        Shown shown(samples::heatMap());
        QTest::keyClick(&shown.view, Qt::Key_Right);
        QCOMPARE(shown.view.readOut().heading(),
                 QStringLiteral("Batch 1\u2009requests, Context 512\u2009tokens"));
        QTest::keyClick(&shown.view, Qt::Key_Up);
        QTest::keyClick(&shown.view, Qt::Key_Up);
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(&shown.view, Qt::Key_Right);
        QCOMPARE(shown.view.readOut().rows().at(0).value, QStringLiteral("1.62\u2009×"));
        QCOMPARE(shown.view.readOut().rows().size(), std::size_t{2}); // and that it is the best
        QSignalSpy activated(&shown.view, &PlotView::pointActivated);
        QTest::keyClick(&shown.view, Qt::Key_Return);
        QCOMPARE(activated.at(0).at(0).value<ChartPoint>(), (ChartPoint{2, 4, ChartPoint::Kind::Cell}));
        for (int i = 0; i < 9; ++i) {
            QTest::keyClick(&shown.view, Qt::Key_Right);
            QTest::keyClick(&shown.view, Qt::Key_Up);
        }
        QCOMPARE(shown.view.readOut().rows().at(0).value, QStringLiteral("N/A"));
        QVERIFY(shown.view.accessibleDescription().contains(QStringLiteral("KV cache needs more memory")));
        QCOMPARE(shown.view.accessibleName(), QStringLiteral("Speed-up over batch and context"));
        QTest::keyClick(&shown.view, Qt::Key_Escape);
        QVERIFY(!shown.view.readOut().isPresented());
        QCOMPARE(shown.view.accessibleDescription(),
                 QStringLiteral("Speed-up (×) over Batch (requests) and Context (tokens)"));
    }

    void mouseFindsCells() {
        Shown heat(samples::heatMap());
        QSignalSpy cell(&heat.view, &PlotView::pointClicked);
        heat.click(heat.place(7.2, 6.1));
        QCOMPARE(cell.at(0).at(0).value<ChartPoint>(), (ChartPoint{6, 7, ChartPoint::Kind::Cell}));
        heat.hover(heat.place(3, 3));
        QCOMPARE(heat.view.readOut().heading(),
                 QStringLiteral("Batch 8\u2009requests, Context 4,096\u2009tokens"));
    }

    void mouseFindsBars() {
        Shown bars(samples::groupedStackedBars(), {700, 390});
        QSignalSpy piece(&bars.view, &PlotView::pointClicked);
        bars.click(bars.place(1 - 0.4 + 0.08, 300));
        QCOMPARE(piece.at(0).at(0).value<ChartPoint>(), (ChartPoint{1, 1, ChartPoint::Kind::Bar}));
        bars.hover(bars.place(1 - 0.4 + 0.08, 300));
        QCOMPARE(bars.view.readOut().heading(), QStringLiteral("Llama3-70B, Devices 4"));
        QCOMPARE(valuesOf(bars.view.readOut()),
                 (std::vector<QString>{QStringLiteral("352.25\u2009MB"), QStringLiteral("75.5\u2009MB"),
                                       QStringLiteral("427.75\u2009MB")}));
        bars.hover(bars.place(2 - 0.4 + 0.08, 5));
        QCOMPARE(bars.view.readOut().rows().at(0).value, QStringLiteral("N/A"));
        QTest::keyClick(&bars.view, Qt::Key_Right);
        QTest::keyClick(&bars.view, Qt::Key_Right);
        QCOMPARE(bars.view.readOut().heading(), QStringLiteral("Llama3-8B, Devices 8"));
    }

    void mapsStayWholeAndBarsStayOnTheirGround() {
        Shown heat(samples::heatMap());
        const auto before = heat.plot->xAxis->range();
        heat.view.zoom(0.5);
        QCOMPARE(heat.plot->xAxis->range(), before);
        Shown bars(samples::pairedBars());
        const auto x = bars.plot->xAxis->range(), y = bars.plot->yAxis->range();
        QTest::keyClick(&bars.view, Qt::Key_Plus);
        QVERIFY(bars.plot->xAxis->range().size() < x.size());
        QCOMPARE(bars.plot->yAxis->range(), y);
        QTest::keyClick(&bars.view, Qt::Key_Home);
        QCOMPARE(bars.plot->xAxis->range(), x);
        Shown both(samples::twoAxes());
        const auto right = both.plot->yAxis2->range();
        both.view.zoom(0.5);
        QVERIFY(both.plot->yAxis2->range().size() < right.size());
        both.view.fit();
        QCOMPARE(both.plot->yAxis2->range(), right);
    }

    void aMapOfNothingSaysWhy() {
        auto chart = samples::heatMap();
        chart.heatMap->z.assign(2, {samples::kNone, samples::kNone});
        chart.heatMap->reasonOf = [](engine::Cell cell) {
            return cell == engine::Cell{0, 1} ? QStringLiteral("Too small") : QString();
        };
        QVERIFY(!chart.hasData());
        Shown shown(chart, {380, 300});
        shown.hover(shown.place(1, 0));
        QCOMPARE(shown.view.readOut().rows().at(1).name, QStringLiteral("Too small"));
        chart.heatMap->z.clear();
        shown.view.setChart(chart);
        QTest::keyClick(&shown.view, Qt::Key_Right);
        QVERIFY(!shown.view.readOut().isPresented());
        QVERIFY(!renderChart(chart, ImageFormat::Png, {}).isEmpty());
    }

    void manyLinesAreCounted() {
        LineDensity density(5, 9);
        density.add(2.5, 2.5); // level: every column of row 2
        density.add(0.2, 8.9); // down from corner to corner, steep: every row
        density.add(-3, 100);  // the same, clamped
        for (int y = 0; y < 9; ++y) {
            int inRow = 0;
            for (int x = 0; x < 5; ++x)
                inRow += density.at(x, y);
            QCOMPARE(inRow, y == 2 ? 5 + 2 : 2);
        }
        QCOMPARE(density.at(0, 0), 2);
        QCOMPARE(density.at(4, 8), 2);
        QCOMPARE(density.at(1, 2), 1 + 2);
        // One line a half, two lines three quarters of the colour.
        QColor half(Qt::white);
        half.setAlphaF(0.5F);
        const auto image = density.image(half);
        QCOMPARE(image.size(), QSize(5, 9));
        QCOMPARE(qAlpha(image.pixel(4, 2)), 128);
        QCOMPARE(qAlpha(image.pixel(0, 0)), 191);
        QCOMPARE(qAlpha(image.pixel(4, 0)), 0);
    }
};

WIDGET_TEST(FiguresTest)
#include "figures_test.moc"
