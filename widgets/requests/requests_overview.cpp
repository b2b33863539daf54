// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_overview.h"

#include "widgets/requests/requests_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace heteroscape::widgets {

namespace {

constexpr double kFaintest = 0.22; ///< share as which the least is drawn
constexpr double kSteps = 32.0;    ///< shades, so that neighbours that look alike are one colour

using Shares = std::array<double, engine::kServingPhaseCount>;

} // namespace

QColor coverageColor(const Shares& share, ChartStyle style, double strength) {
    double sum = 0.0;
    for (const double part : share)
        sum += part;
    const auto ground = style.role(ColorRole::Surface);
    if (sum <= 0.0)
        return ground;
    const double scale = std::clamp(sum, kFaintest, 1.0) / sum * strength;
    double red = 0.0, green = 0.0, blue = 0.0, filled = 0.0;
    for (std::size_t i = 0; i < share.size(); ++i) {
        const auto color = style.color(phaseColor(static_cast<engine::ServingPhase>(i)));
        const double part = std::round(share[i] * scale * kSteps) / kSteps;
        filled += part;
        red += part * color.redF();
        green += part * color.greenF();
        blue += part * color.blueF();
    }
    const double rest = std::max(0.0, 1.0 - filled);
    const auto level = [rest](double mixed, double of) {
        return static_cast<float>(std::clamp(mixed + rest * of, 0.0, 1.0));
    };
    return QColor::fromRgbF(level(red, ground.redF()), level(green, ground.greenF()),
                            level(blue, ground.blueF()));
}

QImage overviewPicture(const RequestLanes& lanes, QSize dots, int leastDots, ChartStyle style) {
    QImage image(dots, QImage::Format_RGB32);
    image.fill(style.role(ColorRole::Sunken));
    const auto count = static_cast<int>(lanes.lanes().size());
    if (count == 0 || dots.isEmpty())
        return image;
    const int lines = std::min(count, std::max(1, dots.height() / std::max(leastDots, 1)));
    const auto columns = static_cast<std::size_t>(dots.width());
    const auto whole = lanes.whole();
    const double cell = whole.length() / dots.width();
    for (int line = 0; line < lines; ++line) {
        const int first = line * count / lines, last = std::max(first + 1, (line + 1) * count / lines);
        std::vector<Shares> shares(columns);
        for (int lane = first; lane < last; ++lane)
            for (const auto& mark :
                 lanes.bins().marks(static_cast<std::size_t>(lane), whole.from, whole.to, cell)) {
                const double from = (mark.start - whole.from) / cell, to = (mark.end - whole.from) / cell;
                auto column = static_cast<std::size_t>(std::max(0.0, std::floor(from)));
                for (; column < columns && static_cast<double>(column) < to; ++column) {
                    const auto left = static_cast<double>(column);
                    const double part = std::min(to, left + 1.0) - std::max(from, left);
                    for (std::size_t phase = 0; phase < mark.share.size(); ++phase)
                        shares[column][phase] += part * mark.share[phase] / (last - first);
                }
            }
        const int top = line * dots.height() / lines, bottom = (line + 1) * dots.height() / lines;
        const int gap = bottom - top > 2 * leastDots ? leastDots / 2 + leastDots % 2 : 0;
        for (std::size_t column = 0; column < columns; ++column) {
            if (std::all_of(shares[column].begin(), shares[column].end(),
                            [](double part) { return part <= 0.0; }))
                continue;
            const auto color = coverageColor(shares[column], style, 1.0).rgb();
            for (int y = top; y < bottom - gap; ++y)
                image.setPixel(static_cast<int>(column), y, color);
        }
    }
    return image;
}

} // namespace heteroscape::widgets
