// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/designs_picture.h"

#include "engine/base/file.h"
#include "widgets/compare/breakdown_bars.h"
#include "widgets/plots/picture.h"
#include "widgets/timeline/timeline_painter.h"

#include <QCoreApplication>
#include <QPainter>

#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr ChartStyle kStyle{.exported = true};
constexpr double kHeading = 24.0;
constexpr double kPictureMargin = 12.0;

struct DesignsPictureText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::DesignsPage)
};

} // namespace

QByteArray renderDesigns(const ComparedDesigns& designs, TimeSpan view, ImageFormat format,
                         const ImageSize& size) {
    const double width = pictureWidth(size.widthMm);
    const auto bars = layOutBreakdown(designs, width, kStyle);
    TimelineTracks tracks;
    for (const auto& design : designs)
        if (design->track)
            tracks.push_back(*design->track);
    TimelineLayoutOptions options;
    options.width = width;
    options.overview = false;
    options.style = kStyle;
    const auto lanes = tracks.empty() ? TimelineLayout{} : layOut(tracks, options);
    const double timelineTop = kHeading + bars.height + 8.0;
    const double height = tracks.empty() ? timelineTop : timelineTop + kHeading + lanes.height;
    const auto heading = [&](QPainter& painter, double top, const QString& text) {
        painter.setFont(kStyle.font(QFont::DemiBold));
        painter.setPen(kStyle.role(ColorRole::Text));
        painter.drawText(QRectF(kPictureMargin, top, width - 2 * kPictureMargin, kHeading),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    return renderPicture(format, size, DesignsPictureText::tr("Designs side by side"),
                         QSize(static_cast<int>(width), static_cast<int>(std::ceil(height)) + 2),
                         [&](QPainter& painter) {
                             heading(painter, 0.0, DesignsPictureText::tr("Time of one batch"));
                             painter.save();
                             painter.translate(0.0, kHeading);
                             paintBreakdown(painter, designs, bars, kStyle);
                             painter.restore();
                             if (tracks.empty())
                                 return;
                             heading(painter, timelineTop, DesignsPictureText::tr("One decode step"));
                             painter.translate(0.0, timelineTop + kHeading);
                             TimelinePainter(painter, tracks, lanes, view, kStyle).paint();
                         });
}

void exportDesigns(const ComparedDesigns& designs, TimeSpan view, const QString& path,
                   const ImageSize& size) {
    const auto bytes = renderDesigns(designs, view, imageFormatOf(path), size);
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

} // namespace heteroscape::widgets
