// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_edits.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/drop_targets.h"
#include "widgets/theme/theme.h"

#include <QLineF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// Drags a new link from a port: a ghost wire follows the pointer; the node under it shows a dashed accent
/// ring, or an error ring and one line that says why it cannot be.
class LinkTool : public AimTool {
public:
    LinkTool(CanvasView& view, engine::NodeId from) : AimTool(view), m_from(std::move(from)) {}

    void press(QMouseEvent& event) override;
    void cancel() override;
    void paint(QPainter& painter) const override;

private:
    void aim(QPointF scenePoint) override;
    void letGo() override;
    void clear();

    engine::NodeId m_from;
    engine::NodeId m_target; ///< empty: none
    QPointF m_start;
    QPointF m_now;
    QString m_refusal;
    bool m_left = false; ///< the pointer has been outside the first node
};

} // namespace

void LinkTool::press(QMouseEvent& event) {
    m_start = m_now = m_view.mapToScene(event.pos());
    if (const auto* item = m_view.canvasScene().nodeItem(m_from)) {
        const auto ports = sideMiddles(item->cardRect());
        m_start = *std::min_element(ports.begin(), ports.end(), [this](QPointF a, QPointF b) {
            return QLineF(a, m_now).length() < QLineF(b, m_now).length();
        });
    }
}

void LinkTool::aim(QPointF scenePoint) {
    m_now = scenePoint;
    auto& scene = m_view.canvasScene();
    clear();
    auto* item = scene.nodeAt(scenePoint);
    if (!item)
        item = scene.portAt(scenePoint);
    m_left = m_left || !item || item->id() != m_from;
    // On the way out of its own node nothing is wrong yet.
    if (item && m_left) {
        m_target = item->id();
        m_refusal = linkRefusal(m_view.document(), m_from, m_target);
        item->setDropMark(m_refusal.isEmpty() ? DropMark::Valid : DropMark::Invalid);
    }
    m_view.viewport()->setCursor(m_refusal.isEmpty() ? Qt::CrossCursor : Qt::ForbiddenCursor);
    m_view.viewport()->update();
}

void LinkTool::clear() {
    if (auto* item = m_view.canvasScene().nodeItem(m_target))
        item->setDropMark(DropMark::None);
    m_target = {};
    m_refusal.clear();
}

void LinkTool::letGo() {
    const auto target = m_target;
    const auto refusal = m_refusal;
    cancel();
    if (target.value.empty())
        return;
    if (!refusal.isEmpty()) {
        emit m_view.message(refusal);
        return;
    }
    auto& document = m_view.document();
    const auto edit = linkEdit(document, m_from, target);
    const auto id = edit.link->id;
    if (!document.perform(edit))
        return;
    document.select({{}, {id}});
    m_view.links().offerKinds(id);
}

void LinkTool::cancel() {
    clear();
    m_view.viewport()->unsetCursor();
    m_view.viewport()->update();
}

void LinkTool::paint(QPainter& painter) const {
    const auto& theme = Theme::instance();
    const auto color = theme.color(m_refusal.isEmpty() ? ColorRole::Accent : ColorRole::Error);
    QPen pen(color, 3, Qt::DashLine, Qt::RoundCap);
    painter.setPen(pen);
    painter.drawLine(m_start, m_now);
    painter.setPen(QPen(color, 2));
    painter.setBrush(theme.color(ColorRole::Surface));
    painter.drawEllipse(m_start, kPortRadius, kPortRadius);
    if (!m_refusal.isEmpty())
        paintHint(painter, m_now, m_refusal);
}

std::unique_ptr<CanvasTool> linkTool(CanvasView& view, const engine::NodeId& from) {
    return std::make_unique<LinkTool>(view, from);
}

} // namespace heteroscape::widgets
