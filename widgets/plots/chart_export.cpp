// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_export.h"

#include "engine/base/csv.h"
#include "engine/base/error.h"
#include "engine/base/file.h"
#include "widgets/plots/chart_painter.h"
#include "widgets/theme/theme.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <algorithm>
#include <cmath>
#include <qcustomplot.h>

namespace heteroscape::widgets {

namespace {

constexpr double kPictureMmPerInch = 25.4;
constexpr double kPictureDpi = 96.0; // of the layout's px: 9 pt = 12 px

} // namespace

double pictureWidth(double widthMm) {
    return std::round(widthMm / kPictureMmPerInch * kPictureDpi);
}

QByteArray renderPicture(ImageFormat format, const ImageSize& size, const QString& title, QSize logical,
                         const std::function<void(QPainter&)>& paint) {
    const auto draw = [&](QPaintDevice& device) {
        QPainter painter(&device);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setWindow(QRect(QPoint(), logical));
        painter.fillRect(QRect(QPoint(), logical), Theme::lightColor(ColorRole::Surface));
        paint(painter);
    };
    if (format != ImageFormat::Png)
        return vectorPicture(format, title, logical, QSizeF(logical) / kPictureDpi * kPictureMmPerInch, draw);
    QImage image((QSizeF(logical) * size.dpi / kPictureDpi).toSize(), QImage::Format_RGB32);
    const int dotsPerMeter = static_cast<int>(std::lround(size.dpi / kPictureMmPerInch * 1000));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    draw(image);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

void writePicture(const QString& path, const QByteArray& bytes) {
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

namespace {

constexpr double kMmPerInch = 25.4;
constexpr double kLogicalDpi = 96.0; // the charts' px: 9 pt = 12 px

/// What stands upright needs height, most of all in one column: names of many bars and of vertical lines,
/// labelled marks.
QSizeF paperSize(const ImageSize& size, const Chart& chart) {
    const bool manyBars = chart.bars && chart.x.categories.size() > 6;
    const bool upright = chart.bars || std::any_of(chart.references.begin(), chart.references.end(),
                                                   [](const auto& line) { return line.vertical; });
    const double narrow = manyBars ? 0.95 : upright ? 0.88 : 0.75;
    const double wide = chart.marks.empty() ? 0.55 : 0.75;
    const double proportion = size.widthMm < 120 ? narrow : wide;
    return {size.widthMm, size.heightMm > 0 ? size.heightMm : size.widthMm * proportion};
}

QByteArray png(QCustomPlot& plot, QSize logical, double dpi) {
    const double scale = dpi / kLogicalDpi;
    auto image = plot.toPixmap(logical.width(), logical.height(), scale)
                     .toImage()
                     .convertToFormat(QImage::Format_RGB32);
    image.setDevicePixelRatio(1);
    const int dotsPerMeter = static_cast<int>(std::lround(dpi / kMmPerInch * 1000));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

void paint(QCustomPlot& plot, QPaintDevice& device, QSize logical) {
    QCPPainter painter;
    painter.begin(&device);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setWindow(QRect(QPoint(), logical));
    plot.toPainter(&painter, logical.width(), logical.height());
    painter.end();
}

} // namespace

QByteArray renderChart(const Chart& chart, ImageFormat format, const ImageSize& size) {
    const auto mm = paperSize(size, chart);
    const QSize logical(static_cast<int>(std::lround(mm.width() / kMmPerInch * kLogicalDpi)),
                        static_cast<int>(std::lround(mm.height() / kMmPerInch * kLogicalDpi)));
    QCustomPlot plot;
    plot.setAttribute(Qt::WA_DontShowOnScreen);
    plot.resize(logical);
    plot.setViewport(QRect(QPoint(), logical));
    ChartPainter painter(plot);
    painter.draw(chart, {.exported = true});
    painter.fit();
    plot.replot(QCustomPlot::rpImmediateRefresh); // lays out once, so that ticks know their room
    if (format == ImageFormat::Png)
        return png(plot, logical, size.dpi);
    return vectorPicture(format, chart.title, logical, mm,
                         [&](QPaintDevice& device) { paint(plot, device, logical); });
}

QByteArray vectorPicture(ImageFormat format, const QString& title, QSize logical, QSizeF mm,
                         const std::function<void(QPaintDevice&)>& paint) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (format == ImageFormat::Svg) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setTitle(title);
        generator.setSize(logical);
        generator.setViewBox(QRect(QPoint(), logical));
        generator.setResolution(static_cast<int>(kLogicalDpi));
        paint(generator);
    } else {
        constexpr int kFiner = 10;
        QPdfWriter writer(&buffer);
        writer.setTitle(title);
        writer.setPageSize(QPageSize(mm, QPageSize::Millimeter, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        writer.setResolution(static_cast<int>(kLogicalDpi) * kFiner);
        paint(writer);
    }
    return bytes;
}

ImageFormat imageFormatOf(const QString& path) {
    const auto suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("png"))
        return ImageFormat::Png;
    if (suffix == QLatin1String("svg"))
        return ImageFormat::Svg;
    if (suffix == QLatin1String("pdf"))
        return ImageFormat::Pdf;
    throw engine::Error(engine::ErrorCode::InvalidInput, path.toStdString(),
                        "no picture format ends in \"." + suffix.toStdString() + "\"",
                        "Use .png, .svg or .pdf");
}

void exportChart(const Chart& chart, const QString& path, const ImageSize& size) {
    const auto bytes = renderChart(chart, imageFormatOf(path), size);
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

void exportText(const QString& text, const QString& path) {
    auto contents = text.toStdString();
    if (path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive))
        contents = engine::csvFile(contents);
    engine::writeFileAtomically(path.toStdString(), contents);
}

} // namespace heteroscape::widgets
