// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_style.h"

#include <QImage>
#include <QRect>

#include <qcustomplot.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// The points of a cloud under the curves of a chart. Few are drawn one by one; very many are binned to the
/// pixels of the view, once a view. Finds the point at a pixel by cells of the view, also made once a view.
class CloudLayer : public QCPAbstractItem {
public:
    explicit CloudLayer(QCustomPlot* plot);

    /// Keeps what it has worked out as far as the points and axes are the same.
    void set(const Chart* chart, ChartStyle style);

    /// The drawn point nearest to a pixel, of the highest rank that has one.
    std::optional<std::size_t> nearest(QPointF at, double within) const;
    QPointF pixel(std::size_t point) const; ///< NaN where it has none
    double diameter(std::size_t point) const;

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override;

private:
    /// What is seen: from axis coordinates (logarithms on a log axis) to pixels.
    struct View {
        double left = 0, top = 0, width = 0, height = 0; ///< px
        double u = 0, v = 0;                             ///< coordinates at the left and the bottom
        double perU = 0, perV = 0;                       ///< px for each unit
        bool operator==(const View&) const = default;
    };
    struct Drawn {
        View view;
        double ratio = 0; ///< device px for each px
        bool operator==(const Drawn&) const = default;
    };
    View view() const;
    QPointF place(const View& view, std::size_t point) const;
    bool isDrawn(std::size_t point) const;
    std::size_t rank(std::size_t point) const; ///< what lies over what: filtered out, pale, all else
    std::vector<std::size_t> seen(const View& view, std::size_t most) const;
    /// Calls `put` for each marker, in the order in which they lie over each other.
    using Put = std::function<void(ChartMarker, QPointF, double diameter, const QPen&, const QColor& fill)>;
    void putEach(const View& view, const std::vector<std::size_t>& points, const Put& put) const;
    QImage each(const View& view, double ratio, const std::vector<std::size_t>& points) const;
    void bin(const View& view, double ratio, int width, int height) const;
    QImage binned(const View& view, double ratio) const;
    void drawFront(QPainter& painter, const View& view) const;
    void index(const View& view) const;

    const Chart* m_chart = nullptr;
    ChartStyle m_style;
    std::shared_ptr<const CloudPoints> m_points;
    bool m_logX = false, m_logY = false;
    std::vector<double> m_u, m_v; ///< logarithms, of log axes only
    std::vector<bool> m_groupHidden;
    mutable Drawn m_drawn;
    mutable Drawn m_binned;                     ///< what the bins are of
    mutable std::vector<std::uint32_t> m_binOf; ///< of each point: its device pixel
    mutable QImage m_image;
    mutable View m_indexed; ///< the view that the cells are of
    mutable int m_columns = 0;
    mutable std::vector<std::uint32_t> m_starts; ///< of each cell, into m_order
    mutable std::vector<std::uint32_t> m_order;
};

} // namespace heteroscape::widgets
