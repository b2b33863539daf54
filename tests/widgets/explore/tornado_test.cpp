// SPDX-License-Identifier: GPL-3.0-or-later
// Which inputs move a metric: the bars of a tornado by hand, and of a point of a study.
#include "engine/evaluation/evaluate.h"
#include "tests/widgets/explore/explore_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/explore/tornado_tile.h"

#include <QRegularExpression>
#include <QSignalSpy>

#include <cmath>

class TornadoTest : public ExploreFixture {
    Q_OBJECT

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
    }

    void aTornadosLegendIsWholeInItsExport() {
        TornadoPicture picture;
        picture.metric = QStringLiteral("Throughput");
        picture.unit = QStringLiteral("tok/s");
        picture.tornado.base = 100;
        engine::UncertainInput input{"a", "A", "GB/s", 10, 9, 11, false, engine::Provenance::Paper};
        picture.tornado.swings = {{input, 80, 120}}; // with the shortest of names
        TornadoChart chart;
        chart.setPicture(picture);
        const auto svg = QString::fromUtf8(chart.render(ImageFormat::Svg, {}));
        for (const auto* word : {"at low", "at high", "assumed", "stated"}) {
            const QRegularExpression text(QStringLiteral("<text[^>]* x=\"([-0-9.]+)\"[^>]*>\\s*%1\\s*</text>")
                                              .arg(QLatin1String(word)));
            const auto found = text.match(svg);
            QVERIFY2(found.hasMatch(), word);
            QVERIFY2(found.captured(1).toDouble() >= 0, qPrintable(found.captured(1)));
        }
        for (const int series : {0, 1})
            QVERIFY(svg.contains(Theme::lightSeries(series).name()));
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
        const auto name = tile->chart()->tornadoLayout().nameRect(1).center().toPoint();
        const auto path = shown.swings[1].input.path;
        const auto before = setup()->axes();
        const auto sweeps = [&path](const auto& axis) { return axis.path == path; };
        const auto had = std::count_if(before.begin(), before.end(), sweeps);
        QTest::mouseClick(tile->chart(), Qt::LeftButton, {}, name);
        const auto axes = setup()->axes();
        QCOMPARE(std::count_if(axes.begin(), axes.end(), sweeps), qsizetype{1});
        QCOMPARE(axes.size(), before.size() + (had == 0 ? 1 : 0)); // the others stay
        for (const char* file : {"t.png", "t.svg", "t.pdf", "t.csv"})
            QVERIFY2(tile->exportButton()->exportTo(m_folder->filePath(QLatin1String(file))), file);
    }
};

WIDGET_TEST(TornadoTest)
#include "tornado_test.moc"
