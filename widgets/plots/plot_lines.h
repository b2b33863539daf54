// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_painter.h"

#include <QObject>
#include <QPointF>
#include <QRectF>
#include <QVector>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

class QCustomPlot;
class QMouseEvent;

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

class PlotView;

/// The lines of a plot that can be moved (ChartReference::movable): dragged, or by keys. L takes hold of one,
/// L again of the next; arrows move it by a hundredth of what the axis shows, with Shift by a thousandth;
/// Enter lets it go there, Esc where it was. Who listens sets a chart with the line at its new place. Values
/// have three significant digits.
class PlotLines : public QObject {
    Q_OBJECT
public:
    PlotLines(PlotView& view, QCustomPlot& plot, ChartPainter& painter);

signals:
    void moving(int line, double at); ///< an index of Chart::references
    void moved(int line, double at);  ///< let go there; where it began when it was put back

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Hold {
        int line = 0;
        double begun = 0.0;
        double at = 0.0;
        bool byKeys = false;
        QPointF pressed = {}; ///< with the mouse
        bool isDrag = false;
    };

    std::optional<int> lineAt(QPointF at) const; ///< within the plot
    bool mouse(const QMouseEvent& event);
    bool key(int key, bool fine);
    bool takeNext();
    void moveTo(double pixel);
    void letGo(bool back);
    const ChartReference& reference(int line) const;

    PlotView& m_view;
    QCustomPlot& m_plot;
    ChartPainter& m_painter;
    std::optional<Hold> m_hold;
    bool m_cursor = false; ///< it is that of a line
};

} // namespace heteroscape::widgets
