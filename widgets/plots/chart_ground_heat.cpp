// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a heat map.
#include "engine/units/number_text.h"
#include "widgets/plots/chart_ground.h"
#include "widgets/plots/marker_path.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QString cellText(double value) {
    return QString::fromStdString(engine::shortText(value, 3));
}

} // namespace

QRectF ChartGround::cellRect(engine::Cell cell) const {
    const auto column = static_cast<double>(cell.column), row = static_cast<double>(cell.row);
    // Whole pixels: cells stand side by side without a seam or a blurred edge.
    const double left = std::round(mParentPlot->xAxis->coordToPixel(column - 0.5));
    const double right = std::round(mParentPlot->xAxis->coordToPixel(column + 0.5));
    const double top = std::round(mParentPlot->yAxis->coordToPixel(row + 0.5));
    const double bottom = std::round(mParentPlot->yAxis->coordToPixel(row - 0.5));
    const double gap = std::min(right - left, bottom - top) > 8 ? 1 : 0;
    return QRectF(QPointF(left, top), QPointF(right - gap, bottom - gap));
}

void ChartGround::drawCells(QCPPainter& painter) const {
    const auto& map = *m_chart->heatMap;
    const auto scale = map.scale();
    for (std::size_t row = 0; row < map.z.size(); ++row)
        for (std::size_t column = 0; column < map.z[row].size(); ++column) {
            const auto rect = cellRect({row, column});
            const double share = engine::heatShare(map.z[row][column], scale, map.log);
            if (std::isnan(share))
                fillHatched(painter, rect, m_style);
            else
                painter.fillRect(rect, m_style.heat(share));
        }
}

void ChartGround::drawCellValues(QCPPainter& painter) const {
    const auto& map = *m_chart->heatMap;
    if (map.z.empty())
        return;
    const auto font = m_style.font();
    const QFontMetricsF metrics(font);
    double widest = 0;
    for (const auto& row : map.z)
        for (const double value : row)
            if (std::isfinite(value))
                widest = std::max(widest, metrics.horizontalAdvance(cellText(value)));
    const auto cell = cellRect({0, 0});
    const bool named = !map.missing.isEmpty() && cell.width() >= metrics.horizontalAdvance(map.missing) + 4;
    const auto none = named ? map.missing : tr("N/A");
    const bool high = cell.height() >= metrics.height();
    // All values or none: a map with a few of them written looks as if the others were missing.
    const bool values = high && cell.width() >= widest + 4;
    const bool reasons = high && cell.width() >= metrics.horizontalAdvance(none) + 4;
    const auto scale = map.scale();
    painter.setFont(font);
    for (std::size_t row = 0; row < map.z.size(); ++row)
        for (std::size_t column = 0; column < map.z[row].size(); ++column) {
            const double value = map.z[row][column];
            const double share = engine::heatShare(value, scale, map.log);
            const auto rect = cellRect({row, column});
            if (std::isnan(share) && reasons) {
                const double width = metrics.horizontalAdvance(none) + 4;
                painter.fillRect(QRectF(rect.center().x() - width / 2,
                                        rect.center().y() - metrics.height() / 2 + 1, width,
                                        metrics.height() - 2),
                                 m_style.role(ColorRole::Sunken));
                painter.setPen(m_style.role(ColorRole::Muted));
                painter.drawText(rect, Qt::AlignCenter, none);
            } else if (!std::isnan(share) && values) {
                painter.setPen(inkOn(m_style.heat(share)));
                painter.drawText(rect, Qt::AlignCenter, cellText(value));
            }
        }
}

void ChartGround::drawOptimum(QCPPainter& painter) const {
    const auto& map = *m_chart->heatMap;
    const auto best = engine::bestCell(map.z, map.better);
    if (!best)
        return;
    const auto rect = cellRect(*best);
    const auto star = m_style.color(ChartColor::series(1));
    const auto halo = m_style.role(ColorRole::Surface);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(halo, 5, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setPen(QPen(star, 2.5, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    // On the corner, so that the value stays readable.
    const QPointF corner(std::min(rect.right(), mParentPlot->axisRect()->right() - 3.0),
                         std::max(rect.top(), mParentPlot->axisRect()->top() + 3.0));
    const double size = std::clamp(0.6 * std::min(rect.width(), rect.height()), 10.0, 17.0);
    painter.setPen(QPen(halo, 1.2));
    painter.setBrush(star);
    painter.drawPath(markerPath(ChartMarker::Star, corner, size));
}

} // namespace heteroscape::widgets
