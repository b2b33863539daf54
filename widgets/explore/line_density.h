// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include <cstdint>
#include <vector>

namespace heteroscape::widgets {

/// How many straight lines run over each pixel of a strip, all from its left edge to its right one. Tens of
/// thousands of pale lines are counted much sooner than a painter blends them one by one, and look the same.
class LineDensity {
public:
    LineDensity(int width, int height); ///< px, at least 1 each

    /// A line from one height to another, px from above; clamped to the strip.
    void add(double from, double to);

    std::uint16_t at(int x, int y) const {
        return m_counts[static_cast<std::size_t>(y) * static_cast<std::size_t>(m_width) +
                        static_cast<std::size_t>(x)];
    }

    /// Each line laid over those before it with the colour's own alpha; transparent where there is none.
    QImage image(const QColor& color) const;

private:
    int m_width, m_height;
    std::vector<std::uint16_t> m_counts; ///< row by row
};

} // namespace heteroscape::widgets
