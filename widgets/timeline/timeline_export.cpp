// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_export.h"

#include "engine/base/file.h"
#include "engine/exporters/chrome_trace.h"
#include "widgets/timeline/timeline_painter.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kMmPerInch = 25.4;
constexpr double kLogicalDpi = 96.0; // of the layout's px: 9 pt = 12 px
constexpr ChartStyle kStyle{.exported = true};

} // namespace

QByteArray renderTimeline(const TimelineTracks& tracks, TimeSpan view, ImageFormat format,
                          const ImageSize& size) {
    TimelineLayoutOptions options;
    options.width = std::round(size.widthMm / kMmPerInch * kLogicalDpi);
    options.overview = false;
    options.style = kStyle;
    const auto layout = layOut(tracks, options);
    const QSize logical(static_cast<int>(options.width), static_cast<int>(std::ceil(layout.height)) + 2);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const auto paint = [&](QPaintDevice& device, double scale) {
        QPainter painter(&device);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(scale, scale);
        painter.fillRect(QRect(QPoint(), logical), Theme::lightColor(ColorRole::Surface));
        TimelinePainter(painter, tracks, layout, view, kStyle).paint();
    };
    const auto title = QCoreApplication::translate("TimelineExport", "Timeline");
    switch (format) {
    case ImageFormat::Png: {
        const double scale = size.dpi / kLogicalDpi;
        QImage image((QSizeF(logical) * scale).toSize(), QImage::Format_RGB32);
        const int dotsPerMeter = static_cast<int>(std::lround(size.dpi / kMmPerInch * 1000));
        image.setDotsPerMeterX(dotsPerMeter);
        image.setDotsPerMeterY(dotsPerMeter);
        paint(image, scale);
        image.save(&buffer, "PNG");
        break;
    }
    case ImageFormat::Svg: {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setTitle(title);
        generator.setSize(logical);
        generator.setViewBox(QRect(QPoint(), logical));
        generator.setResolution(static_cast<int>(kLogicalDpi));
        paint(generator, 1.0);
        break;
    }
    case ImageFormat::Pdf: {
        QPdfWriter writer(&buffer);
        writer.setTitle(title);
        const QSizeF mm = QSizeF(logical) / kLogicalDpi * kMmPerInch;
        writer.setPageSize(QPageSize(mm, QPageSize::Millimeter, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        constexpr int kFiner = 10;
        writer.setResolution(static_cast<int>(kLogicalDpi) * kFiner);
        paint(writer, kFiner);
        break;
    }
    }
    return bytes;
}

void exportTimeline(const TimelineTracks& tracks, TimeSpan view, const QString& path, const ImageSize& size) {
    const auto bytes = renderTimeline(tracks, view, imageFormatOf(path), size);
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

QString timelineTrace(const TimelineTracks& tracks) {
    std::vector<std::pair<std::string, engine::StepTimeline>> processes;
    for (const auto& track : tracks)
        processes.emplace_back(track.step().name + ": " + track.name().toStdString(), track.step());
    return QString::fromStdString(engine::chromeTrace(processes));
}

} // namespace heteroscape::widgets
