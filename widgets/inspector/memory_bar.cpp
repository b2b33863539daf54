// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/memory_bar.h"

#include "engine/units/number_text.h"
#include "engine/units/units.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

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

} // namespace heteroscape::widgets
