// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"

#include <QFont>

namespace heteroscape::widgets {

/// How a chart is drawn: on the screen in the shown theme, or for an export: always light, on white.
struct ChartStyle {
    bool exported = false;

    QColor color(ChartColor which) const { return which.resolve(exported); }
    QColor role(ColorRole which) const { return ChartColor::role(which).resolve(exported); }
    /// Exports: 9 pt (12 px at 96 dpi) throughout.
    QFont font(QFont::Weight weight = QFont::Normal) const {
        return Theme::instance().font(exported ? TextSize::Dense : TextSize::Caption, weight);
    }
    /// Exports: 1 pt lines, whatever their weight on the screen.
    double lineWidth(double onScreen) const { return exported ? 96.0 / 72.0 : onScreen; }
};

} // namespace heteroscape::widgets
