// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of chart, drawn and measured. With HETEROSCAPE_GALLERY set to a folder the pictures are kept
// there.
#include "tests/widgets/plots/sample_charts.h"
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

} // namespace

class FiguresTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { Theme::instance().install(*qApp); }
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
                    PlotView view;
                    view.resize(size);
                    view.setChart(chart);
                    view.show();
                    QVERIFY(QTest::qWaitForWindowExposed(&view));
                    view.findChild<QCustomPlot*>()->replot(QCustomPlot::rpImmediateRefresh);
                    keep(view.grab().toImage(), QStringLiteral("%1_%2_%3.png")
                                                    .arg(name)
                                                    .arg(size.width())
                                                    .arg(mode == ThemeMode::Dark ? u"dark" : u"light"));
                }
            Theme::instance().setMode(ThemeMode::Light);
        }
    }
};

QTEST_MAIN(FiguresTest)
#include "figures_test.moc"
