// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QVector>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscape::widgets {

/// The parts of a line through these points that lie within an area, in their order; a point that is not
/// finite is a gap. For files that know of no clipping, as the SVG that Qt writes.
inline QVector<QVector<QPointF>> cutLine(const QVector<QPointF>& line, const QRectF& area) {
    QVector<QVector<QPointF>> parts;
    const auto isFinite = [](QPointF at) { return std::isfinite(at.x()) && std::isfinite(at.y()); };
    for (qsizetype i = 1; i < line.size(); ++i) {
        const auto from = line[i - 1], to = line[i];
        if (!isFinite(from) || !isFinite(to))
            continue;
        const auto way = to - from;
        double first = 0, last = 1; // shares of the way that lie within
        for (const auto& [step, room] :
             {std::pair(-way.x(), from.x() - area.left()), std::pair(way.x(), area.right() - from.x()),
              std::pair(-way.y(), from.y() - area.top()), std::pair(way.y(), area.bottom() - from.y())}) {
            if (step == 0)
                last = room < 0 ? -1 : last;
            else if (step < 0)
                first = std::max(first, room / step);
            else
                last = std::min(last, room / step);
        }
        if (first > last)
            continue;
        const auto begin = first > 0 ? from + way * first : from, end = last < 1 ? from + way * last : to;
        if (parts.isEmpty() || parts.back().back() != begin)
            parts.push_back({begin});
        parts.back().push_back(end);
    }
    return parts;
}

} // namespace heteroscape::widgets
