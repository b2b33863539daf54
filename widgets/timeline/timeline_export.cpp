// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_export.h"

#include "engine/exporters/chrome_trace.h"
#include "widgets/plots/picture.h"
#include "widgets/timeline/timeline_painter.h"

#include <QCoreApplication>
#include <QPainter>

#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr ChartStyle kStyle{.exported = true};

} // namespace

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
    writePicture(path, renderTimeline(tracks, view, imageFormatOf(path), size));
}

QString timelineTrace(const TimelineTracks& tracks) {
    std::vector<std::pair<std::string, engine::StepTimeline>> processes;
    for (const auto& track : tracks)
        if (!track.isStage()) // the step has them
            processes.emplace_back(track.step().name + ": " + track.name().toStdString(), track.step());
    return QString::fromStdString(engine::chromeTrace(processes));
}

} // namespace heteroscape::widgets
