// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_style.h"

#include <QWidget>

namespace heteroscape::widgets {

/// The width of the legend's entries, and the entries from the left of a rectangle; at the right of it with
/// `right`.
double phaseLegendWidth(ChartStyle style);
void paintPhaseLegend(QPainter& painter, const QRectF& rect, ChartStyle style, bool right);

/// The colours of the phases, on the screen. Hides its entries where they do not fit. Follows the theme.
class RequestsLegend : public QWidget {
    Q_OBJECT
public:
    explicit RequestsLegend(QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace heteroscape::widgets
