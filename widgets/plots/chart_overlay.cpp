// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_overlay.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kMostDirectNames = 4; // more curves than this are named in a legend
constexpr double kSampleWidth = 22;
constexpr double kRow = 16;
constexpr int kTop = 22; // room above the axes for the label of a star

} // namespace

ChartOverlay::ChartOverlay(QCustomPlot* plot) : QCPAbstractItem(plot) {
    setLayer(QStringLiteral("overlay"));
    setClipToAxisRect(false);
    setSelectable(false);
    setAntialiased(true);
}

void ChartOverlay::set(const Chart* chart, ChartStyle style) {
    m_chart = chart;
    m_style = style;
}

QPointF ChartOverlay::pixel(double x, double y) const {
    return {mParentPlot->xAxis->coordToPixel(x), mParentPlot->yAxis->coordToPixel(y)};
}

QRectF ChartOverlay::area() const {
    return mParentPlot->axisRect()->rect();
}

double ChartOverlay::nameWidth() const {
    const QFontMetricsF metrics(m_style.font(QFont::DemiBold));
    double width = 0;
    for (const auto i : m_chart->namedLines())
        width = std::max(width, metrics.horizontalAdvance(m_chart->lines[i].name));
    return width;
}

double ChartOverlay::columnWidth() const {
    const QFontMetricsF metrics(m_style.font());
    return std::max(nameWidth() + kSampleWidth, metrics.horizontalAdvance(m_chart->legendTitle));
}

bool ChartOverlay::besideAxes(int plotWidth) const {
    return columnWidth() + 20 < 0.34 * plotWidth;
}

QMargins ChartOverlay::margins(int plotWidth) const {
    const auto named = m_chart ? m_chart->namedLines().size() : 0;
    if (named < 2)
        return {0, m_chart && m_chart->stars.empty() ? 10 : kTop, 16, 0};
    if (named <= kMostDirectNames && besideAxes(plotWidth))
        return {0, kTop, static_cast<int>(std::max(nameWidth(), columnWidth() - kSampleWidth)) + 18, 0};
    if (besideAxes(plotWidth))
        return {0, kTop, static_cast<int>(columnWidth()) + 24, 0};
    const double item = nameWidth() + kSampleWidth + 14;
    const int perRow = std::max(1, static_cast<int>((plotWidth - 24) / item));
    const int titleRow = m_chart->legendTitle.isEmpty() ? 0 : 1;
    const int rows = (static_cast<int>(named) + perRow - 1) / perRow + titleRow;
    return {0, kTop + static_cast<int>(rows * kRow) + 4, 16, 0};
}

void ChartOverlay::draw(QCPPainter* painter) {
    if (!m_chart)
        return;
    m_taken.clear();
    painter->setAntialiasing(true);
    const auto named = m_chart->namedLines().size();
    if (named >= 2) {
        if (named <= kMostDirectNames && besideAxes(mParentPlot->viewport().width()))
            drawLineNames(*painter);
        else
            drawLegend(*painter);
    }
    painter->save();
    painter->setClipRect(area().adjusted(-1, -kTop, 1, 1));
    drawDrops(*painter);
    drawMarks(*painter);
    drawCaptions(*painter);
    drawMarkLabels(*painter);
    painter->restore();
    drawStars(*painter);
    drawSelected(*painter);
    if (!m_chart->emptyText.isEmpty() && !m_chart->hasData()) {
        painter->setFont(m_style.font());
        painter->setPen(m_style.role(ColorRole::Muted));
        painter->drawText(area(), Qt::AlignCenter | Qt::TextWordWrap, m_chart->emptyText);
    }
}

void ChartOverlay::drawHaloed(QCPPainter& painter, const QRectF& box, int flags, const QString& text,
                              const QFont& font, const QColor& color) const {
    painter.setFont(font);
    // A plate of the background keeps words readable on lines; unlike an outline it leaves text as text.
    auto plate = m_style.role(ColorRole::Surface);
    plate.setAlphaF(0.82F);
    const auto used = QFontMetricsF(font).boundingRect(box, flags, text);
    painter.fillRect(used.adjusted(-1, 0, 1, 0), plate);
    painter.setPen(color);
    painter.drawText(box, flags, text);
}

void ChartOverlay::drawSample(QCPPainter& painter, const ChartLine& line, QPointF left) const {
    static constexpr Qt::PenStyle kStyles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    const auto color = m_style.color(line.color);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(
        QPen(color, m_style.lineWidth(line.width), kStyles[static_cast<int>(line.dash)], Qt::FlatCap));
    painter.drawLine(QLineF(left, left + QPointF(kSampleWidth - 4, 0)));
    if (line.marker != ChartMarker::None) {
        painter.setPen(QPen(m_style.role(ColorRole::Surface), 0.8));
        painter.setBrush(color);
        painter.drawPath(markerPath(line.marker, left + QPointF((kSampleWidth - 4) / 2, 0), 7));
    }
}

void ChartOverlay::drawLegend(QCPPainter& painter) const {
    const bool beside = besideAxes(mParentPlot->viewport().width());
    const auto axes = area();
    const double item = nameWidth() + kSampleWidth + 14;
    const int perRow =
        beside ? 1 : std::max(1, static_cast<int>((mParentPlot->viewport().width() - 24) / item));
    double x = beside ? axes.right() + 14 : 14.0;
    double y = beside ? axes.top() : 8.0;
    if (!m_chart->legendTitle.isEmpty()) {
        painter.setFont(m_style.font());
        painter.setPen(m_style.role(ColorRole::Muted));
        painter.drawText(QRectF(x, y, item + 400, kRow), Qt::AlignLeft | Qt::AlignVCenter,
                         m_chart->legendTitle);
        y += kRow + 2;
    }
    int column = 0;
    for (const auto i : m_chart->namedLines()) {
        const auto& line = m_chart->lines[i];
        const double left = x + column * item;
        drawSample(painter, line, {left, y + kRow / 2});
        painter.setFont(m_style.font());
        painter.setPen(m_style.role(ColorRole::Text2));
        painter.drawText(QRectF(left + kSampleWidth, y, nameWidth() + 8, kRow),
                         Qt::AlignLeft | Qt::AlignVCenter, line.name);
        if (++column == perRow) {
            column = 0;
            y += kRow;
        }
    }
}

void ChartOverlay::drawLineNames(QCPPainter& painter) const {
    std::vector<double> wished;
    std::vector<const ChartLine*> lines;
    const auto axes = area();
    for (const auto i : m_chart->namedLines()) {
        const auto& line = m_chart->lines[i];
        for (std::size_t k = line.x.size(); k-- > 0;)
            if (std::isfinite(line.y[k]) && (!m_chart->y.log || line.y[k] > 0)) {
                wished.push_back(std::clamp(pixel(line.x[k], line.y[k]).y(), axes.top(), axes.bottom()));
                lines.push_back(&line);
                break;
            }
    }
    const auto font = m_style.font(QFont::DemiBold);
    const double height = QFontMetricsF(font).height();
    const auto middles = engine::spreadLabels(wished, height, axes.top() - 4, axes.bottom());
    if (!m_chart->legendTitle.isEmpty()) {
        painter.setFont(m_style.font());
        painter.setPen(m_style.role(ColorRole::Muted));
        painter.drawText(QRectF(axes.right() + 8, axes.top() - kTop + 2, columnWidth() + 8, kRow),
                         Qt::AlignLeft | Qt::AlignVCenter, m_chart->legendTitle);
    }
    painter.setFont(font);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        painter.setPen(m_style.color(lines[i]->color));
        painter.drawText(QRectF(axes.right() + 8, middles[i] - height / 2, nameWidth() + 8, height),
                         Qt::AlignLeft | Qt::AlignVCenter, lines[i]->name);
    }
}

void ChartOverlay::drawDrops(QCPPainter& painter) const {
    const auto axes = area();
    const auto font = m_style.font();
    double lastRight = -1e9;
    int level = 0;
    std::vector<const ChartDrop*> drops;
    for (const auto& drop : m_chart->drops)
        drops.push_back(&drop);
    std::stable_sort(drops.begin(), drops.end(), [](auto* a, auto* b) { return a->x < b->x; });
    for (const auto* drop : drops) {
        const auto top = pixel(drop->x, drop->y);
        if (top.x() < axes.left() || top.x() > axes.right() || top.y() > axes.bottom())
            continue;
        const auto color = m_style.color(drop->color);
        painter.setPen(QPen(color, 1, Qt::DotLine));
        painter.drawLine(QLineF(top.x(), std::max(top.y(), axes.top()), top.x(), axes.bottom()));
        if (top.y() >= axes.top()) {
            painter.setPen(QPen(color, 1.5));
            painter.setBrush(m_style.role(ColorRole::Surface));
            painter.drawEllipse(top, 4, 4);
        }
        const double width = QFontMetricsF(font).horizontalAdvance(drop->label) + 12;
        QRectF pill(top.x() - width / 2, axes.bottom() - 24, width, 18);
        pill.moveLeft(std::clamp(pill.left(), axes.left() + 2, axes.right() - width - 2));
        level = pill.left() < lastRight + 4 ? level + 1 : 0;
        lastRight = pill.right();
        pill.translate(0, -20.0 * level);
        painter.setPen(QPen(color, 1));
        painter.setBrush(m_style.role(ColorRole::Surface));
        painter.drawRoundedRect(pill, 9, 9);
        painter.setFont(font);
        painter.setPen(color);
        painter.drawText(pill, Qt::AlignCenter, drop->label);
    }
}

void ChartOverlay::drawMarks(QCPPainter& painter) {
    for (const auto& mark : m_chart->marks) {
        const auto middle = pixel(mark.x, mark.y);
        const auto color = m_style.color(mark.color);
        auto fill = color;
        fill.setAlphaF(0.35F);
        painter.setPen(QPen(color, m_style.lineWidth(1.5)));
        painter.setBrush(mark.ringed ? QBrush(Qt::NoBrush) : QBrush(fill));
        painter.drawPath(markerPath(mark.shape, middle, mark.diameter));
        if (mark.ringed) {
            painter.drawPath(markerPath(mark.shape, middle, mark.diameter + 7));
            painter.setBrush(color);
            painter.drawPath(markerPath(mark.shape, middle, 5));
        }
    }
}

std::vector<engine::PlotSegment> ChartOverlay::lineSegments() const {
    std::vector<engine::PlotSegment> segments;
    for (const auto& line : m_chart->lines)
        for (std::size_t i = 1; i < line.x.size() && line.x.size() < 64; ++i) {
            const auto a = pixel(line.x[i - 1], line.y[i - 1]);
            const auto b = pixel(line.x[i], line.y[i]);
            if (std::isfinite(a.y()) && std::isfinite(b.y()))
                segments.push_back({a.x(), a.y(), b.x(), b.y()});
        }
    return segments;
}

} // namespace heteroscape::widgets
