// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/decisive.h"
#include "widgets/plots/chart.h"
#include "widgets/theme/plain_text.h"

#include <QFont>
#include <QPen>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

/// The series of the phases of a request, wherever they are drawn.
inline constexpr int kPrefillSeries = 0;
inline constexpr int kDecodeSeries = 2;
inline constexpr int kTransferSeries = 4;

/// How a part of the time of a batch looks wherever it is drawn. As timelines have them: what belongs
/// together has one hue.
ChartColor partColor(const engine::BatchPart& part);

/// A wait of decode that has the hue of another part.
bool isHatched(const engine::BatchPart& part);

/// How a chart is drawn: on the screen in the shown theme, or for an export: always light, on white.
struct ChartStyle {
    bool exported = false;

    QColor color(ChartColor which) const { return which.resolve(exported); }
    QColor role(ColorRole which) const { return ChartColor::role(which).resolve(exported); }
    QColor heat(double share) const {
        return exported ? Theme::lightHeat(share) : Theme::instance().heat(share);
    }
    /// The fill of a bar: its colour with some of the background in it.
    QColor tinted(ChartColor which, double tint) const {
        const auto full = color(which), ground = role(ColorRole::Surface);
        const auto mix = [tint](float from, float to) {
            return static_cast<float>(from + (to - from) * std::clamp(tint, 0.0, 0.8));
        };
        return QColor::fromRgbF(mix(full.redF(), ground.redF()), mix(full.greenF(), ground.greenF()),
                                mix(full.blueF(), ground.blueF()));
    }
    /// Exports: 9 pt (12 px at 96 dpi) throughout.
    QFont font(QFont::Weight weight = QFont::Normal) const {
        return Theme::instance().font(exported ? TextSize::Dense : TextSize::Caption, weight);
    }
    /// Exports: 1 pt lines, whatever their weight on the screen.
    double lineWidth(double onScreen) const { return exported ? 96.0 / 72.0 : onScreen; }
};

inline Qt::PenStyle penStyle(ChartDash dash) {
    constexpr Entry<ChartDash, Qt::PenStyle> kStyles[]{{ChartDash::Dashed, Qt::DashLine},
                                                       {ChartDash::Dotted, Qt::DotLine},
                                                       {ChartDash::DashDotted, Qt::DashDotLine}};
    return lookUp(kStyles, dash, Qt::SolidLine);
}

/// The ink that is read best on a fill: the darkest or the lightest colour of the palette.
inline QColor inkOn(const QColor& fill) {
    const auto luminance = [](const QColor& c) {
        const auto linear = [](float v) {
            return v <= 0.04045F ? v / 12.92F : std::pow((v + 0.055F) / 1.055F, 2.4F);
        };
        return 0.2126F * linear(c.redF()) + 0.7152F * linear(c.greenF()) + 0.0722F * linear(c.blueF());
    };
    const auto dark = Theme::lightColor(ColorRole::Text), light = Theme::lightColor(ColorRole::Surface);
    const float ground = luminance(fill) + 0.05F;
    return ground / (luminance(dark) + 0.05F) > (luminance(light) + 0.05F) / ground ? dark : light;
}

} // namespace heteroscape::widgets
