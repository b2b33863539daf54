// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <QCoreApplication>
#include <QMenu>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <algorithm>
#include <cmath>
#include <memory>

namespace heteroscape::widgets {

/// Words of the canvas that no class of its own says.
inline QString tr(const char* text) {
    return QCoreApplication::translate("Canvas", text);
}

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

// The measures of the canvas, in logical px at 100 %.

inline constexpr double kCardWidth = 212;
inline constexpr double kCardMargin = 12;
inline constexpr double kCardInner = kCardWidth - 2 * kCardMargin; ///< room between the margins
inline constexpr double kCardChipGap = 6;
inline constexpr double kCardHeight = 127;
inline constexpr double kCardHeader = 44;
inline constexpr double kCardRadius = 8;
inline constexpr double kPortRadius = 5.5;
inline constexpr double kPortReach = 12; ///< how near the pointer must come to take a port
inline constexpr double kPillHeight = 22;
inline constexpr double kCardPillMargin = 8; ///< beside a pill's words, and above and below them together
inline constexpr double kStackStep = 4;      ///< offset of each outline behind a card of several devices
inline constexpr double kOverlayRoom = 60;   ///< below the cards, for what floats over the canvas
inline constexpr double kSnap = 8;
inline constexpr double kDotPitch = 22;
inline constexpr double kLinkCorner = 8;
inline constexpr double kMinZoom = 0.05; ///< a thousand nodes fit a window
inline constexpr double kMaxZoom = 4.0;
inline constexpr double kFewDetailsBelow = 0.6; ///< zoom below which a card shows icon, name and bar only
inline constexpr double kPlainWiresBelow = 0.4; ///< zoom below which wires have no dots and square corners
inline constexpr double kBoxesBelow = 0.25;     ///< zoom below which cards are boxes and wires lines

/// How many outlines are seen behind a card of so many devices.
inline int stackedBehind(int count) {
    return std::clamp(count - 1, 0, 2);
}
inline QRectF cardRectAt(QPointF topLeft) {
    return {topLeft.x(), topLeft.y(), kCardWidth, kCardHeight};
}
inline QPointF toPoint(const engine::Position& position) {
    return {position.x, position.y};
}
inline engine::Position toPosition(QPointF point) {
    return {point.x(), point.y()};
}
inline QPointF snapped(QPointF point) {
    return {std::round(point.x() / kSnap) * kSnap, std::round(point.y() / kSnap) * kSnap};
}

} // namespace heteroscape::widgets
