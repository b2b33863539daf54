// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/node_item.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/design_index.h"
#include "widgets/canvas/link_routing.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QWidget>

namespace heteroscape::widgets {

NodeItem::NodeItem(CanvasScene& scene, engine::NodeId id) : m_scene(scene), m_id(std::move(id)) {}

NodeItem::~NodeItem() {
    m_scene.cards().forget(this);
}

QRectF NodeItem::cardRect() const {
    return {pos(), QSizeF(kCardWidth, m_height)};
}

QRectF NodeItem::badgeRect() const {
    return countBadgeRect(m_card.count).translated(pos());
}

void NodeItem::repaint() {
    m_scene.cards().forget(this);
    update();
}

void NodeItem::refresh(const DesignIndex& index) {
    auto card = cardOf(index, m_id);
    if (!card || *card == m_card)
        return;
    const auto height = cardHeight(*card);
    if (height != m_height) {
        prepareGeometryChange();
        m_height = height;
    }
    m_card = std::move(*card);
    setToolTip(tooltipText(!m_card.error.isEmpty()     ? m_card.error
                           : !m_card.warning.isEmpty() ? m_card.warning
                                                       : m_card.details));
    repaint();
}

void NodeItem::setSelected(bool selected) {
    if (m_card.selected == selected)
        return;
    m_card.selected = selected;
    repaint();
}

void NodeItem::setPorts(std::vector<QPointF> scenePoints) {
    for (auto& point : scenePoints)
        point -= pos();
    if (m_ports == scenePoints)
        return;
    m_ports = std::move(scenePoints);
    repaint();
}

void NodeItem::setHovered(bool hovered) {
    if (m_hovered == hovered)
        return;
    m_hovered = hovered;
    update();
}

void NodeItem::setDropMark(DropMark mark) {
    if (m_mark == mark)
        return;
    m_mark = mark;
    update();
}

QRectF NodeItem::boundingRect() const {
    return cardBounds(m_height);
}

QPainterPath NodeItem::shape() const {
    QPainterPath path;
    path.addRect(0, 0, kCardWidth, m_height);
    return path;
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget* widget) {
    const auto ratio = widget ? widget->devicePixelRatioF() : 1.0;
    const bool plain = !m_hovered && m_mark == DropMark::None;
    m_scene.countPainted();
    if (widget && plain && m_scene.zoom() < kBoxesBelow)
        paintFar(*painter);
    else if (!widget || !plain ||
             !m_scene.cards().paint(*painter, this, boundingRect(), ratio,
                                    [&](QPainter& into) { paintAll(into, m_scene.zoom(), ratio); }))
        paintAll(*painter, m_scene.zoom(), ratio);
}

void NodeItem::paintFar(QPainter& painter) const {
    // A card is a few millimetres: what it is, and whether something is the matter with it.
    const auto& theme = Theme::instance();
    const QRectF body(0, 0, kCardWidth, m_height);
    const auto hue = theme.kind(m_card.kind);
    const auto edge = m_card.selected           ? theme.color(ColorRole::Accent)
                      : !m_card.error.isEmpty() ? theme.color(ColorRole::Error)
                      : m_card.bottleneck       ? theme.color(ColorRole::Hot)
                                                : hue;
    const double width = (edge == hue ? 1.0 : 2.0) / m_scene.zoom();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(body, edge);
    painter.fillRect(body.adjusted(width, width, -width, -width),
                     m_card.bottleneck ? theme.color(ColorRole::HotSoft) : theme.kindTint(m_card.kind));
    painter.setRenderHint(QPainter::Antialiasing, true);
}

void NodeItem::paintAll(QPainter& painter, double zoom, double devicePixelRatio) const {
    const auto& theme = Theme::instance();
    paintNodeCard(painter, m_card, {zoom, devicePixelRatio});
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF body(0, 0, kCardWidth, m_height);
    if (m_mark != DropMark::None) {
        const bool valid = m_mark == DropMark::Valid;
        painter.setPen(QPen(theme.color(valid ? ColorRole::Accent : ColorRole::Error), 2,
                            valid ? Qt::DashLine : Qt::SolidLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(body.adjusted(-4, -4, 4, 4), kCardRadius + 4, kCardRadius + 4);
    }
    auto ports = m_ports;
    if (m_hovered || m_mark == DropMark::Valid)
        for (const auto& point : sideMiddles(body))
            ports.push_back(point);
    const auto ink = m_mark == DropMark::Valid ? ColorRole::Accent : ColorRole::Text2;
    painter.setPen(QPen(theme.color(ink), 2));
    painter.setBrush(theme.color(ColorRole::Surface));
    for (const auto& point : ports)
        painter.drawEllipse(point, kPortRadius - 1, kPortRadius - 1);
}

} // namespace heteroscape::widgets
