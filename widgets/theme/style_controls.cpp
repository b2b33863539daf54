// SPDX-License-Identifier: GPL-3.0-or-later
// How the controls look: another theme is a palette and a repaint.
#include "widgets/theme/style_paint.h"
#include "widgets/theme/theme_style.h"

#include <QAbstractItemView>
#include <QPainter>
#include <QStyleOption>

namespace heteroscape::widgets {

void ThemeStyle::drawMenuItem(const QStyleOptionMenuItem& item, QPainter* painter,
                              const QWidget* widget) const {
    const auto rect = item.rect;
    if (item.menuItemType == QStyleOptionMenuItem::Separator) {
        painter->fillRect(QRect(rect.left() + 6, rect.center().y(), rect.width() - 12, 1),
                          roleOf(ColorRole::Border));
        return;
    }
    const bool enabled = has(&item, State_Enabled);
    if (enabled && has(&item, State_Selected))
        drawBox(painter, rect, kRadius, roleOf(ColorRole::AccentSoft), {});
    const auto ink = roleOf(enabled ? ColorRole::Text : ColorRole::BorderControl);
    const QRect mark(rect.left() + 6, rect.top() + (rect.height() - 16) / 2, 16, 16);
    const bool checked = item.checkType != QStyleOptionMenuItem::NotCheckable && item.checked;
    if (!item.icon.isNull()) {
        if (checked)
            drawBox(painter, mark.adjusted(-2, -2, 2, 2), kRadius, roleOf(ColorRole::AccentSoft), {});
        item.icon.paint(painter, mark, Qt::AlignCenter, enabled ? QIcon::Normal : QIcon::Disabled,
                        checked ? QIcon::On : QIcon::Off);
    } else if (checked)
        drawTick(painter, mark, item.checkType == QStyleOptionMenuItem::Exclusive, ink);
    const auto parts = item.text.split(QLatin1Char('\t'));
    const int flags = Qt::AlignVCenter | Qt::TextSingleLine | Qt::TextDontClip |
                      (styleHint(SH_UnderlineShortcut, &item, widget, nullptr) ? Qt::TextShowMnemonic
                                                                               : Qt::TextHideMnemonic);
    painter->save();
    painter->setFont(item.font);
    painter->setPen(ink);
    auto text = rect.adjusted(menuTextStart(item), 0, -10, 0);
    painter->drawText(text, flags | Qt::AlignLeft, parts.front());
    if (parts.size() > 1) {
        text.setLeft(text.right() - item.reservedShortcutWidth - 8);
        painter->setPen(roleOf(enabled ? ColorRole::Muted : ColorRole::BorderControl));
        painter->drawText(text, flags | Qt::AlignRight, parts.back());
    }
    painter->restore();
    if (item.menuItemType == QStyleOptionMenuItem::SubMenu)
        drawChevron(painter, QPointF(rect.right() - 11, QRectF(rect).center().y()), -90, 3.5, ink);
}

void ThemeStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    const auto rect = option->rect;
    switch (element) {
    case CE_PushButton: {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        if (!button)
            break;
        const auto look = lookOf(option, widget, false);
        drawButton(painter, rect, look);
        auto label = *button;
        setTextColor(label.palette, look.text);
        const int room = rect.width() - 8 - (button->icon.isNull() ? 0 : button->iconSize.width() + 4) -
                         (button->features.testFlag(QStyleOptionButton::HasMenu) ? 14 : 0);
        label.text = button->fontMetrics.elidedText(button->text, Qt::ElideRight, room, Qt::TextShowMnemonic);
        QProxyStyle::drawControl(CE_PushButtonLabel, &label, painter, widget);
        if (button->features.testFlag(QStyleOptionButton::HasMenu))
            drawChevron(painter, QPointF(rect.right() - 13, QRectF(rect).center().y()), 0, 3.5,
                        has(option, State_Enabled) ? roleOf(ColorRole::Muted) : look.text);
        return;
    }
    case CE_MenuItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option))
            return drawMenuItem(*item, painter, widget);
        break;
    case CE_MenuEmptyArea:
    case CE_MenuBarEmptyArea:
        return;
    case CE_MenuBarItem: {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        if (!item)
            break;
        const bool lit = has(option, State_Selected) || has(option, State_Sunken);
        if (lit)
            drawBox(painter, rect, kRadius, roleOf(ColorRole::AccentSoft), {});
        painter->setPen(roleOf(lit ? ColorRole::Accent : ColorRole::Text2));
        painter->drawText(rect,
                          Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip |
                              (styleHint(SH_UnderlineShortcut, option, widget, nullptr)
                                   ? Qt::TextShowMnemonic
                                   : Qt::TextHideMnemonic),
                          item->text);
        return;
    }
    case CE_TabBarTabShape:
        if (has(option, State_HasFocus))
            painter->fillRect(rect, roleOf(ColorRole::AccentSoft));
        if (has(option, State_Selected) && !(widget && widget->property("none").toBool()))
            painter->fillRect(QRect(rect.left(), rect.bottom() - 1, rect.width(), 2),
                              roleOf(ColorRole::Accent));
        return;
    case CE_TabBarTabLabel: {
        const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        if (!tab)
            break;
        auto label = *tab;
        const bool chosen = (has(option, State_Selected) && !(widget && widget->property("none").toBool())) ||
                            has(option, State_HasFocus);
        setTextColor(label.palette, roleOf(!has(option, State_Enabled)    ? ColorRole::BorderControl
                                           : chosen                       ? ColorRole::Accent
                                           : has(option, State_MouseOver) ? ColorRole::Text
                                                                          : ColorRole::Text2));
        label.state &= ~State_HasFocus;
        QProxyStyle::drawControl(element, &label, painter, widget);
        return;
    }
    case CE_Header: { // Qt's own asks for the parts of Fusion
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (!header)
            break;
        auto part = *header;
        drawControl(CE_HeaderSection, &part, painter, widget);
        part.rect = subElementRect(SE_HeaderLabel, header, widget);
        drawControl(CE_HeaderLabel, &part, painter, widget);
        if (header->sortIndicator != QStyleOptionHeader::None) {
            part.rect = subElementRect(SE_HeaderArrow, header, widget);
            drawPrimitive(PE_IndicatorHeaderArrow, &part, painter, widget);
        }
        return;
    }
    case CE_HeaderSection:
    case CE_HeaderEmptyArea:
        painter->fillRect(rect, roleOf(ColorRole::Panel));
        if (element == CE_HeaderSection)
            fillLine(painter, rect, Qt::BottomEdge, ColorRole::Border);
        return;
    case CE_HeaderLabel: {
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        if (!header)
            break;
        auto label = *header;
        setTextColor(label.palette, roleOf(ColorRole::Muted));
        label.state &= ~State_On;
        QProxyStyle::drawControl(element, &label, painter, widget);
        return;
    }
    case CE_Splitter:
        if (!widget || !widget->property("bare").toBool())
            painter->fillRect(rect,
                              roleOf(has(option, State_MouseOver) ? ColorRole::Accent : ColorRole::Border));
        return;
    case CE_DockWidgetTitle:
        if (const auto* title = qstyleoption_cast<const QStyleOptionDockWidget*>(option)) {
            painter->fillRect(rect, roleOf(ColorRole::Panel));
            fillLine(painter, rect, Qt::BottomEdge, ColorRole::Border);
            painter->save();
            painter->setFont(Theme::instance().font(TextSize::Dense, QFont::DemiBold));
            painter->setPen(roleOf(ColorRole::Text));
            painter->drawText(rect.adjusted(12, 0, -12, 0),
                              Qt::AlignVCenter | Qt::AlignLeft | Qt::TextShowMnemonic, title->title);
            painter->restore();
            return;
        }
        break;
    case CE_ProgressBarGroove:
        drawBox(painter, rect, 3, roleOf(ColorRole::Track), {});
        return;
    case CE_ProgressBarLabel:
        return;
    case CE_ProgressBarContents:
        if (const auto* bar = qstyleoption_cast<const QStyleOptionProgressBar*>(option)) {
            const double range = std::max(1.0, static_cast<double>(bar->maximum) - bar->minimum);
            const double share =
                std::clamp((static_cast<double>(bar->progress) - bar->minimum) / range, 0.0, 1.0);
            auto done = QRectF(rect);
            done.setWidth(share * done.width());
            if (done.width() > 0.0)
                drawBox(painter, done, std::min(3.0, done.width() / 2), roleOf(ColorRole::Accent), {});
            return;
        }
        break;
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
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
    case PE_PanelButtonCommand:
        drawButton(painter, option->rect, lookOf(option, widget, false));
        return;
    case PE_PanelButtonTool:
        drawButton(painter, option->rect, lookOf(option, widget, true));
        return;
    case PE_PanelLineEdit:
    case PE_FrameLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && frame->lineWidth > 0)
            drawFieldFrame(painter, option, widget && widget->property("invalid").toBool());
        return;
    case PE_Frame:
        if (isTextField(widget))
            return drawFieldFrame(painter, option);
        if (widget && widget->inherits("QComboBoxPrivateContainer")) {
            painter->fillRect(option->rect, roleOf(ColorRole::Surface));
            drawBox(painter, option->rect, 0, {}, roleOf(ColorRole::Border));
            return;
        }
        if (qobject_cast<const QAbstractScrollArea*>(widget))
            return;
        break;
    case PE_PanelMenu:
        painter->fillRect(option->rect, roleOf(ColorRole::Surface));
        drawBox(painter, option->rect, 0, {}, roleOf(ColorRole::Border));
        return;
    case PE_FrameMenu:
    case PE_PanelMenuBar:
    case PE_FrameTabBarBase:
    case PE_FrameStatusBarItem:
    case PE_FrameDockWidget:
        return;
    case PE_PanelStatusBar:
        painter->fillRect(option->rect, roleOf(ColorRole::Panel));
        fillLine(painter, option->rect, Qt::TopEdge, ColorRole::Border);
        return;
    case PE_PanelTipLabel:
        painter->fillRect(option->rect, roleOf(ColorRole::Tooltip));
        return;
    case PE_IndicatorDockWidgetResizeHandle:
        painter->fillRect(option->rect,
                          roleOf(has(option, State_MouseOver) ? ColorRole::Accent : ColorRole::Border));
        return;
    case PE_IndicatorHeaderArrow:
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option))
            drawChevron(painter, QRectF(option->rect).center(),
                        header->sortIndicator & QStyleOptionHeader::SortUp ? 180 : 0, 3.0,
                        roleOf(ColorRole::Muted));
        return;
    case PE_PanelItemViewItem:
        if (const auto* item = qstyleoption_cast<const QStyleOptionViewItem*>(option))
            return drawItemBack(painter, *item, widget);
        break;
    case PE_FrameFocusRect: {
        if (qobject_cast<const QAbstractItemView*>(widget))
            return;
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(roleOf(ColorRole::Focus), 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(1, 1, -1, -1), kRadius, kRadius);
        painter->restore();
        return;
    }
    default:
        break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
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
    if (const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option)) {
        if (control == CC_ScrollBar)
            return drawScrollBar(painter, *slider,
                                 proxy()->subControlRect(control, option, SC_ScrollBarSlider, widget));
        if (control == CC_Slider && slider->orientation == Qt::Horizontal)
            return drawSlider(painter, *slider,
                              proxy()->subControlRect(control, option, SC_SliderHandle, widget));
    }
    if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        button && control == CC_ToolButton) {
        const auto look = lookOf(option, widget, true);
        drawButton(painter, button->rect, look);
        auto label = *button;
        setTextColor(label.palette, look.text);
        label.features &= ~QStyleOptionToolButton::HasMenu;
        label.state &= ~State_HasFocus;
        proxy()->drawControl(CE_ToolButtonLabel, &label, painter, widget);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
}

} // namespace heteroscape::widgets
