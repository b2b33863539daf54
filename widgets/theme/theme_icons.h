// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QIconEngine>
#include <QPen>
#include <QRectF>

#include <functional>

namespace heteroscape::widgets {

/// A QIcon of resources/icons/<name>.svg, rendered with the SVG library itself (no image plugin needed).
/// It looks its colour up when painted, so that it follows the theme by itself.
/// On (checked, current tab) is the accent for plain icons; disabled is the colour of control borders.
class ThemeIconEngine : public QIconEngine {
public:
    ThemeIconEngine(QString name, ColorRole role) : m_name(std::move(name)), m_role(role) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override;
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override;
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override;
    QIconEngine* clone() const override { return new ThemeIconEngine(*this); }

private:
    QColor color(QIcon::Mode mode, QIcon::State state) const;

    QString m_name;
    ColorRole m_role;
};

/// Words in a box as tool tips have it.
void paintTip(QPainter& painter, const QRectF& box, const QString& text, const QFont& font);

/// Slanted lines over an area, `spacing` px apart, cut at its edge.
void strokeHatch(QPainter& painter, const QRectF& area, const QPen& pen, double spacing);

/// An icon that `paint` draws into the square that it is given, whenever it is shown: sharp at every size,
/// and nothing of it is kept.
QIcon paintedIcon(std::function<void(QPainter& painter, const QRectF& square)> paint);

} // namespace heteroscape::widgets
