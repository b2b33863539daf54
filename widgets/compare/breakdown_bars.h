// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compared_designs.h"
#include "widgets/lanes/lanes_painter.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/chart_style.h"
#include "widgets/theme/seen_widget.h"

#include <optional>

namespace heteroscape::widgets {

/// The designs side by side as a file's bytes: the time of one batch as bars, and one decode step of each
/// over the span `view` of time; light on white, 9 pt type. SVG and PDF keep text as text. UI thread.
QByteArray renderDesigns(const ComparedDesigns& designs, TimeSpan view, ImageFormat format,
                         const ImageSize& size);

/// The same into a file, whose suffix (.png, .svg, .pdf) names the format; replaced atomically. Throws Error
/// (InvalidInput for another suffix, Io) naming the path.
void exportDesigns(const ComparedDesigns& designs, TimeSpan view, const QString& path,
                   const ImageSize& size = {});

/// Where the bars of the time of one batch stand, in logical px: a bar a design, all on one scale.
struct BreakdownLayout {
    struct Part {
        std::size_t design = 0;
        std::size_t part = 0; ///< of the design's
        QRectF rect;
    };
    struct Entry {
        engine::BatchPart sample;
        QRectF rect;
    };
    std::vector<QRectF> rows; ///< of each design, all of its width
    std::vector<Part> parts;
    std::vector<Entry> legend; ///< every kind of part that any design has
    QRectF plot;               ///< along the time axis, all bars
    QRectF axis;
    double seconds = 0.0; ///< at the right end of the plot
    double height = 0.0;
    bool shares = false; ///< every bar is as long as the plot

    double xOf(double at) const { return plot.left() + at / seconds * plot.width(); }
};

BreakdownLayout layOutBreakdown(const ComparedDesigns& designs, double width, const ChartStyle& style,
                                bool shares = false);
void paintBreakdown(QPainter& painter, const ComparedDesigns& designs, const BreakdownLayout& layout,
                    const ChartStyle& style);

/// The time of one batch of each design as stacked bars on one scale. Hovering reads a part out; a click, E
/// or Enter asks how it comes about; arrow keys walk through parts and designs. UI thread.
class BreakdownBars : public DrawnWidget {
    Q_OBJECT
public:
    explicit BreakdownBars(QWidget* parent = nullptr);

    void setDesigns(ComparedDesigns designs);
    void setShares(bool shares); ///< of each design's own time, instead of one scale
    const BreakdownLayout& breakdownLayout() const { return m_layout; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {300, sizeHint().height()}; }

signals:
    void explainRequested(std::size_t design, const std::string& metric, QPoint globalPoint);

protected:
    bool event(QEvent* event) override; ///< tells of the part under the pointer
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void point(QMouseEvent& event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

private:
    void relayOut();
    std::optional<std::size_t> partAt(QPointF point) const; ///< index into the layout's parts
    QString partText(std::size_t index) const;
    void walkTo(std::size_t index);
    void explain(std::size_t index, QPoint globalPoint);

    ComparedDesigns m_designs;
    BreakdownLayout m_layout;
    bool m_shares = false;
    std::optional<std::size_t> m_walked;
};

} // namespace heteroscape::widgets
