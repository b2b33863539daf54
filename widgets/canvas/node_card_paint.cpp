// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/node_card_paint.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("NodeCard", text);
}

QColor role(ColorRole which) {
    return Theme::instance().color(which);
}

void drawText(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font,
              const QColor& color, Qt::Alignment alignment = Qt::AlignLeft | Qt::AlignVCenter) {
    painter.setFont(font);
    painter.setPen(color);
    const auto shown = QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width() + 0.5);
    painter.drawText(rect, static_cast<int>(alignment | Qt::TextSingleLine), shown);
}

QFont countFont() {
    return Theme::instance().font(TextSize::Dense, QFont::DemiBold);
}

QString countText(int count) {
    return QStringLiteral("\u00d7%1").arg(count);
}

void drawHeader(QPainter& painter, const NodeCard& card, const CardLook& look) {
    const auto& theme = Theme::instance();
    const auto hue = theme.kind(card.kind);
    const bool few = look.zoom < kFewDetailsBelow;
    paintIcon(painter, Theme::kindIcon(card.kind), hue, {9, (kCardHeader - 22) / 2}, 22, look);
    auto right = kCardWidth - 10;
    if (!few) {
        const auto badge = countBadgeRect(card.count);
        painter.setPen(QPen(hue, 1));
        painter.setBrush(role(ColorRole::Surface));
        painter.drawRoundedRect(badge.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
        drawText(painter, badge, countText(card.count), countFont(), hue, Qt::AlignCenter);
        right = badge.left() - 6;
    }
    if (!card.error.isEmpty()) {
        right -= 18;
        paintIcon(painter, QStringLiteral("warning"), role(ColorRole::Error), {right, (kCardHeader - 18) / 2},
                  18, look);
        right -= 2;
    }
    const auto left = 40.0;
    if (few) {
        // The name stays readable: it grows as the card shrinks, as far as the header has room.
        auto font = theme.font(TextSize::Body, QFont::DemiBold);
        font.setPixelSize(static_cast<int>(std::clamp(std::round(11.0 / look.zoom), 13.0, 26.0)));
        drawText(painter, {left, 0, right - left, kCardHeader}, card.name, font, role(ColorRole::Text));
        return;
    }
    drawText(painter, {left, 6, right - left, 17}, card.name, theme.font(TextSize::Body, QFont::DemiBold),
             role(ColorRole::Text));
    drawText(painter, {left, 23, right - left, 15}, card.role, theme.font(TextSize::Caption),
             role(ColorRole::Text2));
}

void drawFigures(QPainter& painter, const NodeCard& card) {
    const auto& theme = Theme::instance();
    auto valueFont = theme.font(TextSize::Body, QFont::DemiBold);
    valueFont.setPixelSize(14);
    const auto width = (kCardWidth - 24) / 3;
    for (std::size_t i = 0; i < card.figures.size(); ++i) {
        const auto x = 12 + static_cast<double>(i) * width;
        drawText(painter, {x, kCardHeader + 8, width - 2, 17}, card.figures[i].value, valueFont,
                 role(ColorRole::Text));
        drawText(painter, {x, kCardHeader + 25, width - 2, 14}, card.figures[i].unit,
                 theme.font(TextSize::Caption), role(ColorRole::Muted));
    }
}

void drawBar(QPainter& painter, const NodeCard& card, bool withLabel) {
    if (!card.bar)
        return;
    const auto& theme = Theme::instance();
    const auto hot = card.bottleneck;
    if (withLabel) {
        const QRectF line(12, 90, kCardWidth - 24, 16);
        drawText(painter, line.adjusted(0, 0, -44, 0), card.bar->label, theme.font(TextSize::Caption),
                 role(ColorRole::Text2));
        const auto percent = card.bar->share ? percentText(*card.bar->share) : QStringLiteral("\u2013");
        drawText(painter, line.adjusted(line.width() - 44, 0, 0, 0), percent,
                 theme.font(TextSize::Caption, QFont::DemiBold), role(hot ? ColorRole::Hot : ColorRole::Text),
                 Qt::AlignRight | Qt::AlignVCenter);
    }
    const auto height = withLabel ? 6.0 : 14.0;
    const QRectF track(12, withLabel ? 109 : 76, kCardWidth - 24, height);
    painter.setPen(Qt::NoPen);
    painter.setBrush(role(ColorRole::Track));
    painter.drawRoundedRect(track, height / 2, height / 2);
    if (!card.bar->share || *card.bar->share <= 0.0)
        return;
    // A sliver is never narrower than its round ends, so that little use is still seen.
    auto filled = track;
    filled.setWidth(std::max(height, track.width() * *card.bar->share));
    painter.setBrush(hot ? role(ColorRole::Hot) : theme.kind(card.kind));
    painter.drawRoundedRect(filled, height / 2, height / 2);
}

void drawPill(QPainter& painter, const CardLook& look) {
    const auto font = Theme::instance().font(TextSize::Caption, QFont::DemiBold);
    const auto text = tr("Bottleneck");
    const auto width = QFontMetricsF(font).horizontalAdvance(text) + 36;
    const QRectF pill(kCardWidth - width - 4, -kPillHeight + 3, width, kPillHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(role(ColorRole::Hot));
    painter.drawRoundedRect(pill, kPillHeight / 2, kPillHeight / 2);
    paintIcon(painter, QStringLiteral("flame"), role(ColorRole::OnHot), pill.topLeft() + QPointF(8, 4), 14,
              look);
    drawText(painter, pill.adjusted(26, 0, -4, 0), text, font, role(ColorRole::OnHot));
}

} // namespace

QRectF countBadgeRect(int count) {
    const auto width = std::max(28.0, QFontMetricsF(countFont()).horizontalAdvance(countText(count)) + 14);
    return {kCardWidth - 10 - width, (kCardHeader - 22) / 2, width, 22};
}

QRectF cardBounds() {
    return QRectF(0, 0, kCardWidth, kCardHeight).adjusted(-10, -kPillHeight, 14, 14);
}

void paintIcon(QPainter& painter, const QString& name, const QColor& color, QPointF topLeft, int size,
               const CardLook& look) {
    // Quarter steps keep the cache small while the zoom glides.
    const auto ratio = std::max(0.5, std::ceil(look.zoom * look.devicePixelRatio * 4) / 4);
    const auto pixmap = Theme::instance().pixmap(name, color, size, ratio);
    painter.save();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawPixmap(QRectF(topLeft, QSizeF(size, size)), pixmap, QRectF(pixmap.rect()));
    painter.restore();
}

void paintNodeCard(QPainter& painter, const NodeCard& card, const CardLook& look) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF body(0, 0, kCardWidth, kCardHeight);
    const auto border = role(ColorRole::BorderControl);

    for (int behind = card.count > 2 ? 2 : card.count - 1; behind > 0; --behind) {
        painter.setPen(QPen(border, 1));
        painter.setBrush(role(ColorRole::Surface));
        painter.drawRoundedRect(body.translated(behind * kStackStep, behind * kStackStep), kCardRadius,
                                kCardRadius);
    }

    QPainterPath outline;
    outline.addRoundedRect(body, kCardRadius, kCardRadius);
    painter.fillPath(outline, role(ColorRole::Surface));
    painter.save();
    painter.setClipPath(outline, Qt::IntersectClip);
    painter.fillRect(QRectF(0, 0, kCardWidth, kCardHeader), Theme::instance().kindTint(card.kind));
    painter.restore();

    drawHeader(painter, card, look);
    const bool few = look.zoom < kFewDetailsBelow;
    if (!few)
        drawFigures(painter, card);
    drawBar(painter, card, !few);

    const auto width = card.selected ? 3.0 : card.error.isEmpty() ? 1.0 : 2.0;
    painter.setPen(QPen(card.selected          ? role(ColorRole::Accent)
                        : card.error.isEmpty() ? border
                                               : role(ColorRole::Error),
                        width));
    painter.setBrush(Qt::NoBrush);
    const auto inset = card.selected ? 0.0 : width / 2;
    painter.drawRoundedRect(body.adjusted(inset, inset, -inset, -inset), kCardRadius, kCardRadius);
    if (card.bottleneck)
        drawPill(painter, look);
    painter.restore();
}

} // namespace heteroscape::widgets
