// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/link_item.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPathStroker>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr double kLabelReach = 130; ///< how far text may reach along the wire
constexpr double kHotUse = 0.8;
constexpr double kMarkWidth = 14; ///< of the sign of an edited figure, with its gap

/// Text with a halo of the canvas behind it, so that it reads over dots and wires. The anchor is on the
/// baseline.
void haloText(QPainter& painter, QPointF anchor, Qt::AlignmentFlag align, const QString& text,
              const QFont& font, const QColor& color) {
    const auto width = QFontMetricsF(font).horizontalAdvance(text);
    if (align == Qt::AlignHCenter)
        anchor.rx() -= width / 2;
    else if (align == Qt::AlignRight)
        anchor.rx() -= width;
    QPainterPath path;
    path.addText(anchor, font, text);
    painter.strokePath(path, QPen(Theme::instance().color(ColorRole::Canvas), 4, Qt::SolidLine, Qt::RoundCap,
                                  Qt::RoundJoin));
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(anchor, text);
}

/// The same pill as on a card, in the middle of the wire.
void paintBottleneck(QPainter& painter, QPointF at, double zoom) {
    const auto pill = bottleneckPill(at);
    painter.save();
    paintBottleneckPill(painter, pill,
                        {zoom, painter.device() ? painter.device()->devicePixelRatioF() : 1.0});
    painter.restore();
}

} // namespace

bool LinkItem::isHot() const {
    return m_label.bottleneck || m_label.use > kHotUse;
}

LinkItem::LinkItem(const CanvasScene& scene, engine::LinkId id) : m_scene(scene), m_id(std::move(id)) {
    setZValue(1);
}

void LinkItem::refresh(const Document& document, const engine::TechniqueTargets& targets) {
    const auto label = linkLabel(document, m_id, targets);
    if (!label)
        return;
    prepareGeometryChange();
    m_label = *label;
    m_width = wireWidth(document.scenario().findLink(m_id)->type.bandwidth.value);
    const auto& selected = document.selection().links;
    m_selected = std::find(selected.begin(), selected.end(), m_id) != selected.end();
    QStringList findings;
    for (const auto& finding : document.diagnostics())
        if (finding.severity == engine::Severity::Error &&
            (finding.subject == m_id.value || finding.subject.starts_with("links." + m_id.value + ".")))
            findings << QString::fromStdString(finding.message + ". " + finding.remedy);
    m_wrong = !findings.isEmpty();
    setToolTip(tooltipText(m_wrong ? findings.join(QLatin1Char('\n')) : linkSentence(document, m_id)));
    update();
}

void LinkItem::setRoute(const LinkRoute& route) {
    if (route == m_route)
        return;
    prepareGeometryChange();
    m_route = route;
    m_path = roundedPath(route, kLinkCorner);
}

QRectF LinkItem::boundingRect() const {
    return m_path.boundingRect().adjusted(-kLabelReach - kLabelAway, -48 - kLabelAway,
                                          kLabelReach + kLabelAway, 64 + kLabelAway);
}

QPainterPath LinkItem::shape() const {
    QPainterPathStroker stroker;
    stroker.setWidth(24); // as large a target as any control
    return stroker.createStroke(m_path);
}

void LinkItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
    const auto& theme = Theme::instance();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    const bool hot = isHot();
    if (m_selected || m_wrong) {
        painter->setPen(QPen(theme.color(m_selected ? ColorRole::Accent : ColorRole::Error), m_width + 4,
                             Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter->drawPath(m_path);
    }
    painter->setPen(QPen(theme.color(ColorRole::Wire), m_width, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter->drawPath(m_path);
    if (!m_label.traffic.isEmpty()) {
        // As much of the wire's width as of its bandwidth is taken.
        const auto taken = theme.color(hot ? ColorRole::Hot : ColorRole::Accent);
        painter->setPen(
            QPen(taken, std::max(1.0, m_label.use * m_width), Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
        painter->setOpacity(0.45);
        painter->drawPath(m_path);
        painter->setOpacity(1.0);
        QPen dots(theme.color(hot ? ColorRole::Hot : ColorRole::Accent), 3.2, Qt::CustomDashLine,
                  Qt::RoundCap);
        dots.setDashPattern({0.03, 3.4});
        painter->setPen(dots);
        painter->drawPath(m_path);
    }
    if (m_scene.zoom() >= kFewDetailsBelow)
        paintLabels(*painter);
}

LabelBlock LinkItem::labelBlock() const {
    const auto& theme = Theme::instance();
    const QFontMetricsF strong(theme.font(TextSize::Dense, QFont::DemiBold));
    const QFontMetricsF small(theme.font(TextSize::Caption, QFont::Medium));
    LabelBlock block;
    const auto mark = m_label.edited ? kMarkWidth : 0.0;
    block.kind = std::max(strong.horizontalAdvance(m_label.bandwidth) + 2 * mark,
                          small.horizontalAdvance(m_label.type));
    block.traffic = small.horizontalAdvance(m_label.traffic);
    for (const auto& chip : m_label.techniques)
        block.chips += small.horizontalAdvance(chip.text) + 22;
    block.half = m_width / 2; // of what the text stands beside
    if (m_label.bottleneck)
        block.pill = bottleneckPill({}).size();
    return block;
}

LabelSpot LinkItem::labelSpot() const {
    return labelSpotFor(m_route, labelBlock(), [this](const QRectF& rect) {
        // The mark of a bottleneck stands out above its card.
        const auto near = m_scene.nodesIn(rect.adjusted(0, 0, 0, kPillHeight));
        return std::any_of(near.begin(), near.end(), [&](const engine::NodeId& id) {
            const auto* node = m_scene.nodeItem(id);
            return node->card().bottleneck || node->cardRect().intersects(rect);
        });
    });
}

QRectF LinkItem::labelRect() const {
    const auto spot = labelSpot();
    return kindRect(spot, labelBlock());
}

void LinkItem::paintLabels(QPainter& painter) const {
    const auto& theme = Theme::instance();
    const auto block = labelBlock();
    const auto spot = labelSpot();
    const auto strong = theme.font(TextSize::Dense, QFont::DemiBold);
    const auto small = theme.font(TextSize::Caption);
    const auto live = theme.font(TextSize::Caption, QFont::Medium);
    const auto text = theme.color(ColorRole::Text);
    const auto quiet = theme.color(ColorRole::Text2);
    const auto traffic = theme.color(isHot() ? ColorRole::Hot : ColorRole::Accent);
    const auto at = spot.at;
    if (spot.away) { // a thin line tells what the words belong to
        painter.setPen(QPen(theme.color(ColorRole::BorderControl), 1, Qt::DotLine));
        painter.drawLine(spot.wire, at);
    }
    if (m_label.bottleneck)
        paintBottleneck(painter, at, m_scene.zoom());
    const auto half = halfBeside(spot, block);
    const auto kind = kindRect(spot, block);
    const auto align = spot.horizontal ? Qt::AlignHCenter : Qt::AlignLeft;
    const auto x = spot.horizontal ? at.x() : kind.left();
    const QPointF first(x + (m_label.edited && !spot.horizontal ? kMarkWidth : 0.0), kind.top() + 13);
    haloText(painter, first, align, m_label.bandwidth, strong, text);
    haloText(painter, {x, kind.top() + 28}, align, m_label.type, small, quiet);
    if (m_label.edited) {
        const auto width = QFontMetricsF(strong).horizontalAdvance(m_label.bandwidth);
        const auto left = spot.horizontal ? at.x() - width / 2 - kMarkWidth : x;
        const auto ratio = painter.device() ? painter.device()->devicePixelRatioF() : 1.0;
        painter.drawPixmap(QRectF(left, first.y() - 10, 11, 11),
                           theme.provenanceMark(engine::Provenance::User, ratio * m_scene.zoom()), QRectF());
    }
    if (!m_label.traffic.isEmpty()) {
        if (spot.horizontal)
            haloText(painter, at + QPointF(0, half + 16), Qt::AlignHCenter, m_label.traffic, live, traffic);
        else
            haloText(painter, at + QPointF(-half - 10, 5), Qt::AlignRight, m_label.traffic, live, traffic);
    }
    auto chips = chipsRect(spot, block);
    for (const auto& chip : m_label.techniques) {
        auto box = chips;
        box.setWidth(QFontMetricsF(live).horizontalAdvance(chip.text) + 16);
        painter.setPen(QPen(theme.color(ColorRole::Canvas), 2));
        painter.setBrush(theme.color(ColorRole::AccentSoft));
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
        painter.setPen(theme.color(ColorRole::Accent));
        painter.setFont(live);
        painter.drawText(box, Qt::AlignCenter, chip.text);
        chips.setLeft(box.right() + 6);
    }
}

} // namespace heteroscape::widgets
