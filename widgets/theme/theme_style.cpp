// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme_style.h"

#include "widgets/theme/plain_text.h"
#include "widgets/theme/style_paint.h"
#include "widgets/theme/theme.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QGraphicsView>
#include <QHeaderView>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

namespace heteroscape::widgets {

namespace {

constexpr int kControlHeight = 26, kArrowWidth = 18;
constexpr int kBorder = 1, kButtonPadding = 10, kFlatPadding = 6, kToolPadding = 3, kFieldPadding = 6;
constexpr int kMenuLeft = 10, kMenuIcons = 28, kMenuRight = 24, kMenuItem = 5, kMenuLine = 9;
constexpr int kHeaderPadding = 10, kTabLine = 2, kHandle = 14;

bool isChip(const QWidget* widget) {
    return widget && widget->property("chip").toBool();
}
bool isPrimary(const QWidget* widget) {
    return widget && widget->property("primary").toBool();
}
bool isFlat(const QWidget* widget) {
    const auto* button = qobject_cast<const QPushButton*>(widget);
    return button && button->isFlat();
}

/// Of the list of a field in which every entry is whole, beside the bar that scrolls it.
int listWidth(const QComboBox& box) {
    const auto* list = box.view();
    const auto around = list->parentWidget()->contentsMargins();
    const int bar = box.count() > box.maxVisibleItems() ? list->verticalScrollBar()->sizeHint().width() : 0;
    return list->sizeHintForColumn(box.modelColumn()) + bar + 2 * list->frameWidth() + around.left() +
           around.right();
}

/// The parts of a scroll bar without arrows.
QRect barPart(const QStyleOptionSlider& bar, QStyle::SubControl part, int shortest) {
    const bool across = bar.orientation == Qt::Horizontal;
    const int whole = across ? bar.rect.width() : bar.rect.height();
    const auto range = static_cast<double>(bar.maximum) - bar.minimum;
    int length = whole;
    if (range > 0.0)
        length = std::clamp(static_cast<int>(whole * bar.pageStep / (range + bar.pageStep)),
                            std::min(shortest, whole), whole);
    const int start = QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition,
                                                      whole - length, bar.upsideDown);
    const auto stretch = [&](int from, int to) {
        return across ? QRect(from, 0, to - from, bar.rect.height())
                      : QRect(0, from, bar.rect.width(), to - from);
    };
    switch (part) {
    case QStyle::SC_ScrollBarSlider:
        return stretch(start, start + length);
    case QStyle::SC_ScrollBarGroove:
        return stretch(0, whole);
    case QStyle::SC_ScrollBarSubPage:
        return stretch(0, start);
    case QStyle::SC_ScrollBarAddPage:
        return stretch(start + length, whole);
    default:
        return {};
    }
}

} // namespace

bool ThemeStyle::isTextField(const QWidget* widget) {
    return qobject_cast<const QAbstractScrollArea*>(widget) &&
           !qobject_cast<const QAbstractItemView*>(widget) && !qobject_cast<const QScrollArea*>(widget) &&
           !qobject_cast<const QGraphicsView*>(widget);
}

ThemeStyle::ThemeStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

void ThemeStyle::polish(QWidget* widget) {
    stopGuessing(widget);
    QProxyStyle::polish(widget);
    const auto setWeight = [widget](QFont::Weight weight) {
        auto font = widget->font();
        font.setWeight(weight);
        widget->setFont(font);
    };
    if (isChip(widget))
        widget->setFont(Theme::instance().font(TextSize::Dense));
    else if (isPrimary(widget))
        setWeight(QFont::DemiBold);
    else if (isFlat(widget))
        setWeight(QFont::Medium);
    if (qobject_cast<QTabBar*>(widget) || qobject_cast<QHeaderView*>(widget))
        widget->setAttribute(Qt::WA_Hover);
    if (auto* view = qobject_cast<QAbstractItemView*>(widget)) {
        view->viewport()->setAttribute(Qt::WA_Hover);
        view->setBackgroundRole(QPalette::Base); // beside the bars too
        view->setAutoFillBackground(true);
    }
    if (qobject_cast<QScrollBar*>(widget))
        widget->setAttribute(Qt::WA_OpaquePaintEvent, false);
    if (qobject_cast<QProgressBar*>(widget))
        widget->setFixedHeight(6);
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
    } else if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
               bar && control == CC_ScrollBar) {
        part = barPart(*bar, subControl, pixelMetric(PM_ScrollBarSliderMin, option, widget));
        return visualRect(bar->direction, QRect(QPoint(), all.size()), part);
    } else if (const auto* box = qobject_cast<const QComboBox*>(widget);
               box && control == CC_ComboBox && subControl == SC_ComboBoxListBoxPopup) {
        part = all;
        part.setWidth(std::max(all.width(), listWidth(*box)));
    } else
        return QProxyStyle::subControlRect(control, option, subControl, widget);
    return visualRect(option->direction, all, part);
}

QRect ThemeStyle::subElementRect(SubElement element, const QStyleOption* option,
                                 const QWidget* widget) const {
    const auto all = option->rect;
    switch (element) {
    case SE_LineEditContents:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && frame->lineWidth > 0)
            return all.adjusted(kBorder + kFieldPadding, kBorder, -kBorder - kFieldPadding, -kBorder);
        return all;
    case SE_HeaderLabel: { // in a narrow column with less around it
        const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option);
        const int spare = header ? all.width() - header->fontMetrics.horizontalAdvance(header->text) : 0;
        const int padding = std::clamp(spare / 2, 2, kHeaderPadding);
        return all.adjusted(padding, 0, -padding, -kBorder);
    }
    case SE_PushButtonContents:
        return all;
    case SE_DockWidgetTitleBarText:
        return all.adjusted(12, 0, -12, 0);
    default:
        return QProxyStyle::subElementRect(element, option, widget);
    }
}

QSize ThemeStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const {
    switch (type) {
    case CT_ComboBox:
        return {size.width() + kArrowWidth + 12, std::max(kControlHeight, size.height() + 6)};
    case CT_SpinBox:
        return {size.width() + kArrowWidth + 8, std::max(kControlHeight, size.height() + 6)};
    case CT_PushButton:
        return {size.width() + 2 * (kBorder + (isFlat(widget) ? kFlatPadding : kButtonPadding)),
                std::max(kControlHeight, size.height() + 2 * kBorder)};
    case CT_ToolButton:
        if (isChip(widget))
            return {size.width() + 2 * (kBorder + kButtonPadding),
                    std::max(kControlHeight, size.height() + 2 * kBorder)};
        return size + QSize(2 * (kBorder + kToolPadding), 2 * (kBorder + kToolPadding));
    case CT_LineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
            frame && frame->lineWidth > 0)
            return {size.width() + 2 * (kBorder + kFieldPadding),
                    std::max(kControlHeight, size.height() + 2 * kBorder)};
        return size;
    case CT_MenuBarItem:
        return size + QSize(16, 8);
    case CT_MenuItem:
        return menuItemSize(*option, size);
    case CT_TabBarTab: {
        const bool inBar = widget && widget->objectName() == QStringLiteral("workspaces");
        return {size.width(), std::max(size.height(), inBar ? 38 : 30) + kTabLine};
    }
    case CT_HeaderSection: {
        auto section = QProxyStyle::sizeFromContents(type, option, size, widget);
        const int margin = pixelMetric(PM_HeaderMargin, option, widget);
        section.setWidth(section.width() + 2 * (kHeaderPadding - margin));
        section.setHeight(kControlHeight);
        return section;
    }
    case CT_ItemViewItem: {
        auto item = QProxyStyle::sizeFromContents(type, option, size, widget);
        if (qobject_cast<const QTreeView*>(widget))
            item.setHeight(std::max(item.height(), 25));
        else if (qobject_cast<const QListView*>(widget))
            item.setHeight(std::max(item.height(), 26));
        return item;
    }
    default:
        return QProxyStyle::sizeFromContents(type, option, size, widget);
    }
}

QSize ThemeStyle::menuItemSize(const QStyleOption& option, const QSize& size) const {
    const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(&option);
    if (!item)
        return size;
    if (item->menuItemType == QStyleOptionMenuItem::Separator)
        return {size.width(), kMenuLine};
    return {size.width() + menuTextStart(*item) + kMenuRight, std::max(size.height(), 16) + 2 * kMenuItem};
}

int ThemeStyle::menuTextStart(const QStyleOptionMenuItem& item) {
    return item.maxIconWidth > 0 || item.menuHasCheckableItems ? kMenuIcons : kMenuLeft;
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
    case PM_DefaultFrameWidth:
        if (widget && widget->inherits("QComboBoxPrivateContainer"))
            return kBorder + 4;
        if (qobject_cast<const QAbstractItemView*>(widget) || qobject_cast<const QScrollArea*>(widget) ||
            qobject_cast<const QGraphicsView*>(widget))
            return 0;
        if (isTextField(widget))
            return kBorder;
        break;
    case PM_FocusFrameHMargin: // beside the text of an item, less one
        return qobject_cast<const QTableView*>(widget) || isDroppedDown(widget) ? 5 : 2;
    case PM_MenuPanelWidth:
        return kBorder;
    case PM_MenuHMargin:
    case PM_MenuVMargin:
        return 4;
    case PM_MenuBarPanelWidth:
    case PM_MenuBarHMargin:
    case PM_MenuBarVMargin:
        return 0;
    case PM_MenuBarItemSpacing:
        return 2;
    case PM_MenuButtonIndicator:
        return qobject_cast<const QToolButton*>(widget) ? 0 : 14;
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
    case PM_TabBarTabVSpace:
    case PM_TabBarTabOverlap:
    case PM_TabBarBaseOverlap:
    case PM_TabBarTabShiftVertical:
        return 0;
    case PM_TabBarTabHSpace:
        return 24;
    case PM_ScrollBarExtent:
        return 10;
    case PM_ScrollBarSliderMin:
        return 28;
    case PM_SliderThickness:
        return 24;
    case PM_SliderLength:
    case PM_SliderControlThickness:
        return kHandle;
    case PM_SplitterWidth:
    case PM_DockWidgetSeparatorExtent:
        return 1;
    case PM_HeaderDefaultSectionSizeVertical:
        return 25;
    case PM_DockWidgetTitleMargin:
        return 8;
    case PM_ToolTipLabelFrameWidth:
        return 5;
    default:
        break;
    }
    return QProxyStyle::pixelMetric(metric, option, widget);
}

int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* returnData) const {
    // A list under its field, as everywhere else, instead of a menu that covers it.
    if (hint == SH_ComboBox_Popup || hint == SH_DialogButtonBox_ButtonsHaveIcons)
        return 0;
    if (hint == SH_Menu_Scrollable && widget && widget->property("scrolls").toBool())
        return 1;
    if (hint == SH_ToolTipLabel_Opacity)
        return 255;
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
