// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the overlay that shows notes with their arrows.
#include "widgets/plots/chart_overlay.h"
#include "widgets/plots/note_look.h"

#include <QFontMetricsF>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr QMarginsF kNoteWords(10, 6, 8, 6); // around them
constexpr double kNoteEdge = 3;              // a stripe at the left, as on the canvas
constexpr double kNoteCorner = 4;

QStringList wordsOf(const ChartNote& note, const QFont& font) {
    return noteLines(note.text, font, note.width - kNoteWords.left() - kNoteWords.right());
}

} // namespace

QRectF ChartOverlay::noteBox(const ChartNote& note) const {
    const auto font = m_style.font();
    const auto lines = static_cast<double>(wordsOf(note, font).size());
    QRectF box(pixel(note.x, note.y) + note.offset,
               QSizeF(note.width,
                      lines * QFontMetricsF(font).lineSpacing() + kNoteWords.top() + kNoteWords.bottom()));
    const auto within = area();
    box.moveLeft(std::max(within.left(), std::min(box.left(), within.right() - box.width())));
    box.moveTop(std::max(within.top(), std::min(box.top(), within.bottom() - box.height())));
    return box;
}

void ChartOverlay::drawNotes(QCPPainter& painter) const {
    const auto font = m_style.font();
    const QFontMetricsF metrics(font);
    for (const auto& note : m_chart->notes) {
        const auto tip = pixel(note.x, note.y);
        if (!area().adjusted(-1, -1, 1, 1).contains(tip))
            continue; // panned away
        const auto box = noteBox(note);
        const auto ink = m_style.role(note.chosen ? ColorRole::Accent : ColorRole::Text2);
        if (!box.contains(tip))
            paintNoteArrow(painter, {edgeToward(box, tip), tip}, ink);
        QPainterPath outline;
        outline.addRoundedRect(box, kNoteCorner, kNoteCorner);
        painter.fillPath(outline, m_style.role(ColorRole::Panel));
        painter.save();
        painter.setClipPath(outline, Qt::IntersectClip);
        painter.fillRect(QRectF(box.topLeft(), QSizeF(kNoteEdge, box.height())),
                         m_style.role(ColorRole::Baseline));
        painter.restore();
        painter.setPen(QPen(m_style.role(note.chosen ? ColorRole::Accent : ColorRole::BorderControl),
                            note.chosen ? 2 : 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(outline);
        painter.setFont(font);
        painter.setPen(m_style.role(ColorRole::Text));
        auto at = box.topLeft() + QPointF(kNoteWords.left(), kNoteWords.top() + metrics.ascent());
        for (const auto& line : wordsOf(note, font)) {
            painter.drawText(at, line);
            at.ry() += metrics.lineSpacing();
        }
    }
}

} // namespace heteroscape::widgets
