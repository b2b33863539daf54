// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/csv.h"
#include "engine/base/error.h"
#include "tests/widgets/plots/sample_charts.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
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

        // Where nothing is, but a point will be when all is shown: that one is not chosen.
        const auto clickTwice = [&](QPointF place) {
            const auto there = plot->mapFrom(&view, place.toPoint());
            QTest::mouseClick(plot, Qt::LeftButton, {}, there);
            QTest::mouseDClick(plot, Qt::LeftButton, {}, there);
        };
        QSignalSpy activated(&view, &PlotView::pointActivated);
        clicked.clear();
        view.zoom(0.5);
        clickTwice(home);
        QCOMPARE(view.pixelOf({0, 0}), home);
        QCOMPARE(clicked.count(), 0);
        view.zoom(0.5);
        clickTwice(view.pixelOf({3, 1}));
        QCOMPARE(view.pixelOf({0, 0}), home); // on a point too, which is chosen
        QVERIFY(clicked.count() > 0);
        QCOMPARE(clicked.last()[0].value<ChartPoint>().index, 1);
        QCOMPARE(activated.count(), 0);
    }

    void aPannedPlotShowsNoNegativeValues_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"lines", "lines over 1 to 64", "lines below zero", "cloud", "bars"})
            QTest::newRow(kind) << QString::fromLatin1(kind);
    }
    void aPannedPlotShowsNoNegativeValues() {
        QFETCH(QString, kind);
        const bool bars = kind == QStringLiteral("bars");
        auto chart = bars                              ? samples::pairedBars()
                     : kind == QStringLiteral("cloud") ? samples::cloud()
                                                       : sixCurves();
        if (kind.endsWith(QStringLiteral("64")))
            for (auto& line : chart.lines)
                line.x = {1, 32, 64};
        if (kind.endsWith(QStringLiteral("zero")))
            chart.y.range = engine::AxisRange{-500, 4000};
        PlotView view;
        view.setChart(chart);
        expose(view, {600, 400});
        auto* plot = view.findChild<QCustomPlot*>();
        QTRY_VERIFY(plot->axisRect()->width() > 300);
        const auto labels = [plot](const QCPAxis* axis) {
            plot->replot(QCustomPlot::rpImmediateRefresh); // they are written when it is drawn
            const auto all = axis->tickVectorLabels();
            return QStringList(all.begin(), all.end());
        };
        const auto check = [&] {
            for (const auto& label : labels(plot->xAxis) + labels(plot->yAxis))
                QVERIFY2(!label.startsWith(u'-') && !label.startsWith(QChar(0x2212)), qPrintable(label));
            QVERIFY(!labels(plot->yAxis).isEmpty());
            QVERIFY(view.view().y.lower >= 0);
            // Beside a first value that is near zero there is as much room as when all is shown.
            if (!bars)
                QVERIFY(view.view().x.lower >= -0.05 * (view.view().x.upper - view.view().x.lower));
        };
        /// As far to the right and up as it can be seen go.
        const auto push = [plot] {
            const auto axes = plot->axisRect()->rect();
            const QPoint in(axes.width() / 4, axes.height() / 4); // a drag near an axis moves that one only
            for (int i = 0; i < 3; ++i)
                Hand().drag(plot, QPoint(axes.left() + in.x(), axes.bottom() - in.y()),
                            QPoint(axes.right() - in.x(), axes.top() + in.y()));
        };
        const auto home = view.view();
        if (kind.endsWith(QStringLiteral("zero"))) {
            push();
            QVERIFY(view.view().y.lower < home.y.lower);
            return;
        }
        check();
        push();
        check();
        if (bars) { // along their names only
            QVERIFY(view.view().x.lower < home.x.lower - 0.5);
            QCOMPARE(view.view().y.upper, home.y.upper);
            QCOMPARE(view.view().y.lower, 0.0);
            QTest::keyClick(&view, Qt::Key_Home);
        }
        const auto middle = plot->axisRect()->rect().center();
        wheel(plot, middle, 6);
        check();
        const auto zoomed = view.view();
        QVERIFY(zoomed.x.upper - zoomed.x.lower < 0.5 * (home.x.upper - home.x.lower));
        push();
        check();
        if (!bars) // it did move
            QVERIFY(view.view().x.upper < zoomed.x.upper && view.view().y.upper < zoomed.y.upper);
        wheel(plot, middle, -28);
        check();
        push();
        check();
        if (!bars) { // and it came as far as zero
            QVERIFY(view.view().x.upper > home.x.upper);
            QVERIFY(labels(plot->xAxis).contains(QStringLiteral("0")));
            QVERIFY(labels(plot->yAxis).contains(QStringLiteral("0")));
        }
    }
};

WIDGET_TEST(PlotsTest)
#include "plots_test.moc"
