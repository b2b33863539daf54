// SPDX-License-Identifier: GPL-3.0-or-later
// What is written in a plot and where, taken from the painting itself; a check of it.
#pragma once

#include "widgets/plots/plot_view.h"

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPolygonF>
#include <QTest>

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

/// What is written in a plot lies on nothing else that is; each axis has numbers or names.
inline void checkTexts(const PlotView* view, const QString& where) {
    const auto texts = textsOf(view);
    const auto* plot = view->findChild<QCustomPlot*>();
    const auto area = plot->axisRect()->rect();
    int below = 0, beside = 0;
    for (std::size_t a = 0; a < texts.size(); ++a) {
        const auto at = texts[a].outline.boundingRect().center();
        QVERIFY2(QRectF(plot->rect()).contains(texts[a].outline.boundingRect()),
                 qPrintable(QStringLiteral("%1: \"%2\" is cut").arg(where, texts[a].text)));
        below += at.y() > area.bottom();
        beside += at.x() < area.left() && at.y() <= area.bottom();
        for (std::size_t b = 0; b < a; ++b)
            QVERIFY2(texts[a].outline.intersected(texts[b].outline).isEmpty(),
                     qPrintable(QStringLiteral("%1: \"%2\" on \"%3\" at %4, %5")
                                    .arg(where, texts[a].text, texts[b].text)
                                    .arg(at.x())
                                    .arg(at.y())));
    }
    QVERIFY2(below >= 3 && beside >= 3, qPrintable(where)); // two and the axis' own name
}

} // namespace heteroscape::widgets
