// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/mini_map.h"

#include "widgets/canvas/canvas_view.h"
#include "widgets/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr QSize kSize(188, 124);
constexpr double kMapInset = 8;
constexpr double kSmallest = 2;     ///< px of a node, however small the scale
constexpr int kGap = 8;             ///< to what is below it
constexpr int kMapLeavesRoom = 420; ///< px of canvas, across and down, below which a map would hide too much

} // namespace

MiniMap::MiniMap(CanvasView& view, const QWidget& below)
    : DrawnWidget(view.viewport()), m_view(view), m_below(below) {
    setFixedSize(kSize);
    setAccessibleName(tr("Mini-map"));
    setToolTip(tr("The whole design; drag to look elsewhere"));
    setCursor(Qt::PointingHandCursor);
    connect(&view.canvasScene(), &CanvasScene::placed, this, &MiniMap::refresh);
    Theme::instance().follow(this, [this] { refresh(); });
}

void MiniMap::refresh() {
    m_boxes.clear();
    m_content = {};
    for (const auto* item : m_view.canvasScene().nodes()) {
        m_boxes.push_back({item->cardRect(), Theme::instance().kind(item->card().kind)});
        m_content |= item->cardRect();
    }
    m_picture = {};
    update();
    place();
}

void MiniMap::setShown(bool shown) {
    m_shown = shown;
    place();
}

void MiniMap::place() {
    const auto size = m_view.viewport()->size();
    const auto seen = m_view.camera().seen();
    const bool room = size.width() >= kMapLeavesRoom && size.height() >= kMapLeavesRoom / 2 + height();
    setVisible(m_shown && room && !m_boxes.empty() && !seen.contains(m_content));
    if (isHidden())
        return;
    if (seen != m_seen)
        update();
    m_seen = seen;
    move(size.width() - width() - 16, m_below.y() - height() - kGap);
}

QRectF MiniMap::area() const {
    // The frame stays in the map as long as it touches the design.
    const auto grown = m_content.adjusted(-m_seen.width(), -m_seen.height(), m_seen.width(), m_seen.height());
    return m_held.value_or(m_content | (m_seen & grown));
}

double MiniMap::scale() const {
    const auto shown = area();
    return std::min((width() - 2 * kMapInset) / std::max(shown.width(), 1.0),
                    (height() - 2 * kMapInset) / std::max(shown.height(), 1.0));
}

QPointF MiniMap::toScene(QPointF place) const {
    return area().center() + (place - QRectF(rect()).center()) / scale();
}

QRectF MiniMap::fromScene(const QRectF& sceneRect) const {
    const auto factor = scale();
    return {QRectF(rect()).center() + (sceneRect.topLeft() - area().center()) * factor,
            sceneRect.size() * factor};
}

const QPixmap& MiniMap::picture() {
    const auto ratio = devicePixelRatioF();
    if (!m_picture.isNull() && m_pictured == area() && m_picture.devicePixelRatio() == ratio)
        return m_picture;
    m_pictured = area();
    m_picture = QPixmap(size() * ratio);
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(Qt::transparent);
    QPainter painter(&m_picture);
    for (const auto& box : m_boxes) {
        auto place = fromScene(box.rect);
        place.setSize(place.size().expandedTo({kSmallest, kSmallest}));
        painter.fillRect(place, box.hue);
    }
    return m_picture;
}

void MiniMap::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color(ColorRole::Border));
    painter.setBrush(theme.color(ColorRole::Surface));
    const auto frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.drawRoundedRect(frame, 8, 8);
    painter.drawPixmap(QPointF(0, 0), picture());
    auto soft = theme.color(ColorRole::Accent);
    soft.setAlphaF(0.12F);
    painter.setPen(QPen(theme.color(ColorRole::Accent), 1.5));
    painter.setBrush(soft);
    painter.drawRoundedRect(fromScene(m_seen) & frame.adjusted(2, 2, -2, -2), 2, 2);
}

void MiniMap::point(QMouseEvent& event) {
    if (event.type() == QEvent::MouseButtonRelease) {
        m_held.reset();
        update();
        return;
    }
    if (event.type() != QEvent::MouseMove && event.button() == Qt::LeftButton)
        m_held = area();
    if (m_held)
        m_view.camera().lookAt(toScene(event.position()));
}

void MiniMap::wheelEvent(QWheelEvent* event) {
    event->accept(); // not the canvas's: its zoom would be around a place under the map
}

} // namespace heteroscape::widgets
