// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/legend_line.h"

#include "widgets/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kSwatch = 8;
constexpr int kBeside = 5; ///< between a swatch and its name
constexpr int kBetween = 10;

QFontMetrics metrics() {
    return QFontMetrics(Theme::instance().font(TextSize::Caption));
}

} // namespace

LegendLine::LegendLine(QWidget* parent) : QWidget(parent) {
    auto policy = QSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void LegendLine::setEntries(std::vector<Entry> entries) {
    m_entries = std::move(entries);
    updateGeometry();
    update();
}

std::vector<QRect> LegendLine::places(int width) const {
    const auto text = metrics();
    const int line = text.height() + 3;
    std::vector<QRect> places;
    int x = 0, y = 0;
    for (const auto& entry : m_entries) {
        const int wide = kSwatch + kBeside + text.horizontalAdvance(entry.name) + 1;
        if (x > 0 && x + wide > width) {
            x = 0;
            y += line;
        }
        places.emplace_back(x, y, wide, line);
        x += wide + kBetween;
    }
    return places;
}

int LegendLine::heightForWidth(int width) const {
    const auto all = places(width);
    return all.empty() ? 0 : all.back().bottom() + 1;
}

QSize LegendLine::sizeHint() const {
    return {180, heightForWidth(180)};
}

QSize LegendLine::minimumSizeHint() const {
    int widest = 0;
    for (const auto& place : places(0))
        widest = std::max(widest, place.width());
    return {widest, metrics().height()};
}

void LegendLine::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setFont(theme.font(TextSize::Caption));
    painter.setPen(theme.color(ColorRole::Text2));
    const auto all = places(width());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto& place = all[i];
        painter.fillRect(QRect(place.left(), place.center().y() - kSwatch / 2 + 1, kSwatch, kSwatch),
                         m_entries[i].color);
        painter.drawText(place.adjusted(kSwatch + kBeside, 0, 1, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         m_entries[i].name);
    }
}

} // namespace heteroscape::widgets
