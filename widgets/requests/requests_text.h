// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/lanes/lanes_painter.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/chart_style.h"
#include "widgets/plots/read_out.h"
#include "widgets/requests/request_lanes.h"

#include <QImage>
#include <QString>
#include <QWidget>
#include <array>
#include <vector>

namespace heteroscape::widgets {

/// The whole run in so many dots: time along x, lanes from top to bottom, each at least `leastDots` high
/// (lanes that then have no room share a line). Work grows with lanes and dots: made once, not at every
/// paint.
QImage overviewPicture(const RequestLanes& lanes, QSize dots, int leastDots, ChartStyle style);

/// The colour of a stretch that phases fill to these shares, over the surface; what is hardly filled can
/// still be seen.
QColor coverageColor(const std::array<double, engine::kServingPhaseCount>& share, ChartStyle style,
                     double strength);

/// The width of the legend's entries, and the entries from the left of a rectangle; at the right of it with
/// `right`.
double phaseLegendWidth(ChartStyle style);
void paintPhaseLegend(QPainter& painter, const QRectF& rect, ChartStyle style, bool right);

/// The colours of the phases, on the screen. Hides its entries where they do not fit. Follows the theme.
class RequestsLegend : public QWidget {
    Q_OBJECT
public:
    explicit RequestsLegend(QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// The colour of a phase, the same in every timeline.
ChartColor phaseColor(engine::ServingPhase phase);
QString phaseLabel(engine::ServingPhase phase); ///< "Prefill"

QString countText(double count); ///< "1,000"

/// "P3", "D3", "KV3"; of a batch "P0–6".
QString segmentName(const RequestLanes& lanes, const engine::ServingSegment& segment);
/// "Request 3, decode"
QString readOutHeading(const RequestLanes& lanes, const engine::ServingSegment& segment);
std::vector<ReadOut::Row> readOutRows(const RequestLanes& lanes, const engine::ServingSegment& segment);

/// "1,000 requests, Poisson at 2 req/s, seed 1", and how many of them are recorded when not all are.
QString runText(const RequestLanes& lanes);
/// A request from arrival to end in one line.
QString storyText(const RequestLanes& lanes, std::uint32_t request);

} // namespace heteroscape::widgets
