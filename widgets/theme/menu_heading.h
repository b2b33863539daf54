// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QAction;
class QMenu;

namespace heteroscape::widgets {

/// A line of a menu that says what the entries below it are about; nothing happens when it is clicked.
/// QMenu::addSection() does not do: with a style sheet for separators its text is not shown.
QAction* addHeading(QMenu* menu, const QString& text);

} // namespace heteroscape::widgets
