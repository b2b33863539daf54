// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_style.h"

#include <QMargins>
#include <QRectF>
#include <QString>
#include <utility>
#include <vector>

class QCPPainter;
class QPainter;

namespace heteroscape::widgets {

/// The scale of a heat map's colours, right of the axes. Made anew at each layout and paint.
class ChartColorBar {
public:
    ChartColorBar(const ChartHeatMap& map, ChartStyle style, double height);

    int width() const; ///< all it needs right of the axes
    void draw(QPainter& painter, const QRectF& axes) const;

private:
    const ChartHeatMap& m_map;
    ChartStyle m_style;
    std::vector<std::pair<double, QString>> m_ticks; ///< share of the height, number
    double m_numberWidth = 0;
};

/// Where and how a chart says which curve or bar is which. Made anew at each layout and paint.
class ChartLegend {
public:
    /// Direct: beside the ends of the curves, by the overlay.
    enum class Place { None, Direct, Beside, Above };

    /// `barNamesShown`: the bars of a group are named at the axis already.
    /// In a picture so low that the names, and the `below` px under the axes, would leave the plot no room
    /// there is none: the read-out has them.
    /// Beside axes too low for all names they stand in columns, else above; where that is no room either, the
    /// last row says how many more there are.
    ChartLegend(const Chart& chart, ChartStyle style, QSize plot, bool barNamesShown, int below = 0);

    Place place() const { return m_place; }
    const QString& title() const { return m_title; }
    double nameWidth() const { return m_nameWidth; }
    double columnWidth() const;                       ///< of a legend beside the axes
    int roomAbove() const { return m_above; }         ///< px over the axes for the labels of stars and lines
    std::size_t leftOut() const { return m_leftOut; } ///< entries that have no room
    std::size_t more() const { return m_leftOut + m_unnamed; } ///< what "+3" stands for, after the others
    QMargins margins() const; ///< the room for names beside or above the axes
    void draw(QCPPainter& painter, const QRectF& axes) const;
    /// Where its entries lie when it is not direct, with their names as in Chart::hidden.
    std::vector<std::pair<QString, QRectF>> boxes(const QRectF& axes) const;
    /// Where it does not say all there is to say, and what that is.
    std::vector<std::pair<QString, QRectF>> cut(const QRectF& axes) const;

private:
    struct Entry {
        QString name;
        const ChartLine* line = nullptr;
        const ChartBarSeries* bar = nullptr;
        const CloudGroup* group = nullptr;
        QString own; ///< its name in the chart
        bool hidden = false;
    };
    QRectF boxOf(std::size_t entry, const QRectF& axes) const;
    std::size_t places() const; ///< of entries, and of how many more there are
    QRectF nameBox(std::size_t entry, const QRectF& axes) const;
    QRectF titleBox(const QRectF& axes) const;
    QString elided(const QString& text, const QRectF& box) const;
    double itemWidth() const;
    double titleWidth() const;
    int perRow() const;
    bool leavesRoom() const;
    void fitBeside();
    void drawSample(QCPPainter& painter, const Entry& entry, QPointF left) const;

    ChartStyle m_style;
    int m_plotWidth, m_plotHeight, m_below;
    QString m_title;
    std::vector<Entry> m_entries;
    double m_nameWidth = 0;
    int m_above = 10; ///< px over the axes that the labels of stars and lines may reach into
    Place m_place = Place::None;
    int m_columns = 1; ///< beside the axes
    std::size_t m_leftOut = 0, m_unnamed = 0;
};

} // namespace heteroscape::widgets
