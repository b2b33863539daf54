// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/line_density.h"

#include <QColor>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace heteroscape::widgets {

namespace {
constexpr int kFraction = 16; // bits
} // namespace

LineDensity::LineDensity(int width, int height)
    : m_width(std::max(1, width)), m_height(std::max(1, height)),
      m_counts(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height)) {}

void LineDensity::add(double from, double to) {
    const auto row = [this](double y) {
        return static_cast<std::int64_t>(std::clamp(std::floor(y), 0.0, m_height - 1.0));
    };
    const std::int64_t y1 = row(from), y2 = row(to);
    // A pixel a step along the longer side, so that a steep line has no gaps.
    const auto steps = std::max<std::int64_t>({m_width - 1, std::abs(y2 - y1), 1});
    constexpr std::int64_t kHalf = 1LL << (kFraction - 1);
    const std::int64_t stepX = ((m_width - 1LL) << kFraction) / steps;
    const std::int64_t stepY = ((y2 - y1) * (1LL << kFraction)) / steps;
    std::int64_t x = kHalf, y = (y1 << kFraction) + kHalf;
    for (std::int64_t i = 0; i <= steps; ++i, x += stepX, y += stepY)
        ++m_counts[static_cast<std::size_t>((y >> kFraction) * m_width + (x >> kFraction))];
}

QImage LineDensity::image(const QColor& color) const {
    std::array<QRgb, 65> shades{}; // after so many lines one more is not seen
    const double rest = 1 - color.alphaF();
    for (std::size_t n = 1; n < shades.size(); ++n)
        shades[n] = qPremultiply(
            qRgba(color.red(), color.green(), color.blue(),
                  static_cast<int>(std::lround(255 * (1 - std::pow(rest, static_cast<double>(n)))))));
    QImage image(m_width, m_height, QImage::Format_ARGB32_Premultiplied);
    const auto* count = m_counts.data();
    for (int y = 0; y < m_height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < m_width; ++x)
            line[x] = shades[std::min<std::size_t>(*count++, shades.size() - 1)];
    }
    return image;
}

} // namespace heteroscape::widgets
