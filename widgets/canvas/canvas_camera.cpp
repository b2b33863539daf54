// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_camera.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_overlays.h"
#include "widgets/canvas/canvas_view.h"

#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kZoomStep = 1.25;
constexpr double kFitMargin = 32;
constexpr int kRestMs = 120;            ///< after the last turn of the wheel
constexpr std::size_t kManyNodes = 100; ///< fewer are always painted sharp

} // namespace

CanvasCamera::CanvasCamera(CanvasView& view) : m_view(view) {
    auto& document = view.document();
    connect(&document, &Document::reset, this, &CanvasCamera::fitAll);
    connect(document.undoStack(), &QUndoStack::indexChanged, this, [this](int index) {
        if (index > 0) // what is being worked on stays where it is
            m_fitsAll = false;
    });
    connect(&view.canvasScene(), &CanvasScene::settled, this, &CanvasCamera::fitAgain);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        m_view.canvasScene().cards().setGliding(false);
        m_view.viewport()->update();
    });
}

double CanvasCamera::zoom() const {
    return m_view.canvasScene().zoom();
}

QRectF CanvasCamera::seen() const {
    return m_view.mapToScene(m_view.viewport()->rect()).boundingRect();
}

void CanvasCamera::applyZoom(double zoom) {
    const auto clamped = std::clamp(zoom, kMinZoom, kMaxZoom);
    m_view.canvasScene().setZoom(clamped);
    m_view.setTransform(QTransform::fromScale(clamped, clamped));
    m_view.viewport()->update(); // labels, dots and cards change at some zooms, not only in size
    m_view.values().close();
    m_view.links().place();
    m_view.notes().placeEditor();
    emit zoomChanged(clamped);
}

void CanvasCamera::scrollBy(QPoint pixels) {
    auto* across = m_view.horizontalScrollBar();
    auto* down = m_view.verticalScrollBar();
    across->setValue(across->value() + pixels.x());
    down->setValue(down->value() + pixels.y());
    m_view.links().place();
}

void CanvasCamera::zoomAt(QPoint viewportPoint, double factor) {
    const auto held = m_view.mapToScene(viewportPoint);
    applyZoom(zoom() * factor);
    m_fitsAll = false;
    scrollBy(m_view.mapFromScene(held) - viewportPoint);
}

void CanvasCamera::panBy(QPoint pixels) {
    m_fitsAll = false;
    m_view.values().close();
    scrollBy(-pixels);
}

void CanvasCamera::lookAt(QPointF scenePoint) {
    m_fitsAll = false;
    m_view.values().close();
    m_view.centerOn(scenePoint);
}

void CanvasCamera::turn(const QWheelEvent& event) {
    const auto turn = event.angleDelta();
    const bool zooms = event.modifiers().testFlag(Qt::ControlModifier);
    // Fingers on a touchpad come with phases and pixels; the wheel of a mouse does not.
    const bool fingers = event.phase() != Qt::NoScrollPhase && !event.pixelDelta().isNull();
    if (fingers && !zooms) {
        panBy(event.pixelDelta());
    } else if (event.modifiers().testFlag(Qt::ShiftModifier) || (turn.y() == 0 && !zooms)) {
        // Some systems turn the axis themselves while Shift is held.
        panBy({turn.y() != 0 ? turn.y() : turn.x(), 0});
    } else if (turn.y() != 0) {
        glide();
        zoomAt(event.position().toPoint(), std::pow(1.2, turn.y() / 120.0));
    }
}

void CanvasCamera::glide() {
    if (m_view.canvasScene().nodes().size() < kManyNodes)
        return;
    m_view.canvasScene().cards().setGliding(true);
    m_rest.start();
}

void CanvasCamera::zoomIn() {
    zoomAt(m_view.viewport()->rect().center(), kZoomStep);
}

void CanvasCamera::zoomOut() {
    zoomAt(m_view.viewport()->rect().center(), 1 / kZoomStep);
}

void CanvasCamera::setZoom(double level) {
    zoomAt(m_view.viewport()->rect().center(), level / zoom());
}

void CanvasCamera::fit(const QRectF& content) {
    const auto room = content.adjusted(-kFitMargin, -kFitMargin, kFitMargin, kFitMargin);
    auto& scene = m_view.canvasScene();
    if (!scene.sceneRect().contains(room)) // else it would stay out of sight
        scene.setSceneRect(scene.sceneRect() | room);
    const double reserved = m_view.links().offer()->isVisible() ? kOverlayRoom : 0.0; // it hides no card
    const QSizeF size = m_view.viewport()->size();
    applyZoom(std::min({1.0, size.width() / room.width(), (size.height() - reserved) / room.height()}));
    m_view.centerOn(content.center() + QPointF(0, reserved / 2 / zoom()));
}

void CanvasCamera::fitAll() {
    m_fitsAll = true;
    if (m_view.canvasScene().isBehind())
        return; // again once it is settled
    const auto content = m_view.canvasScene().contentRect();
    if (!content.isEmpty())
        fit(content);
}

void CanvasCamera::fitAgain() {
    if (m_fitsAll)
        fitAll();
}

void CanvasCamera::fitSelection() {
    const auto& nodes = m_view.document().selection().nodes;
    if (nodes.empty())
        return;
    m_fitsAll = false;
    fit(m_view.canvasScene().contentRect(nodes));
}

void CanvasCamera::showPlaced() {
    const auto& placed = m_view.document().selection().nodes;
    const auto* item = placed.empty() ? nullptr : m_view.canvasScene().nodeItem(placed.front());
    if (item && !seen().adjusted(16, 16, -16, -kOverlayRoom / zoom()).contains(item->cardRect()))
        fitAll();
}

} // namespace heteroscape::widgets

#include "moc_canvas_camera.cpp"
