// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme_style.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>

namespace heteroscape::widgets {

namespace {

constexpr int kControlHeight = 26;
constexpr int kArrowWidth = 18;
constexpr double kRadius = 4.0;

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

/// The box of a field: surface with a control border, two accent pixels when focused.
void drawFieldFrame(QPainter* painter, const QStyleOption* option) {
    const bool enabled = has(option, QStyle::State_Enabled);
    const bool focus = enabled && has(option, QStyle::State_HasFocus);
    const double width = focus ? 2.0 : 1.0;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(roleOf(focus     ? ColorRole::Focus
                                : enabled ? ColorRole::BorderControl
                                          : ColorRole::Border),
                         width));
    painter->setBrush(roleOf(enabled ? ColorRole::Surface : ColorRole::Panel));
    painter->drawRoundedRect(QRectF(option->rect).adjusted(width / 2, width / 2, -width / 2, -width / 2),
                             kRadius, kRadius);
    painter->restore();
}

/// Of the list of a field in which every entry is whole, beside the bar that scrolls it.
int listWidth(const QComboBox& box) {
    const auto* list = box.view();
    const auto around = list->parentWidget()->contentsMargins();
    const int bar = box.count() > box.maxVisibleItems() ? list->verticalScrollBar()->sizeHint().width() : 0;
    return list->sizeHintForColumn(box.modelColumn()) + bar + 2 * list->frameWidth() + around.left() +
           around.right();
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
    if (round && on) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(mark);
        painter->drawEllipse(box.center(), side / 5, side / 5);
    } else if (on || partly) {
        painter->setPen(QPen(mark, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        const auto at = [&box](double x, double y) {
            return QPointF(box.left() + x * box.width(), box.top() + y * box.height());
        };
        painter->drawPolyline(partly ? QPolygonF({at(0.25, 0.5), at(0.75, 0.5)})
                                     : QPolygonF({at(0.22, 0.53), at(0.42, 0.72), at(0.78, 0.3)}));
    }
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

} // namespace

ThemeStyle::ThemeStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void ThemeStyle::polish(QWidget* widget) {
    stopGuessing(widget);
    QProxyStyle::polish(widget);
}

void ThemeStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    const auto ink = roleOf(has(option, State_Enabled) ? ColorRole::Muted : ColorRole::Border);
    switch (element) {
    case PE_IndicatorArrowDown:
    case PE_IndicatorArrowUp:
    case PE_IndicatorArrowLeft:
    case PE_IndicatorArrowRight:
        drawChevron(painter, QRectF(option->rect).center(), arrowDegrees(element), 3.5, ink);
        return;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawIndicator(painter, option, false);
        return;
    case PE_IndicatorRadioButton:
        drawIndicator(painter, option, true);
        return;
    case PE_IndicatorBranch:
        if (has(option, State_Children))
            drawChevron(painter, QRectF(option->rect).center(), has(option, State_Open) ? 0 : -90, 3.5, ink);
        return;
    case PE_FrameFocusRect: {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(roleOf(ColorRole::Focus), 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(1, 1, -1, -1), kRadius, kRadius);
        painter->restore();
        return;
    }
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void ThemeStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const {
    const auto ink = roleOf(has(option, State_Enabled) ? ColorRole::Muted : ColorRole::Border);
    if (control == CC_ComboBox) {
        if (option->subControls.testFlag(SC_ComboBoxFrame))
            drawFieldFrame(painter, option);
        const auto arrow = proxy()->subControlRect(control, option, SC_ComboBoxArrow, widget);
        drawChevron(painter, QRectF(arrow).center(), 0, 3.5, ink);
        return;
    }
    if (control == CC_SpinBox) {
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        if (spin && spin->frame && option->subControls.testFlag(SC_SpinBoxFrame))
            drawFieldFrame(painter, option);
        if (!spin || spin->buttonSymbols == QAbstractSpinBox::NoButtons)
            return;
        for (const bool up : {true, false}) {
            const auto part = up ? SC_SpinBoxUp : SC_SpinBoxDown;
            const auto can = spin->stepEnabled.testFlag(up ? QAbstractSpinBox::StepUpEnabled
                                                           : QAbstractSpinBox::StepDownEnabled);
            const bool lit = can && option->activeSubControls == part && has(option, State_MouseOver);
            const auto place = QRectF(proxy()->subControlRect(control, option, part, widget)).center();
            drawChevron(painter, place + QPointF(0, up ? 1 : -1), up ? 180 : 0, 2.5,
                        lit   ? roleOf(ColorRole::Accent)
                        : can ? ink
                              : roleOf(ColorRole::Border));
        }
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

QRect ThemeStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option,
                                 SubControl subControl, const QWidget* widget) const {
    const auto all = option->rect;
    QRect part;
    if (control == CC_ComboBox && subControl == SC_ComboBoxArrow)
        part = QRect(all.right() - kArrowWidth, all.top(), kArrowWidth, all.height());
    else if (control == CC_ComboBox && subControl == SC_ComboBoxEditField)
        part = all.adjusted(6, 2, -kArrowWidth - 2, -2);
    else if (control == CC_SpinBox && (subControl == SC_SpinBoxUp || subControl == SC_SpinBoxDown)) {
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        if (spin && spin->buttonSymbols == QAbstractSpinBox::NoButtons)
            return {};
        const auto half = all.height() / 2;
        part = subControl == SC_SpinBoxUp
                   ? QRect(all.right() - kArrowWidth + 2, all.top(), kArrowWidth - 2, half)
                   : QRect(all.right() - kArrowWidth + 2, all.top() + half, kArrowWidth - 2,
                           all.height() - half);
    } else if (control == CC_SpinBox && subControl == SC_SpinBoxEditField) {
        const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
        const bool buttons = spin && spin->buttonSymbols != QAbstractSpinBox::NoButtons;
        part = all.adjusted(5, 2, buttons ? -kArrowWidth + 1 : -5, -2);
    } else if (const auto* box = qobject_cast<const QComboBox*>(widget);
               box && control == CC_ComboBox && subControl == SC_ComboBoxListBoxPopup) {
        part = all;
        part.setWidth(std::max(all.width(), listWidth(*box)));
    } else
        return QProxyStyle::subControlRect(control, option, subControl, widget);
    return visualRect(option->direction, all, part);
}

QSize ThemeStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const {
    switch (type) {
    case CT_ComboBox:
        return {size.width() + kArrowWidth + 12, std::max(kControlHeight, size.height() + 6)};
    case CT_SpinBox:
        return {size.width() + kArrowWidth + 8, std::max(kControlHeight, size.height() + 6)};
    default:
        return QProxyStyle::sizeFromContents(type, option, size, widget);
    }
}

int ThemeStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
        return 15;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ToolBarIconSize:
    case PM_TabBarIconSize:
        return 16;
    case PM_ToolBarItemSpacing:
        return 4;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* returnData) const {
    // A list under its field, as everywhere else, instead of a menu that covers it.
    if (hint == SH_ComboBox_Popup || hint == SH_DialogButtonBox_ButtonsHaveIcons)
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, returnData);
}

QIcon ThemeStyle::standardIcon(StandardPixmap which, const QStyleOption* option,
                               const QWidget* widget) const {
    const auto& theme = Theme::instance();
    switch (which) {
    case SP_MessageBoxWarning:
        return theme.icon(QStringLiteral("warning"), ColorRole::Warning);
    case SP_MessageBoxCritical:
        return theme.icon(QStringLiteral("warning"), ColorRole::Error);
    case SP_MessageBoxInformation:
        return theme.icon(QStringLiteral("info"), ColorRole::Accent);
    case SP_MessageBoxQuestion:
        return theme.icon(QStringLiteral("help"), ColorRole::Accent);
    default:
        return QProxyStyle::standardIcon(which, option, widget);
    }
}

} // namespace heteroscape::widgets
