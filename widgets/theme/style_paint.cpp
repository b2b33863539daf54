// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/style_paint.h"

#include <QListView>
#include <QPainter>
#include <QStyleOption>
#include <QTreeView>

namespace heteroscape::widgets {

QColor roleOf(ColorRole role) {
    return Theme::instance().color(role);
}

bool has(const QStyleOption* option, QStyle::StateFlag flag) {
    return option->state.testFlag(flag);
}

void drawChevron(QPainter* painter, QPointF middle, double degrees, double half, const QColor& color) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(middle);
    painter->rotate(degrees);
    painter->setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(Qt::NoBrush);
    painter->drawPolyline(QPolygonF({{-half, -half / 2}, {0.0, half / 2}, {half, -half / 2}}));
    painter->restore();
}

void drawFieldFrame(QPainter* painter, const QStyleOption* option, bool invalid) {
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool focus = enabled && has(option, QStyle::State_HasFocus);
    const double width = focus || invalid ? 2.0 : 1.0;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(roleOf(invalid   ? ColorRole::Error
                                : focus   ? ColorRole::Focus
                                : enabled ? ColorRole::BorderControl
                                          : ColorRole::Border),
                         width));
    painter->setBrush(roleOf(enabled ? ColorRole::Surface : ColorRole::Panel));
    painter->drawRoundedRect(QRectF(option->rect).adjusted(width / 2, width / 2, -width / 2, -width / 2),
                             kRadius, kRadius);
    painter->restore();
}

void drawIndicator(QPainter* painter, const QStyleOption* option, bool round) {
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool on = has(option, QStyle::State_On);
    const bool partly = has(option, QStyle::State_NoChange);
    const auto side = std::min(option->rect.width(), option->rect.height()) - 1.0;
    QRectF box(0, 0, side, side);
    box.moveCenter(QRectF(option->rect).center());
    const auto filled = roleOf(enabled ? ColorRole::Accent : ColorRole::BorderControl);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(
        QPen(on || partly ? filled : roleOf(enabled ? ColorRole::BorderControl : ColorRole::Border), 1.3));
    painter->setBrush(on || partly ? filled : roleOf(enabled ? ColorRole::Surface : ColorRole::Panel));
    if (round)
        painter->drawEllipse(box);
    else
        painter->drawRoundedRect(box, 3, 3);
    const auto mark = roleOf(ColorRole::OnAccent);
    if (!round && partly) {
        painter->setPen(QPen(mark, 1.8, Qt::SolidLine, Qt::RoundCap));
        painter->drawLine(box.center() - QPointF(box.width() / 4, 0),
                          box.center() + QPointF(box.width() / 4, 0));
    } else if (on)
        drawTick(painter, box, round, mark);
    painter->restore();
}

double arrowDegrees(QStyle::PrimitiveElement element) {
    switch (element) {
    case QStyle::PE_IndicatorArrowUp:
        return 180;
    case QStyle::PE_IndicatorArrowLeft:
        return 90;
    case QStyle::PE_IndicatorArrowRight:
        return -90;
    default:
        return 0;
    }
}

void drawBox(QPainter* painter, const QRectF& rect, double radius, const QColor& fill, const QColor& border,
             double width) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(fill.isValid() ? QBrush(fill) : QBrush(Qt::NoBrush));
    painter->setPen(border.isValid() ? QPen(border, width) : QPen(Qt::NoPen));
    const double half = border.isValid() ? width / 2.0 : 0.0;
    painter->drawRoundedRect(rect.adjusted(half, half, -half, -half), radius, radius);
    painter->restore();
}

namespace {

bool isPressed(const QStyleOption* option) {
    return has(option, QStyle::State_Sunken) || has(option, QStyle::State_On);
}

ButtonLook plainLook(const QStyleOption* option) {
    ButtonLook look{roleOf(ColorRole::Surface), roleOf(ColorRole::BorderControl), roleOf(ColorRole::Text)};
    if (!has(option, QStyle::State_Enabled))
        return {roleOf(ColorRole::Panel), roleOf(ColorRole::Border), roleOf(ColorRole::BorderControl)};
    if (isPressed(option))
        look = {roleOf(ColorRole::AccentSoft), roleOf(ColorRole::Accent), roleOf(ColorRole::Accent)};
    else if (has(option, QStyle::State_MouseOver))
        look.fill = roleOf(ColorRole::Sunken);
    return look;
}

ButtonLook primaryLook(const QStyleOption* option) {
    if (!has(option, QStyle::State_Enabled))
        return {roleOf(ColorRole::Track), roleOf(ColorRole::Track), roleOf(ColorRole::Muted)};
    const bool over = has(option, QStyle::State_MouseOver);
    return {roleOf(ColorRole::Accent), roleOf(over ? ColorRole::Text : ColorRole::Accent),
            roleOf(ColorRole::OnAccent)};
}

ButtonLook flatLook(const QStyleOption* option) {
    ButtonLook look;
    const bool enabled = has(option, QStyle::State_Enabled);
    look.text = roleOf(enabled ? ColorRole::Accent : ColorRole::BorderControl);
    if (enabled && has(option, QStyle::State_MouseOver))
        look.fill = roleOf(ColorRole::AccentSoft);
    return look;
}

ButtonLook chipLook(const QStyleOption* option) {
    auto look = plainLook(option);
    look.radius = 13.0;
    if (has(option, QStyle::State_Enabled) && !has(option, QStyle::State_On)) {
        look.text = roleOf(ColorRole::Text2);
        look.border = roleOf(ColorRole::BorderControl);
        look.fill = roleOf(has(option, QStyle::State_MouseOver) ? ColorRole::Sunken : ColorRole::Surface);
    }
    return look;
}

ButtonLook toolLook(const QStyleOption* option) {
    ButtonLook look;
    look.radius = 5.0;
    const bool enabled = has(option, QStyle::State_Enabled);
    look.text = roleOf(enabled ? ColorRole::Text2 : ColorRole::BorderControl);
    if (enabled && isPressed(option)) {
        look.fill = roleOf(ColorRole::AccentSoft);
        look.text = roleOf(ColorRole::Accent);
    } else if (enabled && has(option, QStyle::State_MouseOver))
        look.fill = roleOf(ColorRole::Sunken);
    return look;
}

} // namespace

ButtonLook lookOf(const QStyleOption* option, const QWidget* widget, bool tool) {
    const auto is = [widget](const char* property) { return widget && widget->property(property).toBool(); };
    auto look = is("chip")      ? chipLook(option)
                : tool          ? toolLook(option)
                : is("primary") ? primaryLook(option)
                : is("flat")    ? flatLook(option)
                                : plainLook(option);
    if (has(option, QStyle::State_HasFocus) && has(option, QStyle::State_Enabled)) {
        look.border = roleOf(is("primary") ? ColorRole::Text : ColorRole::Focus);
        look.width = 2.0;
    }
    return look;
}

void drawButton(QPainter* painter, const QRect& rect, const ButtonLook& look) {
    drawBox(painter, rect, look.radius, look.fill, look.border, look.width);
}

void setTextColor(QPalette& palette, const QColor& color) {
    for (const auto role : {QPalette::WindowText, QPalette::ButtonText, QPalette::Text})
        palette.setColor(role, color);
}

void fillLine(QPainter* painter, const QRect& rect, Qt::Edge edge, ColorRole role) {
    auto line = rect;
    if (edge == Qt::BottomEdge)
        line.setTop(rect.bottom());
    else
        line.setBottom(rect.top());
    painter->fillRect(line, roleOf(role));
}

bool isDroppedDown(const QWidget* widget) {
    return widget && widget->parentWidget() && widget->parentWidget()->inherits("QComboBoxPrivateContainer");
}

void drawItemBack(QPainter* painter, const QStyleOptionViewItem& item, const QWidget* widget) {
    if (item.backgroundBrush.style() != Qt::NoBrush)
        painter->fillRect(item.rect, item.backgroundBrush);
    const bool selected = has(&item, QStyle::State_Selected), over = has(&item, QStyle::State_MouseOver);
    if (isDroppedDown(widget)) {
        if (selected || over)
            drawBox(painter, item.rect, kRadius, roleOf(ColorRole::AccentSoft), {});
        return;
    }
    const bool lit =
        over && (qobject_cast<const QTreeView*>(widget) || qobject_cast<const QListView*>(widget));
    if (selected)
        painter->fillRect(item.rect, roleOf(ColorRole::Selection));
    else if (lit && has(&item, QStyle::State_Enabled))
        painter->fillRect(item.rect, roleOf(ColorRole::Sunken));
}

void drawScrollBar(QPainter* painter, const QStyleOptionSlider& bar, const QRect& handle) {
    const bool lit = has(&bar, QStyle::State_Enabled) && has(&bar, QStyle::State_MouseOver) &&
                     bar.activeSubControls == QStyle::SC_ScrollBarSlider;
    drawBox(painter, QRectF(handle).adjusted(2, 2, -2, -2), 3,
            roleOf(lit ? ColorRole::Muted : ColorRole::BorderControl), {});
}

void drawSlider(QPainter* painter, const QStyleOptionSlider& slider, const QRect& handle) {
    const bool enabled = has(&slider, QStyle::State_Enabled);
    const auto ink = roleOf(enabled ? ColorRole::Accent : ColorRole::BorderControl);
    const double middle = QRectF(slider.rect).center().y();
    const QRectF groove(slider.rect.left(), middle - 2.0, slider.rect.width(), 4.0);
    drawBox(painter, groove, 2, roleOf(ColorRole::Border), {});
    auto before = groove;
    before.setRight(QRectF(handle).center().x());
    drawBox(painter, before, 2, ink, {});
    const bool lit = enabled && (has(&slider, QStyle::State_HasFocus) ||
                                 (has(&slider, QStyle::State_MouseOver) &&
                                  slider.activeSubControls.testFlag(QStyle::SC_SliderHandle)));
    const double side = handle.width();
    QRectF knob(0, 0, side, side);
    knob.moveCenter({QRectF(handle).center().x(), middle});
    drawBox(painter, knob, side / 2, roleOf(lit ? ColorRole::Accent : ColorRole::Surface), ink, 2);
}

void drawTick(QPainter* painter, const QRectF& box, bool dot, const QColor& color) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(dot ? QPen(Qt::NoPen) : QPen(color, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->setBrush(dot ? QBrush(color) : QBrush(Qt::NoBrush));
    const auto at = [&box](double x, double y) {
        return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
    };
    if (dot)
        painter->drawEllipse(box.center(), box.width() / 5, box.height() / 5);
    else
        painter->drawPolyline(QPolygonF({at(0.22, 0.53), at(0.42, 0.72), at(0.78, 0.3)}));
    painter->restore();
}

} // namespace heteroscape::widgets
