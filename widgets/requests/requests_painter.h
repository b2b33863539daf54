// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_painter.h"
#include "widgets/plots/chart_export.h"
#include "widgets/requests/request_lanes.h"

#include <QImage>
#include <cstdint>
#include <optional>
#include <vector>

class QPainter;

namespace heteroscape::widgets {

/// A request that stands out.
struct MarkedRequest {
    std::uint32_t request = 0;
    std::optional<double> arrival;     ///< s
    std::vector<std::size_t> segments; ///< indices, by start
};

/// The fill of a phase: plain, and hatched for the KV transfer, during which nothing is computed.
void paintPhase(QPainter& painter, const QRectF& rect, engine::ServingPhase phase, ChartStyle style,
                double strength = 1.0);

/// Draws the lanes as laid out, over the span `view` of time: on the screen in the shown theme, in exports
/// light. What is narrower than a pixel is drawn as coverage: the mixed colour of the phases that fill a
/// pixel, paler the less of it is filled. Work grows with the pixels of the lanes that are seen.
class RequestsPainter : LanesPainter {
public:
    /// With a marked request the others fade.
    RequestsPainter(QPainter& painter, const RequestLanes& lanes, const RequestsLayout& layout, TimeSpan view,
                    ChartStyle style, const MarkedRequest* marked = nullptr);

    void paint();
    /// The strip with the window in it; `picture` is that of overviewPicture().
    void overview(const QImage& picture);

    std::size_t rectangles() const { return m_rectangles; } ///< that stand for segments, so far

private:
    void lane(std::size_t index);
    void nameLane(std::size_t index, const QRectF& row);
    void segments(std::size_t index, const QRectF& row);
    void segment(const engine::ServingSegment& what, const QRectF& row, double strength, bool outlined);
    void marked();
    void path(); ///< from the marked request's arrival through its segments
    double strength() const;

    const RequestLanes& m_lanes;
    const RequestsLayout& m_layout;
    const MarkedRequest* m_marked;
    std::size_t m_rectangles = 0;
};

/// Lanes in a picture, at most: it would outgrow what pictures can hold.
inline constexpr std::size_t kLanesInPicture = 120;

/// A timeline of requests over a span of time as a file's bytes: light palette on white, 9 pt type, no
/// chrome, with the lanes from `firstLane` on, as high as they need. SVG and PDF keep text as text. Needs a
/// QApplication, but no window. UI thread.
QByteArray renderRequests(const RequestLanes& lanes, TimeSpan view, const MarkedRequest* marked,
                          std::size_t firstLane, ImageFormat format, const ImageSize& size);

/// The same into a file, whose suffix (.png, .svg, .pdf) names the format; replaced atomically. Throws Error
/// (InvalidInput for another suffix, Io) naming the path.
void exportRequests(const RequestLanes& lanes, TimeSpan view, const MarkedRequest* marked,
                    std::size_t firstLane, const QString& path, const ImageSize& size = {});

} // namespace heteroscape::widgets
