// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QPen>
#include <QPointF>
#include <cstdint>
#include <unordered_map>

namespace heteroscape::widgets {

/// Lays very many markers on a picture: each kind of them is drawn once, at some places within a pixel, and
/// then copied. They lie within a quarter of a pixel of where they belong, their diameters likewise.
class MarkerStamps {
public:
    /// `image`: of `ratio` pixels for each px.
    MarkerStamps(QImage& image, double ratio);

    /// `pen` is the same for all of one picture, or none.
    void lay(ChartMarker marker, QPointF center, double diameter, const QPen& pen, const QColor& fill);

private:
    QImage drawn(ChartMarker marker, QPointF within, double diameter, const QPen& pen, const QColor& fill,
                 int reach) const;

    QPainter m_painter;
    double m_ratio;
    std::unordered_map<std::uint64_t, QImage> m_stamps;
};

/// The outline of a marker around a point.
QPainterPath markerPath(ChartMarker marker, QPointF middle, double diameter);

} // namespace heteroscape::widgets
