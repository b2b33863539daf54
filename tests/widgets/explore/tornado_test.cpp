// SPDX-License-Identifier: GPL-3.0-or-later
// Which inputs move a metric: the bars of a tornado by hand, and of a point of a study.
#include "engine/evaluation/evaluate.h"
#include "tests/widgets/explore/explore_fixture.h"
#include "tests/widgets/plots/drawn_svg.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/explore/tornado_tile.h"

#include <QImage>
#include <QRegularExpression>
#include <QSignalSpy>

#include <array>
#include <cmath>
#include <set>

class TornadoTest : public ExploreFixture {
    Q_OBJECT

    static int coloured(const QImage& picture, const QRect& within, const QColor& color) {
        int count = 0;
        for (int y = within.top(); y <= within.bottom(); ++y)
            for (int x = within.left(); x <= within.right(); ++x)
                count += picture.pixelColor(x, y) == color;
        return count;
    }
    /// The colours that a PDF fills with, as "r g b" of 0..255.
    static std::set<std::array<int, 3>> fillsOf(const QByteArray& pdf) {
        static constexpr char kPacked[] = "/FlateDecode\n>>\nstream\n";
        std::set<std::array<int, 3>> fills;
        static const QRegularExpression fill(QStringLiteral("([\\d.]+) ([\\d.]+) ([\\d.]+) scn\\b"));
        for (qsizetype at = 0; (at = pdf.indexOf(kPacked, at)) >= 0; ++at) {
            const auto size = std::array<char, 4>{0, 16, 0, 0}; // of what comes out, at a guess
            const auto page =
                qUncompress(QByteArray(size.data(), 4) + pdf.mid(at + qsizetype(sizeof kPacked) - 1));
            auto found = fill.globalMatch(QString::fromLatin1(page));
            while (found.hasNext()) {
                const auto match = found.next();
                std::array<int, 3> rgb{};
                for (int i = 0; i < 3; ++i)
                    rgb[static_cast<std::size_t>(i)] =
                        static_cast<int>(std::lround(match.captured(i + 1).toDouble() * 255));
                fills.insert(rgb);
            }
        }
        return fills;
    }
    /// At both widths the names of all bars and the legend are there, nothing stands beside the page or on
    /// another, and each format has the legend's colours.
    static void checkWritten(const TornadoChart& chart) {
        for (const double width : {kTwoColumnMm, kOneColumnMm}) {
            const DrawnSvg svg(chart.render(ImageFormat::Svg, {.widthMm = width}));
            QVERIFY(svg.isWhole);
            const auto written = svg.words().join(u' '); // a name may stand on two lines
            for (std::size_t bar = 0; bar < chart.picture().bars(); ++bar) {
                const auto& label = chart.picture().tornado.swings[bar].input.label;
                QVERIFY2(written.contains(QString::fromStdString(label)), label.c_str());
            }
            for (const auto* word : {"at low", "at high", "stated", "assumed", "Throughput (tok/s)"})
                QVERIFY2(svg.words().contains(QLatin1String(word)), word);
            const QRectF page(QPointF(), svg.size);
            for (const auto& text : svg.texts) {
                QVERIFY2(page.contains(text.ground.boundingRect()), qPrintable(text.words));
                for (const auto& other : svg.texts)
                    QVERIFY2(&other == &text || text.ground.intersected(other.ground).isEmpty() ||
                                 text.words == other.words,
                             qPrintable(text.words + u'|' + other.words));
            }
            // Under all bars there are the legend's colours alone.
            const auto picture = QImage::fromData(chart.render(ImageFormat::Png, {.widthMm = width}));
            const auto legend = svg.texts[static_cast<std::size_t>(svg.words().indexOf(u"at low"))].ground;
            const double scale = picture.width() / svg.size.width();
            const int top = static_cast<int>(legend.boundingRect().top() * scale);
            const QRect below(0, top, picture.width(), picture.height() - top);
            const auto fills = fillsOf(chart.render(ImageFormat::Pdf, {.widthMm = width}));
            for (const int series : {0, 1}) {
                const auto color = Theme::lightSeries(series);
                const int seen = coloured(picture, below, color);
                QVERIFY2(seen > 40 * scale && seen < 90 * scale * scale, qPrintable(QString::number(seen)));
                QVERIFY(fills.contains({color.red(), color.green(), color.blue()}));
            }
        }
    }

private slots:
    void aTornadoByHand() {
        m_explore.reset(); // it would lie under the mouse
        TornadoPicture picture;
        picture.metric = QStringLiteral("Throughput");
        picture.unit = QStringLiteral("tok/s");
        picture.tornado.base = 100;
        engine::UncertainInput wide{"a.wide", "Wide", "GB/s", 10, 9, 11, false, engine::Provenance::Paper};
        engine::UncertainInput slim{"a.slim", "Slim", "", 2, 1.5, 2.5, true, engine::Provenance::Calibrated};
        picture.tornado.swings = {{wide, 80, 120}, {slim, 110, 95}};
        TornadoChart chart;
        chart.setPicture(picture);
        expose(chart, {600, 300});
        const auto layout = chart.tornadoLayout();
        const auto first = layout.barRect(0), second = layout.barRect(1);
        // 40 against 15 tok/s, both around 100.
        QVERIFY(std::fabs(second.width() / first.width() - 15.0 / 40) < 1e-9);
        QVERIFY(std::fabs(first.center().x() - layout.x(100)) < 1e-9);
        QTest::mouseMove(&chart, second.center().toPoint());
        QVERIFY(chart.readOut().isPresented());
        QCOMPARE(chart.readOut().heading(), QStringLiteral("Slim"));
        QVERIFY(chart.readOut().rows()[0].value.startsWith(QStringLiteral("110")));
        QVERIFY(chart.readOut().rows()[2].value.startsWith(QStringLiteral("95")));
        QCOMPARE(chart.readOut().rows()[3].name, QStringLiteral("stated"));
        QSignalSpy clicked(&chart, &TornadoChart::nameClicked);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, layout.nameRect(0).center().toPoint());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].toString(), QStringLiteral("a.wide"));
        QVERIFY(chart.csv().contains(QStringLiteral("a.slim,Slim,,2,1.5,2.5,yes,110,100,95")));
        // It is always shown whole, whatever the mouse does.
        const auto away = [&chart] {
            QEvent leave(QEvent::Leave);
            QCoreApplication::sendEvent(&chart, &leave);
        };
        away();
        const auto before = chart.grab().toImage();
        const auto from = first.center().toPoint();
        QTest::mousePress(&chart, Qt::LeftButton, {}, from);
        QTest::mouseMove(&chart, from + QPoint(40, -15));
        QTest::mouseRelease(&chart, Qt::LeftButton, {}, from + QPoint(80, -30));
        wheel(&chart, from, -6);
        QTest::mouseDClick(&chart, Qt::LeftButton, {}, from);
        away();
        QCOMPARE(chart.tornadoLayout().least, layout.least);
        QVERIFY(chart.grab().toImage() == before);
    }

    void aTornadoOfOneShortNameIsWrittenWhole() {
        TornadoPicture picture;
        picture.metric = QStringLiteral("Throughput");
        picture.unit = QStringLiteral("tok/s");
        picture.tornado.base = 100;
        engine::UncertainInput input{"a", "A", "GB/s", 10, 9, 11, false, engine::Provenance::Paper};
        picture.tornado.swings = {{input, 80, 120}};
        TornadoChart chart;
        chart.setPicture(picture);
        checkWritten(chart);
    }

    void aTornadoOfTheChosenPointSweepsByItsNames() {
        runByClick();
        m_explore->selectRow(10);
        auto* tile = board()->addSensitivity();
        QTRY_VERIFY(!tile->isBusy() && tile->chart()->picture().bars() > 3);
        QCoreApplication::processEvents();
        const auto& shown = tile->chart()->picture().tornado;
        const auto* throughput = points().find("throughput_tok_s");
        QVERIFY(std::fabs(shown.base / throughput->at(10) - 1) < 1e-12);
        const auto design = marks()->study()->scenarioOf(10);
        for (std::size_t i = 0; i < 3; ++i) { // each end as the design alone gives it
            auto moved = design;
            const auto resolved = engine::resolveQuantity(moved, shown.swings[i].input.path);
            resolved.access(moved).value = shown.swings[i].input.high * resolved.spec.scale;
            const double value = engine::evaluate(moved).metric(engine::Metric::Throughput);
            QVERIFY(std::fabs(shown.swings[i].atHigh / value - 1) < 1e-12);
        }
        const auto layout = tile->chart()->tornadoLayout();
        for (std::size_t bar = 1; bar < layout.count; ++bar) // the widest first
            QVERIFY(layout.barRect(bar).width() <= layout.barRect(bar - 1).width() + 1e-9);
        const auto name = layout.nameRect(1).center().toPoint();
        const auto path = shown.swings[1].input.path;
        const auto before = setup()->axes();
        const auto sweeps = [&path](const auto& axis) { return axis.path == path; };
        const auto had = std::count_if(before.begin(), before.end(), sweeps);
        QTest::mouseClick(tile->chart(), Qt::LeftButton, {}, name);
        const auto axes = setup()->axes();
        QCOMPARE(std::count_if(axes.begin(), axes.end(), sweeps), qsizetype{1});
        QCOMPARE(axes.size(), before.size() + (had == 0 ? 1 : 0)); // the others stay
        checkWritten(*tile->chart());
        for (const char* file : {"t.png", "t.svg", "t.pdf", "t.csv"})
            QVERIFY2(tile->exportButton()->exportTo(m_folder->filePath(QLatin1String(file))), file);
    }
};

WIDGET_TEST(TornadoTest)
#include "tornado_test.moc"
