// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_painter.h"

#include <QObject>

#include <optional>

class QCustomPlot;
class QMouseEvent;

namespace heteroscape::widgets {

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
