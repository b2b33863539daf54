// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/exporters/csv.h"
#include "tests/widgets/widget_test.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/chart_legend.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/theme.h"

#include <QFile>
#include <QImage>
#include <QMenu>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <qcustomplot.h>

#include <cmath>
#include <limits>

using namespace heteroscape;
using namespace heteroscape::widgets;

class PlotsTest : public QObject {
    Q_OBJECT

    static Chart sixCurves() {
        const double gap = std::numeric_limits<double>::quiet_NaN();
        Chart chart;
        chart.title = QStringLiteral("Throughput over count");
        chart.x.label = QStringLiteral("Count");
        chart.y.label = QStringLiteral("Throughput (tok/s)");
        chart.legendTitle = QStringLiteral("Ratio");
        for (int i = 0; i < 6; ++i)
            chart.lines.push_back({.name = QString::number(i),
                                   .x = {1, 2, 3},
                                   .y = {1000.5 + i, i == 2 ? gap : 2000.25, 3000},
                                   .color = ChartColor::series(i),
                                   .marker = ChartMarker::Circle});
        return chart;
    }

private slots:
    void cleanup() { Theme::instance().setMode(ThemeMode::Light); }

    void csvIsExactAndGapsAreEmpty() {
        const auto lines = chartCsv(sixCurves()).split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].startsWith(QStringLiteral("Count,\"Throughput (tok/s), 0\"")));
        QCOMPARE(lines[1], QStringLiteral("1,1000.5,1001.5,1002.5,1003.5,1004.5,1005.5"));
        QCOMPARE(lines[2], QStringLiteral("2,2000.25,2000.25,,2000.25,2000.25,2000.25"));
    }

    void aLegendInALowPlotLeavesOutNoNameUnsaid() {
        auto chart = sixCurves();
        for (int i = 6; i < 16; ++i) {
            chart.lines.push_back(chart.lines.front());
            chart.lines.back().name = QString::number(i);
        }
        int inColumns = 0, cut = 0;
        for (const int width : {300, 520, 900})
            for (int height = 90; height < 500; height += 10) {
                const QSize size(width, height);
                const ChartLegend legend(chart, {}, size, false);
                const auto margins = legend.margins();
                const auto axes =
                    QRectF(QPointF(), QSizeF(size)).adjusted(40, margins.top(), -margins.right(), -40);
                const auto boxes = legend.boxes(axes);
                QCOMPARE(boxes.size() + legend.leftOut(), chart.lines.size());
                double right = 0;
                for (const auto& [name, box] : boxes) {
                    QVERIFY2(QRectF(QPointF(), QSizeF(size)).contains(box),
                             qPrintable(QStringLiteral("%1 at %2 x %3").arg(name).arg(width).arg(height)));
                    inColumns +=
                        box.left() > right && right > 0 && legend.place() == ChartLegend::Place::Beside;
                    right = std::max(right, box.left());
                }
                cut += legend.leftOut() > 0;
                QVERIFY(axes.width() > 0.5 * width);
            }
        QVERIFY(inColumns > 0 && cut > 0);
        // In a view there is as much room as the legend reckons with.
        PlotView view;
        expose(view, {520, 170});
        view.setChart(chart);
        QTRY_VERIFY(!view.legendBoxes().empty());
        for (const auto& [name, box] : view.legendBoxes())
            QVERIFY2(QRectF(view.rect()).contains(box), qPrintable(name));
    }

    void whatIsDoneGoesByItselfAnErrorStays() {
        QWidget window;
        NoticeBar bar(&window);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        auto* leave = bar.findChild<QTimer*>();
        QVERIFY(leave);
        bar.showDone(QStringLiteral("Written"));
        QVERIFY(bar.isVisible() && leave->isActive());
        QVERIFY(leave->interval() >= 5000); // it can be read
        bar.showError(QStringLiteral("It cannot be written"));
        QVERIFY(bar.isVisible() && !leave->isActive());
        bar.showDone(QStringLiteral("Written"));
        bar.setAttribute(Qt::WA_UnderMouse, true);
        leave->start(0);
        QTest::qWait(50);
        QVERIFY(bar.isVisible()); // somebody is reading it
        bar.setAttribute(Qt::WA_UnderMouse, false);
        QTRY_VERIFY(!bar.isVisible());
    }

    void exportsAreValidAndLightInDarkTheme() {
        Theme::instance().setMode(ThemeMode::Dark);
        QTemporaryDir folder;
        const auto png = folder.filePath(QStringLiteral("a.png"));
        exportChart(sixCurves(), png, {.widthMm = kTwoColumnMm, .dpi = 200});
        const QImage image(png);
        QVERIFY(bytesOf(png).startsWith("\x89PNG"));
        QVERIFY(std::abs(image.width() - 178 / 25.4 * 200) < 3);
        QCOMPARE(image.pixelColor(2, 2), Theme::lightColor(ColorRole::Surface));
        QCOMPARE(image.dotsPerMeterX(), 7874);

        const auto svg = folder.filePath(QStringLiteral("a.svg"));
        exportChart(sixCurves(), svg);
        const auto text = bytesOf(svg);
        QVERIFY(text.contains("<svg"));
        QVERIFY(text.contains("<text") && text.contains("Throughput (tok/s)"));
        QVERIFY(text.contains(Theme::lightSeries(0).name().toLatin1()));

        const auto pdf = folder.filePath(QStringLiteral("a.pdf"));
        exportChart(sixCurves(), pdf, {.widthMm = kOneColumnMm});
        QVERIFY(bytesOf(pdf).startsWith("%PDF-"));
        QVERIFY(bytesOf(pdf).contains("/FontFile")); // text stays text
    }

    void errorsNameThePath() {
        const auto messageOf = [](const QString& path) {
            try {
                exportChart(sixCurves(), path);
            } catch (const engine::Error& error) {
                return QString::fromUtf8(error.what());
            }
            return QString();
        };
        QVERIFY(
            messageOf(QStringLiteral("/nowhere/at/all.png")).contains(QStringLiteral("/nowhere/at/all.png")));
        QVERIFY(messageOf(QStringLiteral("/tmp/a.gif")).contains(QStringLiteral(".svg")));
    }

    void exportButtonReportsFailureAndSuccess() {
        ExportButton button(
            [] { return sixCurves(); },
            {{QStringLiteral("Data"), QStringLiteral("csv"), [] { return chartCsv(sixCurves()); }}},
            QStringLiteral("plot"), nullptr);
        QSignalSpy failed(&button, &ExportButton::failed), exported(&button, &ExportButton::exported);
        QVERIFY(!button.exportTo(QStringLiteral("/nowhere/plot.pdf")));
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains(QStringLiteral("/nowhere/plot.pdf")));
        QTemporaryDir folder;
        QVERIFY(button.exportTo(folder.filePath(QStringLiteral("plot.csv"))));
        QCOMPARE(exported.count(), 1);
        QCOMPARE(bytesOf(folder.filePath(QStringLiteral("plot.csv"))).toStdString(),
                 engine::csvFile(chartCsv(sixCurves()).toStdString()));
    }

    void keyboardWalksAndReadsOutEverySeries() {
        PlotView view;
        view.setChart(sixCurves());
        expose(view, {600, 400});
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(view.readOut().isPresented());
        QCOMPARE(view.readOut().heading(), QStringLiteral("Count 2"));
        QCOMPARE(view.readOut().rows().size(), std::size_t{6});
        QCOMPARE(view.readOut().rows()[1].value, QStringLiteral("2,000.25\u2009tok/s"));
        QCOMPARE(view.readOut().rows()[2].value, QStringLiteral("not feasible"));
        QSignalSpy activated(&view, &PlotView::pointActivated);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(activated.count(), 1);
        QCOMPARE(activated[0][0].value<ChartPoint>(), (ChartPoint{0, 1}));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.readOut().isPresented());
        QCOMPARE(view.accessibleName(), QStringLiteral("Throughput over count"));
    }

    void mouseClicksPointsAndDoubleClickFits() {
        PlotView view;
        view.setChart(sixCurves());
        expose(view, {600, 400});
        QTRY_VERIFY(view.pixelOf({0, 2}).x() > view.pixelOf({0, 0}).x() + 100);
        const auto home = view.pixelOf({0, 0});
        QSignalSpy clicked(&view, &PlotView::pointClicked);
        const auto at = view.pixelOf({5, 0}).toPoint();
        auto* plot = view.childAt(at);
        QVERIFY(plot);
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->mapFrom(&view, at));
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].value<ChartPoint>().index, 0);

        view.zoom(0.5);
        QVERIFY(view.pixelOf({0, 0}) != home);
        QTest::mouseDClick(plot, Qt::LeftButton, {}, QPoint(4, 4));
        QCOMPARE(view.pixelOf({0, 0}), home);

        QSignalSpy activated(&view, &PlotView::pointActivated);
        view.zoom(0.5);
        QTest::mouseDClick(plot, Qt::LeftButton, {}, plot->mapFrom(&view, view.pixelOf({3, 1}).toPoint()));
        QCOMPARE(view.pixelOf({0, 0}), home); // on a point too
        QCOMPARE(activated.count(), 0);
    }

    void panningStopsWhereNegativeValuesCannotBe() {
        auto chart = sixCurves();
        chart.x.range = engine::AxisRange{0, 3};
        for (const double least : {0.0, -500.0}) {
            chart.y.range = engine::AxisRange{least, 4000};
            PlotView view;
            view.resize(600, 400);
            view.setChart(chart);
            view.show();
            auto* plot = view.findChild<QCustomPlot*>();
            QTRY_VERIFY(plot->axisRect()->width() > 300);
            const auto from = plot->axisRect()->rect().center();
            QTest::mousePress(plot, Qt::LeftButton, {}, from);
            for (int step = 1; step <= 8; ++step) // to the right and up: towards lower values
                QTest::mouseMove(plot, from + QPoint(15 * step, -15 * step));
            QTest::mouseRelease(plot, Qt::LeftButton, {}, from + QPoint(120, -120));
            QCOMPARE(plot->xAxis->range().lower, 0.0);
            QCOMPARE(plot->xAxis->range().upper, 3.0);
            if (least < 0)
                QVERIFY(plot->yAxis->range().lower < least);
            else
                QCOMPARE(plot->yAxis->range().lower, 0.0);
            QVERIFY(std::fabs(plot->yAxis->range().size() - (4000 - least)) < 1e-6);
        }
    }
};

WIDGET_TEST(PlotsTest)
#include "plots_test.moc"
