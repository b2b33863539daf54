// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/seen_widget.h"

#include <QColor>
#include <QFrame>
#include <QPainter>
#include <QPixmap>
#include <QRectF>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;

namespace heteroscape::widgets {

class CanvasView;

/// A small picture of the whole design with the part that is seen framed; a click or drag looks there. Is
/// there while the design is larger than the view, and takes no focus: the canvas has its own keys for
/// panning.
class MiniMap : public DrawnWidget {
    Q_OBJECT
public:
    MiniMap(CanvasView& view, const QWidget& below);

    void setShown(bool shown); ///< when the design is larger than the view
    void place();              ///< above what is below it; frames what the canvas shows

    QRectF content() const { return m_content; } ///< around all boxes
    QPointF toScene(QPointF place) const;        ///< of a place in the map
    QRectF fromScene(const QRectF& rect) const;  ///< where a part of the scene is in the map

protected:
    void paintEvent(QPaintEvent* event) override;
    void point(QMouseEvent& event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    struct Box {
        QRectF rect; ///< scene px
        QColor hue;
    };
    void refresh();      ///< the boxes
    QRectF area() const; ///< of the scene that is shown
    double scale() const;
    const QPixmap& picture();

    CanvasView& m_view;
    const QWidget& m_below;
    bool m_shown = true;
    std::vector<Box> m_boxes;
    QRectF m_content;
    QRectF m_seen;
    std::optional<QRectF> m_held; ///< the area does not change under a drag
    QPixmap m_picture;            ///< of the boxes; redrawn when they or the area change
    QRectF m_pictured;
};

/// The grid of dots behind the cards.
class CanvasDots {
public:
    void paint(QPainter& painter, const QRectF& sceneRect);
    void forget() { m_tile = {}; } ///< the colours are others now

private:
    const QPixmap& tile(double pitch); ///< device px from dot to dot

    QPixmap m_tile;
    double m_pitch = 0.0; ///< for which the tile was made
};

/// What floats over the canvas: a raised surface with round corners.
class FloatingBar : public QFrame {
    Q_OBJECT
public:
    using QFrame::QFrame;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Add a note, zoom out, percent, zoom in, fit: floats in the bottom right corner of the canvas.
class ZoomBar : public FloatingBar {
    Q_OBJECT
public:
    explicit ZoomBar(QWidget* parent);
    void showZoom(double zoom);

signals:
    void noteRequested();
    void zoomOutRequested();
    void resetRequested(); ///< back to 100 %
    void zoomInRequested();
    void fitRequested();

private:
    QToolButton* m_percent;
};

/// Offers to link a node that was just placed: bottom left of the canvas, until it is answered.
class LinkOffer : public FloatingBar {
    Q_OBJECT
public:
    explicit LinkOffer(QWidget* parent);
    void offer(const QString& text);
    QString text() const;
    QPushButton* button() const { return m_link; }

signals:
    void accepted();
    void dismissed();

private:
    QLabel* m_text;
    QPushButton* m_link;
    QToolButton* m_close;
};

/// What an empty canvas says.
class EmptyHint : public QWidget {
    Q_OBJECT
public:
    explicit EmptyHint(QWidget* parent);

signals:
    void openPresetRequested();
    void findPartRequested();

private:
    QLabel* m_text;
    void restyle();
};

} // namespace heteroscape::widgets
