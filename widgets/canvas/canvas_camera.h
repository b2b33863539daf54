// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QRectF>
#include <QTimer>

class QWheelEvent;

namespace heteroscape::widgets {

class CanvasView;

/// Which part of the design a canvas shows, and how large. The whole of it is kept in sight until the user
/// zooms, pans or edits.
class CanvasCamera : public QObject {
    Q_OBJECT
public:
    explicit CanvasCamera(CanvasView& view);

    double zoom() const;
    QRectF seen() const; ///< of the scene

    void zoomIn();
    void zoomOut();
    void setZoom(double zoom); ///< around the middle
    void zoomAt(QPoint viewportPoint, double factor);
    void panBy(QPoint pixels);
    void lookAt(QPointF scenePoint);     ///< in the middle
    void turn(const QWheelEvent& event); ///< zooms at the cursor, or pans
    void fitAll();                       ///< never above 100 %
    void fitSelection();
    void fitAgain();   ///< the view has another size
    void showPlaced(); ///< all, when what was placed and is selected would not be in sight

signals:
    void zoomChanged(double zoom);

private:
    void applyZoom(double zoom);
    void fit(const QRectF& content);
    void scrollBy(QPoint pixels);
    void glide(); ///< many cards are stretched while the wheel turns, and sharp when it rests

    CanvasView& m_view;
    QTimer m_rest;         ///< ends a glide
    bool m_fitsAll = true; ///< until the user zooms or pans
};

} // namespace heteroscape::widgets
