// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>

namespace heteroscape::widgets::test {

/// Paints nothing and counts what it is told to.
class CountingEngine : public QPaintEngine {
public:
    CountingEngine() : QPaintEngine(AllFeatures) {}
    int drawn = 0;

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    void updateState(const QPaintEngineState&) override {}
    Type type() const override { return User; }
    void drawRects(const QRect*, int count) override { drawn += count; }
    void drawRects(const QRectF*, int count) override { drawn += count; }
    void drawLines(const QLine*, int count) override { drawn += count; }
    void drawLines(const QLineF*, int count) override { drawn += count; }
    void drawPolygon(const QPoint*, int, PolygonDrawMode) override { ++drawn; }
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override { ++drawn; }
    void drawPath(const QPainterPath&) override { ++drawn; }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override { ++drawn; }
    void drawTextItem(const QPointF&, const QTextItem&) override { ++drawn; }
};

/// A paint device that keeps nothing but how much was drawn on it: rectangles, lines, shapes and texts.
class CountingDevice : public QPaintDevice {
public:
    explicit CountingDevice(QSize size) : m_size(size) {}
    int drawn() const { return m_engine.drawn; }
    QPaintEngine* paintEngine() const override { return &m_engine; }

protected:
    int metric(PaintDeviceMetric which) const override {
        switch (which) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        default:
            return QPaintDevice::metric(which);
        }
    }

private:
    QSize m_size;
    mutable CountingEngine m_engine;
};

} // namespace heteroscape::widgets::test
