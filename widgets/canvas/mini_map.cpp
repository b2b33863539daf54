// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/mini_map.h"

#include "widgets/theme/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr QSize kSize(188, 124);
constexpr double kMapInset = 8;
constexpr double kSmallest = 2; ///< px of a node, however small the scale

} // namespace

MiniMap::MiniMap(QWidget* parent) : QWidget(parent) {
    setFixedSize(kSize);
    setAccessibleName(tr("Mini-map"));
    setToolTip(tr("The whole design; drag to look elsewhere"));
    setCursor(Qt::PointingHandCursor);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        m_picture = {};
        update();
    });
}

void MiniMap::setBoxes(std::vector<Box> boxes) {
    m_boxes = std::move(boxes);
    m_content = {};
    for (const auto& box : m_boxes)
        m_content |= box.rect;
    m_picture = {};
    update();
}

void MiniMap::setSeen(const QRectF& sceneRect) {
    if (sceneRect == m_seen)
        return;
    m_seen = sceneRect;
    update();
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

void MiniMap::mousePressEvent(QMouseEvent* event) {
    event->accept();
    if (event->button() != Qt::LeftButton)
        return;
    m_held = area();
    emit centreRequested(toScene(event->position()));
}

void MiniMap::mouseMoveEvent(QMouseEvent* event) {
    event->accept();
    if (m_held)
        emit centreRequested(toScene(event->position()));
}

void MiniMap::mouseReleaseEvent(QMouseEvent* event) {
    event->accept();
    m_held.reset();
    update();
}

void MiniMap::wheelEvent(QWheelEvent* event) {
    event->accept(); // not the canvas's: its zoom would be around a place under the map
}

} // namespace heteroscape::widgets
