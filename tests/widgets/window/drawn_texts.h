// SPDX-License-Identifier: GPL-3.0-or-later
// What is written in a plot and where, taken from the painting itself.
#pragma once

#include "widgets/plots/plot_view.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPolygonF>

#include <vector>

#include <qcustomplot.h>

namespace heteroscape::widgets {

/// A text that was painted, and what its letters take; turned as it is.
struct DrawnText {
    QString text;
    QPolygonF outline;
};

/// Keeps the texts that are painted on it and lets all else go.
class TextPaper : public QPaintDevice {
public:
    explicit TextPaper(QSize size) : m_size(size) {}
    QPaintEngine* paintEngine() const override { return &m_engine; }
    const std::vector<DrawnText>& texts() const { return m_engine.texts; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default:
            return 1;
        }
    }

private:
    class Engine : public QPaintEngine {
    public:
        Engine() : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState& now) override {
            if (now.state() & DirtyTransform)
                m_transform = now.transform();
        }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            const auto box = QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at);
            texts.push_back({item.text(), m_transform.map(QPolygonF(box))});
        }
        Type type() const override { return User; }

        std::vector<DrawnText> texts;

    private:
        QTransform m_transform;
    };

    QSize m_size;
    mutable Engine m_engine;
};

/// All that a plot has written on it at the size that it has, places within the plot widget.
inline std::vector<DrawnText> textsOf(const PlotView* view) {
    auto* plot = view->findChild<QCustomPlot*>();
    TextPaper paper(plot->size());
    QCPPainter painter(&paper);
    plot->toPainter(&painter, plot->width(), plot->height());
    painter.end();
    return paper.texts();
}

} // namespace heteroscape::widgets
