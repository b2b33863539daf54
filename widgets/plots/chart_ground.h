// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/label_placement.h"
#include "widgets/plots/chart_style.h"

#include <qcustomplot.h>

#include <vector>

namespace heteroscape::widgets {

/// What lies under the curves of a chart: the cells of a heat map, bars, reference lines. Also tells where
/// bars and cells lie, in pixels.
class ChartGround : public QCPAbstractItem {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ChartGround)
public:
    explicit ChartGround(QCustomPlot* plot);

    void set(const Chart* chart, ChartStyle style);

    QRectF cellRect(engine::Cell cell) const;
    /// A piece of a bar; of nothing available the hatched foot, which has no height of its own.
    QRectF pieceRect(std::size_t series, std::size_t category) const;
    QRectF barRect(int bar, std::size_t category) const; ///< all its pieces, or its foot
    std::vector<engine::PlotBox> bars() const;           ///< of every bar seen

    /// What is written over a bar.
    struct BarWord {
        QRectF box;
        QString text;
        bool upright = false; ///< turned by 90°
    };
    /// Values: level where they fit over their bars, else upright; none where the bars are too narrow for it.
    std::vector<BarWord> barValues() const;
    std::vector<BarWord> missingWords() const; ///< over the feet, likewise

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

protected:
    void draw(QCPPainter* painter) override;

private:
    void drawCells(QCPPainter& painter) const;
    void drawFineCells(QCPPainter& painter) const; ///< narrower than a pixel or two, as a picture
    void drawCellValues(QCPPainter& painter) const;
    void drawContours(QCPPainter& painter) const;
    void drawFilteredWord(QCPPainter& painter) const;
    /// Filtered cells that stand side by side.
    struct FilteredRun {
        std::size_t row = 0, first = 0, count = 0;
    };
    static std::optional<FilteredRun> widestFiltered(const ChartHeatMap& map);
    void drawOptimum(QCPPainter& painter) const;
    QRectF seenOf(const QRectF& bar) const; ///< what is drawn of it: in files, which may know of no clipping
    void drawBars(QCPPainter& painter) const;
    void drawFeet(QCPPainter& painter) const;
    std::vector<QRectF> feet() const;
    void drawWords(QCPPainter& painter, const std::vector<BarWord>& words, ColorRole role) const;
    void drawReferences(QCPPainter& painter) const;
    void drawOutside(QCPPainter& painter, const ChartReference& reference, QPointF at) const;
    bool available(int bar, std::size_t category) const;
    QRectF span(int bar, std::size_t category, double from, double to) const;

    const Chart* m_chart = nullptr;
    std::optional<FilteredRun> m_filteredRun; ///< of a million cells these are looked for once
    std::optional<engine::Cell> m_best;
    ChartStyle m_style;
    std::vector<std::vector<engine::Stretch>> m_pieces; ///< of each bar series
};

/// A hatched area: why a thing is not there is told beside it or in the read-out.
void fillHatched(QPainter& painter, const QRectF& area, const ChartStyle& style);

/// A bar's fill and outline, pale and hollow when it is filtered out; also a legend's sample of it.
void fillBar(QPainter& painter, const QRectF& area, const ChartBarSeries& series, const ChartStyle& style,
             bool muted = false);

} // namespace heteroscape::widgets
