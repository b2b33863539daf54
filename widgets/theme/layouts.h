// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QMargins>
#include <QString>
#include <QVBoxLayout>

class QAction;
class QMenu;

namespace heteroscape::widgets {

/// A line of a menu that says what the entries below it are about; nothing happens when it is clicked.
/// QMenu::addSection() does not do: whether its text is shown is the style's.
QAction* addHeading(QMenu* menu, const QString& text);

/// The layout of a widget: from top to bottom, with these margins and this gap, px.
inline QVBoxLayout* makeColumn(QWidget* parent, const QMargins& margins = {}, int gap = 0) {
    auto* column = new QVBoxLayout(parent);
    column->setContentsMargins(margins);
    column->setSpacing(gap);
    return column;
}

/// The same from left to right.
inline QHBoxLayout* makeRow(QWidget* parent, const QMargins& margins = {}, int gap = 0) {
    auto* row = new QHBoxLayout(parent);
    row->setContentsMargins(margins);
    row->setSpacing(gap);
    return row;
}

/// Lets a widget that comes and goes lie over the head or the foot of a view, so that it moves nothing there:
/// as wide as the view less a margin on both sides, `widest` px at most, as high as it needs.
void floatOver(QWidget* widget, QWidget* view, Qt::Edge edge, int margin = 16, int widest = 760);

} // namespace heteroscape::widgets
