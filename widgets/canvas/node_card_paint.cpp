// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/node_card_paint.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/card_parts.h"
#include "widgets/canvas/layout_chips.h"
#include "widgets/canvas/tier_card_paint.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QColor role(ColorRole which) {
    return Theme::instance().color(which);
}

QFont countFont() {
    return Theme::instance().font(TextSize::Dense, QFont::DemiBold);
}

QFont pillFont() {
    return Theme::instance().font(TextSize::Caption, QFont::DemiBold);
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
        paintCardText(painter, badge, countText(card.count), countFont(), hue, Qt::AlignCenter);
        right = badge.left() - 6;
    }
    const bool wrong = !card.error.isEmpty() || !card.warning.isEmpty();
    if (wrong || !card.note.isEmpty()) {
        right -= 18;
        paintIcon(painter, wrong ? QStringLiteral("warning") : QStringLiteral("info"),
                  role(!wrong                 ? ColorRole::Muted
                       : card.error.isEmpty() ? ColorRole::Warning
                                              : ColorRole::Error),
                  {right, (kCardHeader - 18) / 2}, 18, look);
        right -= 2;
    }
    const auto left = 40.0;
    if (few) {
        // The name stays readable: it grows as the card shrinks, as far as the header has room.
        auto font = theme.font(TextSize::Body, QFont::DemiBold);
        font.setPixelSize(static_cast<int>(std::clamp(std::round(11.0 / look.zoom), 13.0, 26.0)));
        paintCardText(painter, {left, 0, right - left, kCardHeader}, card.name, font, role(ColorRole::Text));
        return;
    }
    paintCardText(painter, {left, 6, right - left, 17}, card.name,
                  theme.font(TextSize::Body, QFont::DemiBold), role(ColorRole::Text));
    paintCardText(painter, {left, 23, right - left, 15}, card.role, theme.font(TextSize::Caption),
                  role(ColorRole::Text2));
}

void drawQuantities(QPainter& painter, const NodeCard& card) {
    const auto& theme = Theme::instance();
    auto valueFont = theme.font(TextSize::Body, QFont::DemiBold);
    valueFont.setPixelSize(14);
    const auto width = (kCardWidth - 24) / 3;
    for (std::size_t i = 0; i < card.quantities.size(); ++i) {
        const auto x = 12 + static_cast<double>(i) * width;
        paintCardText(painter, {x, kCardHeader + 8, width - 2, 17}, card.quantities[i].value, valueFont,
                      role(ColorRole::Text));
        paintCardText(painter, {x, kCardHeader + 25, width - 2, 14}, card.quantities[i].unit,
                      theme.font(TextSize::Caption), role(ColorRole::Muted));
    }
}

void drawBar(QPainter& painter, const NodeCard& card, bool withLabel, double top) {
    if (!card.bar)
        return;
    const auto& theme = Theme::instance();
    const auto hot = card.bottleneck;
    if (withLabel) {
        const QRectF line(12, top, kCardWidth - 24, 16);
        paintCardText(painter, line.adjusted(0, 0, -44, 0), card.bar->label, theme.font(TextSize::Caption),
                      role(ColorRole::Text2));
        const auto percent = card.bar->share ? percentText(*card.bar->share) : QStringLiteral("\u2013");
        paintCardText(painter, line.adjusted(line.width() - 44, 0, 0, 0), percent,
                      theme.font(TextSize::Caption, QFont::DemiBold),
                      role(hot ? ColorRole::Hot : ColorRole::Text), Qt::AlignRight | Qt::AlignVCenter);
    }
    const auto height = withLabel ? 6.0 : 14.0;
    const QRectF track(12, withLabel ? top + 19 : top, kCardWidth - 24, height);
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

void drawTechniques(QPainter& painter, const NodeCard& card, const CardLayout& layout) {
    const auto font = Theme::instance().font(TextSize::Caption, QFont::Medium);
    for (std::size_t i = 0; i < layout.techniques.size(); ++i) {
        const auto& box = layout.techniques[i];
        painter.setPen(Qt::NoPen);
        painter.setBrush(role(ColorRole::AccentSoft));
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
        paintCardText(painter, box.adjusted(7, 0, -7, 0), card.techniques[i].text, font,
                      role(ColorRole::Accent), Qt::AlignCenter);
    }
}

void drawRemedies(QPainter& painter, const NodeCard& card, const CardLayout& layout) {
    const auto font = Theme::instance().font(TextSize::Caption, QFont::DemiBold);
    const auto pill = [&](const QRectF& box, const QString& text) {
        if (box.isEmpty())
            return;
        painter.setPen(QPen(role(ColorRole::Accent), 1));
        painter.setBrush(role(ColorRole::Surface));
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 11.5, 11.5);
        painter.setFont(font);
        painter.setPen(role(ColorRole::Accent));
        painter.drawText(box.adjusted(kCardPillMargin, 1, -kCardPillMargin, -1),
                         Qt::AlignCenter | Qt::TextWordWrap, text);
    };
    pill(layout.proposal, card.proposal);
    pill(layout.remedy, card.remedies.value(0));
    pill(layout.more, QStringLiteral("+%1").arg(card.remedies.size() - 1));
}

/// What stands below the quantities, from top to bottom.
void drawDetails(QPainter& painter, const NodeCard& card) {
    const auto layout = cardLayout(card);
    paintLayoutChips(painter, card.layout, layout.degrees);
    if (!card.chips.empty())
        paintChips(painter, card.chips, layout.chips);
    drawTechniques(painter, card, layout);
    if (card.path)
        paintCsdPath(painter, *card.path, card.kind, layout.path);
    if (!card.problem.isEmpty()) {
        paintProblem(painter, card.problem, layout.bars,
                     card.problemIsError ? ColorRole::Error : ColorRole::Warning);
        if (card.memory)
            paintTierParts(painter, *card.memory, {12, layout.bars + kProblemHeight, kCardWidth - 24, 8});
        drawRemedies(painter, card, layout);
    } else if (card.memory)
        paintTierBar(painter, *card.memory, card.bottleneck, layout.bars);
    else
        drawBar(painter, card, true, layout.bars);
    if (card.problem.isEmpty())
        drawRemedies(painter, card, layout);
}

/// Above the card's left corner: which side of every layer the node does.
void drawSide(QPainter& painter, const NodeCard& card) {
    if (card.side.isEmpty())
        return;
    const auto& theme = Theme::instance();
    const auto font = theme.font(TextSize::Caption, QFont::Medium);
    const double room = card.bottleneck ? kCardWidth - 112 : kCardWidth;
    const double width = std::min(room, QFontMetricsF(font).horizontalAdvance(card.side) + 24);
    const QRectF label(0, -kPillHeight, width, 20);
    const auto hue = theme.series(card.isAttention ? 0 : 2);
    auto soft = hue;
    soft.setAlphaF(0.16F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(soft);
    painter.drawRoundedRect(label, 4, 4);
    painter.fillRect(QRectF(label.left() + 6, label.center().y() - 4, 8, 8), hue);
    paintCardText(painter, label.adjusted(18, 0, -4, 0), card.side, font, role(ColorRole::Text));
}

/// What is left far away: how full or busy the node is.
void drawFarBar(QPainter& painter, const NodeCard& card) {
    const double top = 76;
    if (!card.problem.isEmpty() && card.problemIsError)
        return; // the error's border and sign say it
    if (card.memory)
        paintTierParts(painter, *card.memory, {12, top, kCardWidth - 24, 14});
    else
        drawBar(painter, card, false, top);
}

} // namespace

QRectF countBadgeRect(int count) {
    const auto width = std::max(28.0, QFontMetricsF(countFont()).horizontalAdvance(countText(count)) + 14);
    return {kCardWidth - 10 - width, (kCardHeader - 22) / 2, width, 22};
}

QRectF bottleneckPill(QPointF middle) {
    const auto width = QFontMetricsF(pillFont()).horizontalAdvance(tr("Bottleneck")) + 36;
    return {middle.x() - width / 2, middle.y() - kPillHeight / 2, width, kPillHeight};
}

void paintBottleneckPill(QPainter& painter, const QRectF& pill, const CardLook& look) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(role(ColorRole::Hot));
    painter.drawRoundedRect(pill, kPillHeight / 2, kPillHeight / 2);
    paintIcon(painter, QStringLiteral("flame"), role(ColorRole::OnHot), pill.topLeft() + QPointF(8, 4), 14,
              look);
    paintCardText(painter, pill.adjusted(26, 0, -4, 0), tr("Bottleneck"), pillFont(), role(ColorRole::OnHot));
}

double cardHeight(const NodeCard& card) {
    return cardLayout(card).height;
}

QRectF cardBounds(double height) {
    return QRectF(0, 0, kCardWidth, height).adjusted(-10, -kPillHeight, 14, 14);
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
    const QRectF body(0, 0, kCardWidth, cardHeight(card));
    const auto border = role(ColorRole::BorderControl);

    for (int behind = stackedBehind(card.count); behind > 0; --behind) {
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
    if (few) {
        drawFarBar(painter, card);
    } else {
        drawQuantities(painter, card);
        drawDetails(painter, card);
    }

    drawSide(painter, card);
    const auto width = card.selected ? 3.0 : card.error.isEmpty() ? 1.0 : 2.0;
    painter.setPen(QPen(card.selected          ? role(ColorRole::Accent)
                        : card.error.isEmpty() ? border
                                               : role(ColorRole::Error),
                        width));
    painter.setBrush(Qt::NoBrush);
    const auto inset = card.selected ? 0.0 : width / 2;
    painter.drawRoundedRect(body.adjusted(inset, inset, -inset, -inset), kCardRadius, kCardRadius);
    if (card.bottleneck) {
        auto pill = bottleneckPill({0, 0});
        pill.moveTopRight({kCardWidth - 4, 3 - kPillHeight});
        paintBottleneckPill(painter, pill, look);
    }
    painter.restore();
}

} // namespace heteroscape::widgets
