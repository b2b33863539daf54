// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/note_item.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/link_routing.h"
#include "widgets/plots/note_look.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kWordsLeft = 12;
constexpr double kWordsRight = 10;
constexpr double kWordsTop = 8;
constexpr double kStripe = 4; ///< along the left edge: a note is no card
constexpr double kNoteRadius = 4;
constexpr double kCornerSide = 14;

QFont noteFont(double zoom) {
    auto font = Theme::instance().font(TextSize::Body);
    if (zoom < kFewDetailsBelow) // as the names of cards, which grow as they shrink
        font.setPixelSize(static_cast<int>(std::clamp(std::round(11.0 / zoom), 13.0, 26.0)));
    return font;
}

} // namespace

double noteHeight(const QString& text, double width) {
    const auto font = noteFont(1.0);
    const auto lines = noteLines(text, font, width - kWordsLeft - kWordsRight);
    return std::ceil(static_cast<double>(lines.size()) * QFontMetricsF(font).lineSpacing() + 2 * kWordsTop);
}

QRectF NoteItem::rect() const {
    return {m_note.position.x, m_note.position.y, m_note.width, m_note.height};
}

QRectF NoteItem::cornerRect() const {
    return {rect().bottomRight() - QPointF(kCornerSide, kCornerSide), QSizeF(kCornerSide, kCornerSide)};
}

void NoteItem::show(const engine::Note& note, const std::optional<QLineF>& arrow) {
    if (note == m_note && arrow == m_arrow)
        return;
    prepareGeometryChange();
    m_note = note;
    m_arrow = arrow;
    update();
}

QRectF NoteItem::boundingRect() const {
    auto bounds = rect();
    if (m_arrow)
        bounds |= QRectF(m_arrow->p1(), m_arrow->p2()).normalized();
    return bounds.adjusted(-kNoteArrowHead, -kNoteArrowHead, kNoteArrowHead, kNoteArrowHead);
}

QPainterPath NoteItem::shape() const {
    QPainterPath path;
    path.addRect(rect());
    return path;
}

void NoteItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget* widget) {
    const auto& theme = Theme::instance();
    const auto zoom = widget ? m_scene.zoom() : 1.0; // a picture has room for every word
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintArrow(*painter);
    QPainterPath outline;
    outline.addRoundedRect(rect(), kNoteRadius, kNoteRadius);
    painter->fillPath(outline, theme.color(ColorRole::Panel));
    painter->save();
    painter->setClipPath(outline, Qt::IntersectClip);
    painter->fillRect(QRectF(rect().topLeft(), QSizeF(kStripe, rect().height())),
                      theme.color(ColorRole::Baseline));
    painter->restore();
    painter->setPen(
        QPen(theme.color(m_selected ? ColorRole::Accent : ColorRole::BorderControl), m_selected ? 3 : 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(outline);
    if (zoom >= kBoxesBelow)
        paintWords(*painter, zoom);
    if (widget && (m_selected || m_hovered))
        paintHandles(*painter);
    painter->restore();
}

void NoteItem::paintArrow(QPainter& painter) const {
    if (!m_arrow)
        return;
    paintNoteArrow(painter, *m_arrow,
                   Theme::instance().color(m_selected ? ColorRole::Accent : ColorRole::Text2));
}

void NoteItem::paintWords(QPainter& painter, double zoom) const {
    const auto font = noteFont(zoom);
    const QFontMetricsF metrics(font);
    const auto box = rect().adjusted(kWordsLeft, kWordsTop, -kWordsRight, -kWordsTop);
    const auto lines = noteLines(QString::fromStdString(m_note.text), font, box.width());
    const auto room =
        std::max<qsizetype>(1, static_cast<qsizetype>((box.height() + 0.5) / metrics.lineSpacing()));
    painter.setFont(font);
    painter.setPen(Theme::instance().color(ColorRole::Text));
    painter.setClipRect(rect(), Qt::IntersectClip);
    for (qsizetype i = 0; i < std::min(room, lines.size()); ++i) {
        const bool cut = i + 1 == room && room < lines.size();
        const auto text =
            cut ? metrics.elidedText(lines[i] + QStringLiteral("\u2026"), Qt::ElideRight, box.width())
                : lines[i];
        painter.drawText(QPointF(box.left(), box.top() + metrics.ascent() +
                                                 static_cast<double>(i) * metrics.lineSpacing()),
                         text);
    }
    painter.setClipping(false);
}

void NoteItem::paintHandles(QPainter& painter) const {
    const auto& theme = Theme::instance();
    painter.setPen(QPen(theme.color(ColorRole::Text2), 1.5));
    const auto corner = rect().bottomRight();
    for (const double inset : {6.0, 10.0})
        painter.drawLine(corner - QPointF(inset, 3), corner - QPointF(3, inset));
    painter.setPen(QPen(theme.color(ColorRole::Text2), 2));
    painter.setBrush(theme.color(ColorRole::Surface));
    for (const auto& point : sideMiddles(rect()))
        painter.drawEllipse(point, kPortRadius - 1, kPortRadius - 1);
}

} // namespace heteroscape::widgets
