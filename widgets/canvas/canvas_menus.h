// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

#include <memory>

namespace heteroscape::widgets {

// Menus of the canvas: its view handles the keys itself, so that they only show them.

inline void showKey(QAction* action, const QKeySequence& key) {
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
}

inline void addSubmenu(QMenu& menu, std::unique_ptr<QMenu> sub, const QKeySequence& key = {}) {
    if (!sub)
        return;
    auto* shown = sub.release();
    shown->setParent(&menu, shown->windowFlags());
    showKey(menu.addMenu(shown), key);
}

inline void popUp(std::unique_ptr<QMenu> menu, QWidget* view, QPoint globalPoint) {
    auto* shown = menu.release();
    shown->setParent(view, shown->windowFlags());
    shown->setAttribute(Qt::WA_DeleteOnClose);
    shown->popup(globalPoint);
}

inline std::unique_ptr<QMenu> namedMenu(const QString& name) {
    auto menu = std::make_unique<QMenu>(name);
    menu->setAccessibleName(name);
    return menu;
}

} // namespace heteroscape::widgets
