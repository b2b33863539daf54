// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_export.h"

#include "engine/base/file.h"
#include "engine/exporters/chrome_trace.h"
#include "widgets/timeline/timeline_painter.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QImage>
#include <QPainter>

#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kMmPerInch = 25.4;
constexpr double kLogicalDpi = 96.0; // of the layout's px: 9 pt = 12 px
constexpr ChartStyle kStyle{.exported = true};

} // namespace

double pictureWidth(double widthMm) {
    return std::round(widthMm / kMmPerInch * kLogicalDpi);
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
        return vectorPicture(format, title, logical, QSizeF(logical) / kLogicalDpi * kMmPerInch, draw);
    QImage image((QSizeF(logical) * size.dpi / kLogicalDpi).toSize(), QImage::Format_RGB32);
    const int dotsPerMeter = static_cast<int>(std::lround(size.dpi / kMmPerInch * 1000));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    draw(image);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray renderTimeline(const TimelineTracks& tracks, TimeSpan view, ImageFormat format,
                          const ImageSize& size) {
    TimelineLayoutOptions options;
    options.width = pictureWidth(size.widthMm);
    options.overview = false;
    options.style = kStyle;
    const auto layout = layOut(tracks, options);
    const QSize logical(static_cast<int>(options.width), static_cast<int>(std::ceil(layout.height)) + 2);
    return renderPicture(
        format, size, QCoreApplication::translate("TimelineExport", "Timeline"), logical,
        [&](QPainter& painter) { TimelinePainter(painter, tracks, layout, view, kStyle).paint(); });
}

void exportTimeline(const TimelineTracks& tracks, TimeSpan view, const QString& path, const ImageSize& size) {
    const auto bytes = renderTimeline(tracks, view, imageFormatOf(path), size);
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

QString timelineTrace(const TimelineTracks& tracks) {
    std::vector<std::pair<std::string, engine::StepTimeline>> processes;
    for (const auto& track : tracks)
        if (!track.isStage()) // the step has them
            processes.emplace_back(track.step().name + ": " + track.name().toStdString(), track.step());
    return QString::fromStdString(engine::chromeTrace(processes));
}

} // namespace heteroscape::widgets
