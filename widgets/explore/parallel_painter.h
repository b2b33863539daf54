// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/grid_rows.h"
#include "widgets/plots/chart_style.h"

#include <QImage>
#include <QLineF>
#include <QRectF>
#include <QString>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QPainter;

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

/// Parallel coordinates as a value: what is drawn, not where.
struct ParallelPicture {
    struct Axis {
        std::shared_ptr<const engine::ParallelAxis> axis;
        QString label;                                       ///< "Quantity (unit)"
        std::vector<std::pair<double, QString>> ticks;       ///< share of the axis from below, text
        std::optional<std::pair<double, double>> brush = {}; ///< shares, low and high
    };
    std::vector<Axis> axes;
    std::vector<std::vector<engine::ParallelBundle>> bundles; ///< between neighbours
    std::optional<std::size_t> focused = {};                  ///< axis of the keyboard
};

/// Where the axes of parallel coordinates stand in an area.
struct ParallelLayout {
    ParallelLayout(QRectF area, std::size_t axes);

    double x(std::size_t axis) const;
    double y(double share) const { return bottom - share * (bottom - top); }
    double shareAt(double at) const; ///< 0..1
    /// The axis within reach of a point; nothing between axes.
    std::optional<std::size_t> axisAt(QPointF at) const;
    double spacing() const;

    QRectF area;
    std::size_t count;
    double left, right, top, bottom;
};

/// Draws it; the parts in the order they lie on each other. Any QPainter; UI thread, for the theme.
class ParallelPainter {
public:
    ParallelPainter(const ParallelPicture& picture, const ParallelLayout& layout, ChartStyle style)
        : m_picture(picture), m_layout(layout), m_style(style) {}

    void paintBundles(QPainter& painter) const; ///< filtered rows below, kept ones above
    void paintRow(QPainter& painter, std::size_t row, const QColor& color, double width) const;
    void paintAxes(QPainter& painter) const; ///< with their brushes

private:
    void paintDense(QPainter& painter, const std::vector<QLineF>& lines, const QColor& color) const;

    const ParallelPicture& m_picture;
    const ParallelLayout& m_layout;
    ChartStyle m_style;
};

/// Neighbouring places put together, so that there are at most about `most` bundles: a picture of very many
/// is drawn in time and looks the same.
std::vector<engine::ParallelBundle> coarsened(std::vector<engine::ParallelBundle> bundles, std::size_t most);

} // namespace heteroscape::widgets
