// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QColor>
#include <QStyle>

class QPainter;
class QPalette;
class QStyleOption;
class QStyleOptionSlider;
class QStyleOptionViewItem;
class QWidget;

namespace heteroscape::widgets {

// What ThemeStyle paints controls with, all from colour roles.

inline constexpr double kRadius = 4.0; ///< of corners, px

QColor roleOf(ColorRole role);
bool has(const QStyleOption* option, QStyle::StateFlag flag);

/// A filled box with a border within its edges; a colour that is none is not drawn.
void drawBox(QPainter* painter, const QRectF& rect, double radius, const QColor& fill, const QColor& border,
             double width = 1.0);
void fillLine(QPainter* painter, const QRect& rect, Qt::Edge edge, ColorRole role); ///< 1 px along an edge
void drawChevron(QPainter* painter, QPointF middle, double degrees, double half, const QColor& color);
double arrowDegrees(QStyle::PrimitiveElement element); ///< of one of PE_IndicatorArrow..., from pointing down

/// The box of a field: surface with a control border, two accent pixels when focused, red ones when invalid.
void drawFieldFrame(QPainter* painter, const QStyleOption* option, bool invalid = false);
void drawIndicator(QPainter* painter, const QStyleOption* option,
                   bool round); ///< of a check box or radio button
void drawTick(QPainter* painter, const QRectF& box, bool dot, const QColor& color);

/// What a button looks like as it is: see the properties of ThemeStyle.
struct ButtonLook {
    QColor fill, border, text;
    double radius = kRadius, width = 1.0;
};
ButtonLook lookOf(const QStyleOption* option, const QWidget* widget, bool tool);
void drawButton(QPainter* painter, const QRect& rect, const ButtonLook& look);
void setTextColor(QPalette& palette, const QColor& color); ///< of whatever draws words with it

/// Whether a list is one that a combo box drops down: its entries are rounded.
bool isDroppedDown(const QWidget* widget);
void drawItemBack(QPainter* painter, const QStyleOptionViewItem& item, const QWidget* widget);
void drawScrollBar(QPainter* painter, const QStyleOptionSlider& bar, const QRect& handle);
void drawSlider(QPainter* painter, const QStyleOptionSlider& slider, const QRect& handle);

} // namespace heteroscape::widgets
