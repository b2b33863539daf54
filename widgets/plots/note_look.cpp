// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/note_look.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "widgets/theme/theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

NoteEditor::NoteEditor(const QString& text, QWidget* parent) : QPlainTextEdit(text, parent) {
    setAccessibleName(tr("Words of the note"));
    setPlaceholderText(tr("Ctrl+Enter keeps it"));
    setTabChangesFocus(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    selectAll();
    connect(this, &QPlainTextEdit::textChanged, this, &NoteEditor::checkLength);
}

void NoteEditor::setZoom(double zoom) {
    auto font = Theme::instance().font(TextSize::Body);
    font.setPixelSize(std::max(font.pixelSize(), static_cast<int>(std::lround(font.pixelSize() * zoom))));
    setFont(font);
}

void NoteEditor::checkLength() {
    try {
        engine::checkText(toPlainText().toStdString(), {});
    } catch (const engine::Error&) {
        undo();
        emit tooLong(tr("A note has room for 4096 bytes"));
    }
}

void NoteEditor::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape)
        finish(false);
    else if (enter && event->modifiers().testFlag(Qt::ControlModifier))
        finish(true);
    else
        QPlainTextEdit::keyPressEvent(event);
}

void NoteEditor::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    // Its own menu, or another window for a moment, is no leaving.
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        finish(true);
}

void NoteEditor::finish(bool keep) {
    if (m_finished)
        return;
    m_finished = true;
    emit finished(keep);
}

namespace {
constexpr double kHeadWidth = 7;
} // namespace

QStringList noteLines(const QString& text, const QFont& font, double width) {
    QStringList lines;
    for (const auto& paragraph : text.split(u'\n')) {
        QTextLayout layout(paragraph, font);
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        layout.setTextOption(option);
        layout.beginLayout();
        bool any = false;
        for (auto line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(width);
            lines << paragraph.mid(line.textStart(), line.textLength());
            while (lines.back().endsWith(u' ')) // where it was broken
                lines.back().chop(1);
            any = true;
        }
        layout.endLayout();
        if (!any)
            lines << QString();
    }
    return lines;
}

QPointF edgeToward(const QRectF& box, QPointF to) {
    const auto way = to - box.center();
    const auto share =
        std::max(std::abs(way.x()) / (box.width() / 2), std::abs(way.y()) / (box.height() / 2));
    return share <= 1.0 ? to : box.center() + way / share;
}

void paintNoteArrow(QPainter& painter, const QLineF& arrow, const QColor& color) {
    const auto along = arrow.unitVector();
    const QPointF step(along.dx(), along.dy());
    const QPointF aside(-step.y(), step.x());
    const auto neck = arrow.p2() - step * std::min(kNoteArrowHead, arrow.length());
    painter.setPen(QPen(color, 1.5));
    painter.drawLine(arrow.p1(), neck);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(
        QPolygonF{arrow.p2(), neck + aside * (kHeadWidth / 2), neck - aside * (kHeadWidth / 2)});
}

} // namespace heteroscape::widgets

#include "moc_note_look.cpp"
