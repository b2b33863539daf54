// SPDX-License-Identifier: GPL-3.0-or-later
// The cells of a heat map.
#include "engine/units/number_text.h"
#include "widgets/plots/chart_ground.h"
#include "widgets/plots/marker_path.h"

#include <QFontMetricsF>
#include <QImage>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace heteroscape::widgets {

namespace {

constexpr double kFine = 2.0; ///< px of a cell, below which a picture is drawn in place of rectangles

QString cellText(double value) {
    return QString::fromStdString(engine::shortText(value, 3));
}

/// The cell that a pixel of an axis lies in, of so many; none beside them.
std::optional<std::size_t> cellAt(const QCPAxis& axis, double pixel, std::size_t count) {
    const double at = std::floor(axis.pixelToCoord(pixel) + 0.5);
    return at >= 0 && at < static_cast<double>(count) ? std::optional(static_cast<std::size_t>(at))
                                                      : std::nullopt;
}

} // namespace

void ChartGround::drawFineCells(QCPPainter& painter) const {
    const auto& map = *m_chart->heatMap;
    const auto scale = map.scale();
    constexpr int kShades = 256;
    std::array<QRgb, kShades> shades{};
    for (int i = 0; i < kShades; ++i)
        shades[static_cast<std::size_t>(i)] = m_style.heat(i / (kShades - 1.0)).rgba();
    const auto none = m_style.role(ColorRole::Sunken).rgba();
    const QRect area = mParentPlot->axisRect()->rect();
    const double ratio = painter.device()->devicePixelRatioF();
    QImage picture((QSizeF(area.size()) * ratio).toSize(), QImage::Format_ARGB32);
    picture.fill(Qt::transparent);
    std::vector<std::optional<std::size_t>> columns;
    for (int i = 0; i < picture.width(); ++i)
        columns.push_back(cellAt(*mParentPlot->xAxis, area.left() + (i + 0.5) / ratio, map.columns()));
    for (int j = 0; j < picture.height(); ++j) {
        const auto row = cellAt(*mParentPlot->yAxis, area.top() + (j + 0.5) / ratio, map.z.size());
        if (!row)
            continue;
        auto* line = reinterpret_cast<QRgb*>(picture.scanLine(j));
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (!columns[i] || *columns[i] >= map.z[*row].size())
                continue;
            const double share = engine::heatShare(map.z[*row][*columns[i]], scale, map.log);
            line[i] =
                std::isnan(share)
                    ? none
                    : shades[static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * (kShades - 1) + 0.5)];
        }
    }
    painter.drawImage(QRectF(area), picture);
}

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
    const auto* x = mParentPlot->xAxis;
    const auto* y = mParentPlot->yAxis;
    if (std::fabs(x->coordToPixel(1) - x->coordToPixel(0)) < kFine ||
        std::fabs(y->coordToPixel(1) - y->coordToPixel(0)) < kFine) {
        drawFineCells(painter);
        return;
    }
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
    const auto cell = cellRect({0, 0});
    const bool high = cell.height() >= metrics.height();
    if (!high || cell.width() < metrics.horizontalAdvance(u'0'))
        return; // of a million cells none is measured
    double widest = 0;
    for (const auto& row : map.z)
        for (const double value : row)
            if (std::isfinite(value))
                widest = std::max(widest, metrics.horizontalAdvance(cellText(map.shown.factor * value)));
    const bool named = !map.missing.isEmpty() && cell.width() >= metrics.horizontalAdvance(map.missing) + 4;
    const auto none = named ? map.missing : tr("N/A");
    // All values or none: a map with a few of them written looks as if the others were missing. Lines of
    // equal value have their own numbers.
    const bool values = map.contours.empty() && cell.width() >= widest + 4;
    const bool reasons = cell.width() >= metrics.horizontalAdvance(none) + 4;
    const auto scale = map.scale();
    painter.setFont(font);
    for (std::size_t row = 0; row < map.z.size(); ++row)
        for (std::size_t column = 0; column < map.z[row].size(); ++column) {
            const double value = map.z[row][column];
            const double share = engine::heatShare(value, scale, map.log);
            const auto rect = cellRect({row, column});
            if (std::isnan(share) && map.isFiltered({row, column}))
                continue; // one word for all of them
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
                painter.drawText(rect, Qt::AlignCenter, cellText(map.shown.factor * value));
            }
        }
}

void ChartGround::drawContours(QCPPainter& painter) const {
    const auto font = m_style.font();
    const QFontMetricsF metrics(font);
    auto halo = m_style.role(ColorRole::Surface);
    halo.setAlphaF(0.7F);
    const auto ink = m_style.role(ColorRole::Text);
    struct Word {
        QRectF box;
        QString text;
    };
    std::vector<Word> words;
    for (const auto& contour : m_chart->heatMap->contours) {
        QPolygonF line;
        for (const auto& point : contour.points)
            line << QPointF(mParentPlot->xAxis->coordToPixel(point.x),
                            mParentPlot->yAxis->coordToPixel(point.y));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(halo, m_style.lineWidth(2.6), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(line);
        painter.setPen(QPen(ink, m_style.lineWidth(1.1), Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPolyline(line);
        double length = 0;
        for (qsizetype i = 1; i < line.size(); ++i)
            length += QLineF(line[i - 1], line[i]).length();
        const auto text = cellText(m_chart->heatMap->shown.factor * contour.level);
        const QSizeF size(metrics.horizontalAdvance(text) + 6, metrics.height());
        if (length < 2 * size.width())
            continue;
        // In the middle of the line, else where it does not cover another level.
        for (const double share : {0.5, 0.3, 0.7, 0.15, 0.85}) {
            double left = share * length;
            QPointF at = line.front();
            for (qsizetype i = 1; i < line.size(); ++i) {
                const QLineF part(line[i - 1], line[i]);
                if (left <= part.length() && part.length() > 0) {
                    at = part.pointAt(left / part.length());
                    break;
                }
                left -= part.length();
            }
            const QRectF box(at - QPointF(size.width() / 2, size.height() / 2), size);
            if (!QRectF(mParentPlot->axisRect()->rect()).contains(box) ||
                std::any_of(words.begin(), words.end(),
                            [&box](const Word& other) { return other.box.intersects(box); }))
                continue;
            words.push_back({box, text});
            break;
        }
    }
    painter.setFont(font);
    auto plate = m_style.role(ColorRole::Surface);
    plate.setAlphaF(0.85F);
    for (const auto& [box, text] : words) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(plate);
        painter.drawRoundedRect(box.adjusted(0, 1, 0, -1), 3, 3);
        painter.setPen(ink);
        painter.drawText(box, Qt::AlignCenter, text);
    }
}

/// In a pill on the largest block of filtered cells: the widest stretch of a row, in the middle of the rows
/// that have one as wide.
std::optional<ChartGround::FilteredRun> ChartGround::widestFiltered(const ChartHeatMap& map) {
    std::vector<FilteredRun> widest;
    for (std::size_t row = 0; row < map.filtered.size(); ++row) {
        FilteredRun best{row, 0, 0};
        std::size_t count = 0;
        for (std::size_t column = 0; column < map.filtered[row].size(); ++column) {
            count = map.filtered[row][column] != 0 ? count + 1 : 0;
            if (count > best.count)
                best = {row, column + 1 - count, count};
        }
        if (best.count > 0 && (widest.empty() || best.count >= widest.front().count)) {
            if (!widest.empty() && best.count > widest.front().count)
                widest.clear();
            widest.push_back(best);
        }
    }
    return widest.empty() ? std::nullopt : std::optional(widest[widest.size() / 2]);
}

void ChartGround::drawFilteredWord(QCPPainter& painter) const {
    if (!m_filteredRun)
        return;
    const auto& map = *m_chart->heatMap;
    const auto& run = *m_filteredRun;
    const auto stretch =
        cellRect({run.row, run.first}).united(cellRect({run.row, run.first + run.count - 1}));
    const auto font = m_style.font();
    const QFontMetricsF metrics(font);
    for (const auto& text : {map.filteredWord, tr("filtered out")}) {
        const double width = metrics.horizontalAdvance(text) + 16;
        if (text.isEmpty() || width > stretch.width())
            continue;
        const QRectF pill(stretch.center() - QPointF(width / 2, metrics.height() / 2 + 2),
                          QSizeF(width, metrics.height() + 4));
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_style.role(ColorRole::Surface));
        painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        painter.setFont(font);
        painter.setPen(m_style.role(ColorRole::Text2));
        painter.drawText(pill, Qt::AlignCenter, text);
        return;
    }
}

void ChartGround::drawOptimum(QCPPainter& painter) const {
    if (!m_best)
        return;
    const auto rect = cellRect(*m_best);
    const auto star = m_style.color(ChartColor::series(1));
    const auto halo = m_style.role(ColorRole::Surface);
    constexpr double kLeastFramed = 6; // px; in a smaller cell the frame would be all there is
    if (std::min(rect.width(), rect.height()) >= kLeastFramed) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(halo, 5, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        painter.setPen(QPen(star, 2.5, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    // On the corner, so that the value stays readable.
    const QPointF corner(std::min(rect.right(), mParentPlot->axisRect()->right() - 3.0),
                         std::max(rect.top(), mParentPlot->axisRect()->top() + 3.0));
    const double size = std::clamp(0.6 * std::min(rect.width(), rect.height()), 10.0, 17.0);
    painter.setPen(QPen(halo, 1.2));
    painter.setBrush(star);
    painter.drawPath(markerPath(ChartMarker::Star, corner, size));
}

} // namespace heteroscape::widgets
