// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/node_item.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/design_index.h"
#include "widgets/canvas/layout_chips.h"
#include "widgets/canvas/link_routing.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QPainter>
#include <QWidget>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

std::vector<Problem> problemsOf(const DesignIndex::Findings& findings) {
    std::vector<Problem> problems;
    for (const auto* finding : findings)
        problems.push_back({finding->severity, QString::fromStdString(finding->message),
                            QString::fromStdString(finding->remedy), *finding});
    return problems;
}

void sortBySeverity(std::vector<Problem>& problems) {
    std::stable_sort(problems.begin(), problems.end(),
                     [](const Problem& a, const Problem& b) { return a.severity < b.severity; });
}

} // namespace

std::vector<Problem> problemsAt(const DesignIndex& index, const engine::NodeId& id) {
    auto problems = problemsOf(index.findingsOf(id));
    for (const auto& missing : index.shortfallsAt(id))
        problems.push_back({engine::Severity::Error, missing.brief, missing.full,
                            RemedyFinder::shortfallAt(missing.node), true});
    sortBySeverity(problems);
    return problems;
}

std::vector<Problem> problemsAt(const DesignIndex& index, const engine::LinkId& id) {
    auto problems = problemsOf(index.findingsOf(id));
    sortBySeverity(problems);
    return problems;
}

NodeItem::NodeItem(CanvasScene& scene, engine::NodeId id)
    : CanvasItemOfKind(scene), m_id(std::move(id)), m_height(cardHeight(m_card)) {}

QRectF NodeItem::cardRect() const {
    return {pos(), QSizeF(kCardWidth, m_height)};
}

QRectF NodeItem::stackRect() const {
    const auto reach = stackedBehind(m_card.count) * kStackStep;
    return cardRect().adjusted(0, 0, reach, reach);
}

QRectF NodeItem::badgeRect() const {
    return countBadgeRect(m_card.count).translated(pos());
}

void NodeItem::refresh(const DesignIndex& index) {
    auto card = cardOf(index, m_id);
    if (!card)
        return;
    ++m_scene.work().readNodes;
    m_findings.clear();
    for (const auto& problem : problemsAt(index, m_id))
        m_findings.push_back(problem.finding);
    advise(*card, *index.findNode(m_id));
    show(std::move(*card));
}

void NodeItem::advise(NodeCard& card, const engine::Node& node) const {
    card.remedies.clear();
    if (!card.problem.isEmpty())
        for (const auto& remedy : m_scene.knownRemedies(m_id))
            card.remedies << QString::fromStdString(remedy.label);
    card.proposal = layoutProposal(m_scene.document(), node);
}

bool NodeItem::takeAdvice(const engine::Node& node) {
    auto card = m_card;
    advise(card, node);
    return show(std::move(card));
}

bool NodeItem::show(NodeCard card) {
    if (card == m_card) {
        raise(); // it may stand elsewhere
        return false;
    }
    const auto height = cardHeight(card);
    const bool grows = height != m_height;
    if (grows) {
        prepareGeometryChange();
        m_height = height;
    }
    m_card = std::move(card);
    raise();
    if (m_chosenChip && *m_chosenChip >= m_card.techniques.size())
        m_chosenChip.reset();
    if (widgets::partRect(m_card, m_hoveredPart).isEmpty())
        m_hoveredPart = {};
    showTip();
    repaint();
    return grows;
}

void NodeItem::setLevel(double level) {
    m_level = level;
    raise();
}

void NodeItem::raise() {
    if (m_card.problem.isEmpty() && m_card.proposal.isEmpty())
        return setZValue(m_level);
    // Of two such the one that hangs down from further up; all of them below the notes.
    constexpr double kRaised = 2.5, kSlope = 1e-6, kFarthest = 1e5;
    setZValue(kRaised - kSlope * std::clamp(pos().y(), -kFarthest, kFarthest));
}

void NodeItem::showTip() {
    setToolTip(wrappedTip(m_hoveredPart               ? partTip(m_card, m_hoveredPart)
                          : !m_card.error.isEmpty()   ? m_card.error
                          : !m_card.warning.isEmpty() ? m_card.warning
                          : !m_card.note.isEmpty()    ? m_card.note
                                                      : m_card.details));
}

void NodeItem::setPorts(std::vector<QPointF> scenePoints) {
    for (auto& point : scenePoints)
        point -= pos();
    if (m_ports == scenePoints)
        return;
    m_ports = std::move(scenePoints);
    repaint();
}

void NodeItem::setHoveredPart(CardPart part) {
    if (m_hoveredPart == part)
        return;
    m_hoveredPart = part;
    showTip();
    update();
}

void NodeItem::setChosenChip(std::optional<std::size_t> chip) {
    if (m_chosenChip == chip)
        return;
    m_chosenChip = chip;
    update();
}

CardPart NodeItem::partAt(QPointF scenePoint) const {
    return m_scene.zoom() < kFewDetailsBelow ? CardPart{} : cardPartAt(m_card, scenePoint - pos());
}

QRectF NodeItem::partRect(const CardPart& part) const {
    return widgets::partRect(m_card, part).translated(pos());
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
    const bool plain = !m_hovered && m_mark == DropMark::None && !m_hoveredPart && !m_chosenChip;
    if (widget && m_scene.zoom() >= kFewDetailsBelow && !m_card.problem.isEmpty())
        m_scene.askRemedies(m_id); // of what is seen only
    ++m_scene.work().paintedNodes;
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
    if (zoom >= kFewDetailsBelow)
        paintParts(painter);
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

void NodeItem::paintParts(QPainter& painter) const {
    const auto accent = Theme::instance().color(ColorRole::Accent);
    painter.setBrush(Qt::NoBrush);
    if (m_chosenChip) {
        const auto box = widgets::partRect(m_card, {CardPart::Kind::Technique, *m_chosenChip});
        painter.setPen(QPen(accent, 2));
        painter.drawRoundedRect(box.adjusted(-2, -2, 2, 2), box.height() / 2 + 2, box.height() / 2 + 2);
    }
    if (!m_hoveredPart)
        return;
    const auto box = widgets::partRect(m_card, m_hoveredPart);
    if (m_hoveredPart.kind == CardPart::Kind::Role) {
        painter.setPen(QPen(Theme::instance().color(ColorRole::Text2), 1));
        painter.drawLine(QPointF(box.left() + 2, box.bottom() - 1.5),
                         QPointF(box.right() - 2, box.bottom() - 1.5));
        return;
    }
    painter.setPen(QPen(accent, 1.5));
    painter.drawRoundedRect(box, box.height() / 2, box.height() / 2);
}

} // namespace heteroscape::widgets
