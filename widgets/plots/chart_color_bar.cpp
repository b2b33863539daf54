// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/chart_color_bar.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

namespace {
constexpr double kAway = 14, kBar = 12, kTick = 4, kPad = 5;
constexpr int kHeatColours = 7; // a gradient through just these is exact
} // namespace

ChartColorBar::ChartColorBar(const ChartHeatMap& map, ChartStyle style, double height)
    : m_map(map), m_style(style) {
    const QFontMetricsF metrics(m_style.font());
    const auto scale = map.scale();
    const int wanted = std::clamp(static_cast<int>(height / 40), 2, 8);
    for (const double value :
         map.log ? engine::logTicks(scale, 10, wanted) : engine::linearTicks(scale, wanted)) {
        m_ticks.emplace_back(engine::heatShare(value, scale, map.log),
                             QString::fromStdString(engine::tickText(value * map.shown.factor)));
        m_numberWidth = std::max(m_numberWidth, metrics.horizontalAdvance(m_ticks.back().second));
    }
}

int ChartColorBar::width() const {
    const double label = m_map.label.isEmpty() ? 0 : QFontMetricsF(m_style.font()).height() + 4;
    return static_cast<int>(kAway + kBar + kTick + kPad + m_numberWidth + label + 8);
}

void ChartColorBar::draw(QPainter& painter, const QRectF& axes) const {
    const QFontMetricsF metrics(m_style.font());
    const QRectF bar(axes.right() + kAway, axes.top(), kBar, axes.height() - 2); // as the cells
    QLinearGradient gradient(bar.bottomLeft(), bar.topLeft());
    for (int i = 0; i < kHeatColours; ++i) {
        const double share = i / (kHeatColours - 1.0);
        gradient.setColorAt(share, m_style.heat(share));
    }
    painter.fillRect(bar, gradient);
    const QPen pen(m_style.role(ColorRole::BorderControl), 1);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5));
    painter.setFont(m_style.font());
    for (const auto& [share, number] : m_ticks) {
        const double y = bar.bottom() - share * bar.height();
        painter.setPen(pen);
        painter.drawLine(QLineF(bar.right() + 1, y, bar.right() + 1 + kTick, y));
        painter.setPen(m_style.role(ColorRole::Muted));
        painter.drawText(
            QRectF(bar.right() + kTick + kPad, y - metrics.height() / 2, m_numberWidth + 4, metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter, number);
    }
    painter.save();
    painter.translate(bar.right() + kTick + kPad + m_numberWidth + 6, bar.center().y());
    painter.rotate(90);
    painter.setPen(m_style.role(ColorRole::Text2));
    // A little over the ends is still beside the bar, and within the picture.
    const double room = axes.height() + 2 * std::clamp(axes.top() - 2, 0.0, 15.0);
    painter.drawText(QRectF(-room / 2, -metrics.height(), room, metrics.height()), Qt::AlignCenter,
                     metrics.elidedText(shownLabel(m_map.label, m_map.shown), Qt::ElideRight, room));
    painter.restore();
}

} // namespace heteroscape::widgets
