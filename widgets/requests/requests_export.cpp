// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_export.h"

#include "widgets/plots/picture.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

QByteArray renderRequests(const RequestLanes& lanes, TimeSpan view, const MarkedRequest* marked,
                          std::size_t firstLane, ImageFormat format, const ImageSize& size) {
    constexpr ChartStyle kStyle{.exported = true};
    const auto count = lanes.lanes().size();
    RequestsLayoutOptions options;
    options.width = pictureWidth(size.widthMm);
    options.style = kStyle;
    if (count > kLanesInPicture) {
        options.only.first = std::min(firstLane, count - kLanesInPicture);
        options.only.second = options.only.first + kLanesInPicture;
    }
    const auto layout = layOut(lanes, options);
    const QSize logical(static_cast<int>(options.width),
                        static_cast<int>(std::ceil(layout.legend.bottom())) + 2);
    return renderPicture(
        format, size, QCoreApplication::translate("RequestsExport", "Requests"), logical,
        [&](QPainter& painter) { RequestsPainter(painter, lanes, layout, view, kStyle, marked).paint(); });
}

void exportRequests(const RequestLanes& lanes, TimeSpan view, const MarkedRequest* marked,
                    std::size_t firstLane, const QString& path, const ImageSize& size) {
    writePicture(path, renderRequests(lanes, view, marked, firstLane, imageFormatOf(path), size));
}

} // namespace heteroscape::widgets
