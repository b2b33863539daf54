// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/stack_bar.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kMargin = 14, kSwatch = 8, kLegendBar = 11, kPlainBar = 6;

int lineHeight() {
    return QFontMetrics(Theme::instance().font(TextSize::Caption)).height() + 5;
}

} // namespace

StackBar::StackBar(bool withLegend, QWidget* parent) : QWidget(parent), m_withLegend(withLegend) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StackBar::setParts(std::vector<StackPart> parts) {
    const bool resized = parts.size() != m_parts.size();
    m_parts = std::move(parts);
    QStringList spoken;
    for (const auto& part : m_parts)
        spoken << part.label + QLatin1Char(' ') + part.value;
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    if (resized)
        updateGeometry();
    update();
}

QSize StackBar::sizeHint() const {
    const int legend = m_withLegend ? 6 + lineHeight() * static_cast<int>(m_parts.size()) : 0;
    return {160, (m_withLegend ? kLegendBar : kPlainBar) + 8 + legend};
}

QSize StackBar::minimumSizeHint() const {
    return sizeHint();
}

QRectF StackBar::bar() const {
    return {static_cast<double>(kMargin), 4.0, static_cast<double>(width() - 2 * kMargin),
            static_cast<double>(m_withLegend ? kLegendBar : kPlainBar)};
}

const StackPart* StackBar::partAt(QPointF point) const {
    const auto whole = bar();
    if (point.y() > whole.bottom() + 2) { // the legend
        const auto line = static_cast<std::size_t>((point.y() - whole.bottom() - 6) / lineHeight());
        return m_withLegend && point.y() > whole.bottom() + 6 && line < m_parts.size() ? &m_parts[line]
                                                                                       : nullptr;
    }
    double x = whole.left();
    for (const auto& part : m_parts) {
        const double end = x + std::clamp(part.share, 0.0, 1.0) * whole.width();
        if (point.x() >= x && point.x() < end)
            return &part;
        x = end;
    }
    return nullptr;
}

bool StackBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto* part = partAt(help->pos()))
        QToolTip::showText(help->globalPos(),
                           plainTip(QStringLiteral("%1: %2").arg(part->label, part->value)), this);
    else
        QToolTip::hideText();
    return true;
}

void StackBar::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto bar = this->bar();
    QPainterPath shape;
    shape.addRoundedRect(bar, m_withLegend ? 2 : 3, m_withLegend ? 2 : 3);
    painter.fillPath(shape, theme.color(ColorRole::Track));
    painter.save();
    painter.setClipPath(shape);
    double x = bar.left();
    for (const auto& part : m_parts) {
        const double length = std::clamp(part.share, 0.0, 1.0) * bar.width();
        painter.fillRect(QRectF(x, bar.top(), std::max(0.0, length - 1.0), bar.height()), part.color);
        x += length;
    }
    painter.restore();
    if (!m_withLegend)
        return;

    painter.setFont(theme.font(TextSize::Caption));
    int y = static_cast<int>(bar.bottom()) + 6;
    for (const auto& part : m_parts) {
        const QRect line(kMargin, y, width() - 2 * kMargin, lineHeight());
        const QRect swatch(line.left(), line.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch);
        painter.fillRect(swatch, part.color);
        if (part.color == theme.color(ColorRole::Track)) { // what is free has a border to be seen by
            painter.setPen(theme.color(ColorRole::BorderControl));
            painter.drawRect(QRectF(swatch).adjusted(0.5, 0.5, -0.5, -0.5));
        }
        painter.setPen(theme.color(ColorRole::Text2));
        const int valueWidth = painter.fontMetrics().horizontalAdvance(part.value);
        const auto labelBox = line.adjusted(kSwatch + 8, 0, -valueWidth - 8, 0);
        painter.drawText(labelBox, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(part.label, Qt::ElideRight, labelBox.width()));
        painter.setPen(theme.color(ColorRole::Text));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, part.value);
        y += lineHeight();
    }
}

} // namespace heteroscape::widgets
