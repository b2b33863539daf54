// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_layout.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kLabelShare = 0.22;  ///< of the width, at most, for the column of labels
constexpr double kLabelChrome = 38.0; ///< px beside the letters: margin, dot, gaps

} // namespace

double RequestsLayout::scrollMost() const {
    return std::max(0.0, contentHeight() - lanes.height());
}

QRectF RequestsLayout::rowOf(std::size_t lane) const {
    return {lanes.left(), lanes.top() + tops[lane] - scroll, lanes.width(), rowHeight};
}

std::pair<std::size_t, std::size_t> RequestsLayout::seen() const {
    if (tops.size() < 2)
        return {0, 0};
    const auto count = tops.size() - 1;
    const auto after = [this, count](double y) {
        return static_cast<std::size_t>(
            std::upper_bound(tops.begin(), tops.begin() + static_cast<std::ptrdiff_t>(count), y) -
            tops.begin());
    };
    return {std::max<std::size_t>(after(scroll), 1) - 1, after(scroll + lanes.height() - 1e-6)};
}

std::optional<std::size_t> RequestsLayout::laneAt(double y) const {
    if (y < lanes.top() || y >= lanes.bottom())
        return {};
    const auto [first, last] = seen();
    for (auto lane = first; lane < last; ++lane)
        if (const auto row = rowOf(lane); y >= row.top() && y < row.bottom())
            return lane;
    return {};
}

RequestsLayout layOut(const RequestLanes& lanes, const RequestsLayoutOptions& options) {
    const QFontMetricsF metrics(options.style.font());
    const bool picture = options.height <= 0.0;
    RequestsLayout layout;
    layout.rowHeight = std::max(kLaneHeight, std::ceil(metrics.height()) + 3.0);
    layout.labelWidth = kLabelColumn;
    for (const auto& lane : lanes.lanes())
        layout.labelWidth =
            std::max(layout.labelWidth, kLabelChrome + metrics.horizontalAdvance(lane.title + lane.place));
    layout.labelWidth =
        std::ceil(std::min(layout.labelWidth, std::max(kLabelColumn, kLabelShare * options.width)));
    layout.busyWidth = busyColumn(metrics);
    double y = 0.0;
    const auto last = std::min(options.only.second, lanes.lanes().size());
    for (std::size_t i = 0; i < last; ++i) {
        const bool shown = i >= options.only.first;
        if (shown && lanes.lanes()[i].opens && i > options.only.first)
            y += kBetweenGroups;
        layout.tops.push_back(y);
        y += shown ? layout.rowHeight : 0.0;
    }
    layout.tops.push_back(y);

    const double left = layout.labelWidth;
    const double across = layout.across(options.width);
    const double strip = std::max(kOverviewHeight, layout.rowHeight);
    layout.axis = QRectF(left, 0, across, layout.rowHeight);
    const double above = layout.axis.bottom(), below = picture ? 0.0 : strip + 4.0;
    const double room = picture ? y : std::max(layout.rowHeight, options.height - above - below);
    layout.lanes = QRectF(left, above, across, std::min(room, std::max(y, layout.rowHeight)));
    if (picture)
        layout.legend = QRectF(left, layout.lanes.bottom() + 4.0, across, layout.rowHeight);
    else // at the bottom, wherever the lanes end
        layout.overview =
            QRectF(left, std::max(options.height - strip - 1.0, layout.lanes.bottom() + 3.0), across, strip);
    layout.scroll = std::clamp(options.scroll, 0.0, layout.scrollMost());
    return layout;
}

} // namespace heteroscape::widgets
