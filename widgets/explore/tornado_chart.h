// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/sensitivity.h"
#include "engine/units/number_text.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/chart_style.h"
#include "widgets/plots/read_out.h"
#include "widgets/theme/seen_widget.h"

#include <QRectF>

#include <optional>

class QPainter;

namespace heteroscape::widgets {

/// A tornado as a value.
struct TornadoPicture {
    static constexpr std::size_t kMostBars = 15;

    engine::Tornado tornado; ///< the widest first; the first kMostBars are drawn
    QString metric;          ///< "Throughput"
    QString unit;
    engine::ShownUnit shown = {}; ///< what it is written in, as a chart's
    QString emptyText;            ///< where there is no bar

    QString label() const; ///< "Throughput (tok/s)", as it is written
    std::size_t bars() const { return std::min(tornado.swings.size(), kMostBars); }
};

/// Where its bars stand.
struct TornadoLayout {
    TornadoLayout(const TornadoPicture& picture, QRectF area, ChartStyle style);

    double x(double value) const; ///< of the metric
    QRectF nameRect(std::size_t bar) const;
    QRectF barRect(std::size_t bar) const;              ///< from the lower to the higher end
    std::optional<std::size_t> barAt(QPointF at) const; ///< name or bar

    const TornadoPicture* picture;
    QRectF area;
    std::size_t count; ///< bars that have room
    double left, right, top, bottom, row, least, most;
};

/// Any QPainter. `hovered`: a bar that is lit.
void paintTornado(QPainter& painter, const TornadoPicture& picture, const TornadoLayout& layout,
                  ChartStyle style, std::optional<std::size_t> hovered);

/// Horizontal bars from the metric at the low to that at the high end of each input around the base. Hovering
/// reads out, a click on a name chooses it. Keys: up and down walk, Enter and Space choose, Esc puts the
/// read-out away. Follows the theme. UI thread only.
class TornadoChart : public DrawnWidget {
    Q_OBJECT
public:
    explicit TornadoChart(QWidget* parent = nullptr);

    void setPicture(TornadoPicture picture);
    const TornadoPicture& picture() const { return m_picture; }
    TornadoLayout tornadoLayout() const;
    const ReadOut& readOut() const { return *m_readOut; }

    void exportTo(const QString& path, const ImageSize& size) const; ///< by its suffix; throws Error
    QByteArray render(ImageFormat format, const ImageSize& size) const;
    QString csv() const;

    QSize minimumSizeHint() const override { return {240, 140}; }

signals:
    void nameClicked(const QString& path);

protected:
    void paintEvent(QPaintEvent* event) override;
    void point(QMouseEvent& event) override;
    void pointAway() override { light({}, {}); }
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void light(std::optional<std::size_t> bar, QPointF at);

    TornadoPicture m_picture;
    std::optional<std::size_t> m_lit;
    ReadOut* m_readOut;
};

} // namespace heteroscape::widgets
