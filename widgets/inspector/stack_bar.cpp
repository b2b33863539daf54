// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/stack_bar.h"

#include "engine/units/number_text.h"
#include "engine/units/units.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr int kSide = 14, kBarTop = 4, kBarHeight = 12, kLegendTop = 21, kLegendLine = 18, kSquare = 8;

QString inGigabytes(double bytes) {
    return shortNumber(bytes / engine::units::GB);
}

} // namespace

MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void MemoryBar::show(const engine::DeviceMemory& memory) {
    m_memory = memory;
    QStringList spoken{summary()};
    for (const auto& part : parts())
        spoken << tr("%1 %2 GB").arg(part.label, inGigabytes(part.bytes));
    spoken << line();
    setAccessibleName(spoken.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

std::vector<MemoryBar::Part> MemoryBar::parts() const {
    const auto& theme = Theme::instance();
    std::vector<Part> all{
        {tr("Attention"), m_memory.attention, theme.series(0)},
        {tr("Experts"), m_memory.experts, theme.series(2)},
        {tr("Other weights"), m_memory.others, theme.series(5)},
        {tr("Draft model"), m_memory.draft, theme.series(6)},
        {tr("KV cache"), m_memory.kv, theme.series(4)},
        {tr("Buffers"), m_memory.working, theme.series(7)},
        {tr("Reserve"), m_memory.reserve, theme.color(ColorRole::BorderControl)},
        {tr("Free"), std::max(0.0, m_memory.capacity - m_memory.used()), theme.color(ColorRole::Track)}};
    std::erase_if(all, [](const Part& part) { return !(part.bytes > 0.0); });
    return all;
}

QString MemoryBar::summary() const {
    return tr("%1 of %2 GB").arg(inGigabytes(m_memory.used()), inGigabytes(m_memory.capacity));
}

QString MemoryBar::line() const {
    if (!fits())
        return tr("%1 GB too much").arg(inGigabytes(m_memory.needed() - m_memory.capacity));
    const double left = m_memory.capacity - m_memory.used();
    if (left < 0.0)
        return tr("No room for %1 GB of buffers and reserve").arg(inGigabytes(-left));
    const double more = std::floor(left / m_memory.perRequest());
    if (!std::isfinite(more))
        return {};
    return more == 1.0 ? tr("Room for 1 more request on each")
                       : tr("Room for %1 more requests on each")
                             .arg(QString::fromStdString(engine::plainText(more, 9)));
}

QSize MemoryBar::sizeHint() const {
    const int lines = (static_cast<int>(parts().size()) + 1) / 2;
    return {200, kLegendTop + lines * kLegendLine + (line().isEmpty() ? 0 : kLegendLine) + 4};
}

void MemoryBar::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    const auto all = parts();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF bar(kSide, kBarTop, width() - 2 * kSide, kBarHeight);
    const double whole = std::max(m_memory.capacity, m_memory.used());
    QPainterPath shape;
    shape.addRoundedRect(bar, 2, 2);
    painter.fillPath(shape, theme.color(ColorRole::Track));
    painter.save();
    painter.setClipPath(shape);
    double x = bar.left();
    for (const auto& part : all) {
        if (part.color == theme.color(ColorRole::Track))
            continue;
        const double length = part.bytes / whole * bar.width();
        painter.fillRect(QRectF(x, bar.top(), std::max(0.0, length - 1.0), bar.height()), part.color);
        x += length;
    }
    if (m_memory.used() > m_memory.capacity) {
        const double limit = bar.left() + m_memory.capacity / whole * bar.width();
        const QRectF beyond(limit, bar.top(), bar.right() - limit, bar.height());
        const auto hue = theme.color(fits() ? ColorRole::Warning : ColorRole::Error);
        painter.fillRect(beyond, theme.color(fits() ? ColorRole::WarningSoft : ColorRole::ErrorSoft));
        painter.setPen(QPen(hue, 1.4));
        painter.setClipRect(beyond, Qt::IntersectClip);
        for (double slant = beyond.left() - kBarHeight; slant < beyond.right(); slant += 5.0)
            painter.drawLine(QPointF(slant, bar.bottom()), QPointF(slant + kBarHeight, bar.top()));
        painter.drawLine(QPointF(limit + 0.7, bar.top()), QPointF(limit + 0.7, bar.bottom()));
    }
    painter.restore();

    painter.setFont(theme.font(TextSize::Caption));
    const int column = (width() - 2 * kSide + 14) / 2;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRect box(kSide + static_cast<int>(i % 2) * column,
                        kLegendTop + static_cast<int>(i / 2) * kLegendLine, column - 14, kLegendLine);
        const QRect square(box.left(), box.center().y() - kSquare / 2 + 1, kSquare, kSquare);
        painter.fillRect(square, all[i].color);
        if (all[i].color == theme.color(ColorRole::Track)) {
            painter.setPen(theme.color(ColorRole::BorderControl));
            painter.drawRect(QRectF(square).adjusted(0.5, 0.5, -0.5, -0.5));
        }
        const auto value = inGigabytes(all[i].bytes);
        const int valueWidth = painter.fontMetrics().horizontalAdvance(value);
        const auto words = box.adjusted(kSquare + 6, 0, -valueWidth - 4, 0);
        painter.setPen(theme.color(ColorRole::Text2));
        painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(all[i].label, Qt::ElideRight, words.width()));
        painter.setPen(theme.color(ColorRole::Text));
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, value);
    }
    const int lines = (static_cast<int>(all.size()) + 1) / 2;
    const QRect below(kSide, kLegendTop + lines * kLegendLine, width() - 2 * kSide, kLegendLine);
    painter.setPen(theme.color(!fits()                               ? ColorRole::Error
                               : m_memory.used() > m_memory.capacity ? ColorRole::Warning
                                                                     : ColorRole::Muted));
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter, line());
}

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

#include "moc_stack_bar.cpp"
