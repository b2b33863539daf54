// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProxyStyle>

class QStyleOptionMenuItem;

namespace heteroscape::widgets {

/// The look of every control, painted from colour roles over the metrics of Fusion. There is no style sheet:
/// with one, however small, Qt 6.4 takes 1.7 times as long to make a window, fifteen times to change its
/// theme. What differs from others of its class says so by a property: buttons `primary`, `flat` and `chip`,
/// fields `invalid`, tab bars in which nothing is chosen `none`, splitters without a line `bare`, menus that
/// scroll instead of having columns `scrolls`. Message boxes show the program's own icons, and labels plain
/// text unless they say otherwise.
class ThemeStyle : public QProxyStyle {
public:
    ThemeStyle();

    using QProxyStyle::polish;
    void polish(QWidget* widget) override;

    // How it looks (style_controls.cpp):
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;

    // How large it is:
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl subControl,
                         const QWidget* widget) const override;
    QRect subElementRect(SubElement element, const QStyleOption* option,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                           const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returnData) const override;
    QIcon standardIcon(StandardPixmap which, const QStyleOption* option,
                       const QWidget* widget) const override;

private:
    static bool isTextField(const QWidget* widget); ///< of several lines
    QSize menuItemSize(const QStyleOption& option, const QSize& size) const;
    static int menuTextStart(const QStyleOptionMenuItem& item); ///< from its left edge
    void drawMenuItem(const QStyleOptionMenuItem& item, QPainter* painter, const QWidget* widget) const;
};

} // namespace heteroscape::widgets
