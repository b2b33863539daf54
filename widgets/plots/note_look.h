// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QLineF>
#include <QPlainTextEdit>
#include <QRectF>
#include <QStringList>

class QPainter;

namespace heteroscape::widgets {

/// The words of one note, typed in place: Ctrl+Enter or leaving keeps them, Esc does not. More than a design
/// can hold is not taken.
class NoteEditor : public QPlainTextEdit {
    Q_OBJECT
public:
    NoteEditor(const QString& text, QWidget* parent);

    void setZoom(double zoom); ///< of the canvas: words are never smaller than at 100 %

signals:
    void finished(bool keep);             ///< once, whichever way it ends
    void tooLong(const QString& message); ///< what was typed last is taken back

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void finish(bool keep);
    void checkLength();

    bool m_finished = false;
};

inline constexpr double kNoteArrowHead = 9; ///< px along the arrow

/// A note's text broken into the lines that it has at a width.
QStringList noteLines(const QString& text, const QFont& font, double width);

/// Where the way from the middle of a box to a point leaves the box; the point itself where it lies within.
QPointF edgeToward(const QRectF& box, QPointF to);

/// From its first point to its tip.
void paintNoteArrow(QPainter& painter, const QLineF& arrow, const QColor& color);

} // namespace heteroscape::widgets
