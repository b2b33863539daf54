// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/note_layer.h"

#include "engine/scenario/notes.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/link_routing.h"
#include "widgets/plots/note_look.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <set>

namespace heteroscape::widgets {

namespace {

constexpr double kWordsLeft = 12;
constexpr double kWordsRight = 10;
constexpr double kWordsTop = 8;
constexpr double kStripe = 4; ///< along the left edge: a note is no card
constexpr double kNoteRadius = 4;
constexpr double kCornerSide = 14;

QFont noteFont(double zoom) {
    auto font = Theme::instance().font(TextSize::Body);
    if (zoom < kFewDetailsBelow) // as the names of cards, which grow as they shrink
        font.setPixelSize(static_cast<int>(std::clamp(std::round(11.0 / zoom), 13.0, 26.0)));
    return font;
}

} // namespace

double noteHeight(const QString& text, double width) {
    const auto font = noteFont(1.0);
    const auto lines = noteLines(text, font, width - kWordsLeft - kWordsRight);
    return std::ceil(static_cast<double>(lines.size()) * QFontMetricsF(font).lineSpacing() + 2 * kWordsTop);
}

QRectF NoteItem::rect() const {
    return {m_note.position.x, m_note.position.y, m_note.width, m_note.height};
}

QRectF NoteItem::cornerRect() const {
    return {rect().bottomRight() - QPointF(kCornerSide, kCornerSide), QSizeF(kCornerSide, kCornerSide)};
}

void NoteItem::show(const engine::Note& note, const std::optional<QLineF>& arrow) {
    if (note == m_note && arrow == m_arrow)
        return;
    prepareGeometryChange();
    m_note = note;
    m_arrow = arrow;
    update();
}

QRectF NoteItem::boundingRect() const {
    auto bounds = rect();
    if (m_arrow)
        bounds |= QRectF(m_arrow->p1(), m_arrow->p2()).normalized();
    return bounds.adjusted(-kNoteArrowHead, -kNoteArrowHead, kNoteArrowHead, kNoteArrowHead);
}

QPainterPath NoteItem::shape() const {
    QPainterPath path;
    path.addRect(rect());
    return path;
}

void NoteItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget* widget) {
    const auto& theme = Theme::instance();
    const auto zoom = widget ? m_scene.zoom() : 1.0; // a picture has room for every word
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintArrow(*painter);
    QPainterPath outline;
    outline.addRoundedRect(rect(), kNoteRadius, kNoteRadius);
    painter->fillPath(outline, theme.color(ColorRole::Panel));
    painter->save();
    painter->setClipPath(outline, Qt::IntersectClip);
    painter->fillRect(QRectF(rect().topLeft(), QSizeF(kStripe, rect().height())),
                      theme.color(ColorRole::Baseline));
    painter->restore();
    painter->setPen(
        QPen(theme.color(m_selected ? ColorRole::Accent : ColorRole::BorderControl), m_selected ? 3 : 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawPath(outline);
    if (zoom >= kBoxesBelow)
        paintWords(*painter, zoom);
    if (widget && (m_selected || m_hovered))
        paintHandles(*painter);
    painter->restore();
}

void NoteItem::paintArrow(QPainter& painter) const {
    if (!m_arrow)
        return;
    paintNoteArrow(painter, *m_arrow,
                   Theme::instance().color(m_selected ? ColorRole::Accent : ColorRole::Text2));
}

void NoteItem::paintWords(QPainter& painter, double zoom) const {
    const auto font = noteFont(zoom);
    const QFontMetricsF metrics(font);
    const auto box = rect().adjusted(kWordsLeft, kWordsTop, -kWordsRight, -kWordsTop);
    const auto lines = noteLines(QString::fromStdString(m_note.text), font, box.width());
    const auto room =
        std::max<qsizetype>(1, static_cast<qsizetype>((box.height() + 0.5) / metrics.lineSpacing()));
    painter.setFont(font);
    painter.setPen(Theme::instance().color(ColorRole::Text));
    painter.setClipRect(rect(), Qt::IntersectClip);
    for (qsizetype i = 0; i < std::min(room, lines.size()); ++i) {
        const bool cut = i + 1 == room && room < lines.size();
        const auto text =
            cut ? metrics.elidedText(lines[i] + QStringLiteral("\u2026"), Qt::ElideRight, box.width())
                : lines[i];
        painter.drawText(QPointF(box.left(), box.top() + metrics.ascent() +
                                                 static_cast<double>(i) * metrics.lineSpacing()),
                         text);
    }
    painter.setClipping(false);
}

void NoteItem::paintHandles(QPainter& painter) const {
    const auto& theme = Theme::instance();
    painter.setPen(QPen(theme.color(ColorRole::Text2), 1.5));
    const auto corner = rect().bottomRight();
    for (const double inset : {6.0, 10.0})
        painter.drawLine(corner - QPointF(inset, 3), corner - QPointF(3, inset));
    painter.setPen(QPen(theme.color(ColorRole::Text2), 2));
    painter.setBrush(theme.color(ColorRole::Surface));
    for (const auto& point : sideMiddles(rect()))
        painter.drawEllipse(point, kPortRadius - 1, kPortRadius - 1);
}

namespace {

constexpr double kOverNodes = 3.0; ///< height of the lowest note

QPointF nearestOn(const LinkRoute& route, QPointF to) {
    QPointF nearest = route.isEmpty() ? to : route.front();
    for (qsizetype i = 1; i < route.size(); ++i) {
        const auto way = route[i] - route[i - 1];
        const auto length = QPointF::dotProduct(way, way);
        const auto share =
            length > 0 ? std::clamp(QPointF::dotProduct(to - route[i - 1], way) / length, 0.0, 1.0) : 0.0;
        const auto point = route[i - 1] + way * share;
        if (QLineF(point, to).length() < QLineF(nearest, to).length())
            nearest = point;
    }
    return nearest;
}

std::optional<QPointF> endOf(const CanvasScene& scene, const engine::NoteTarget& target, QPointF from) {
    if (const auto* id = std::get_if<engine::NodeId>(&target)) {
        const auto* node = scene.nodeItem(*id);
        return node ? std::optional(edgeToward(node->cardRect(), from)) : std::nullopt;
    }
    if (const auto* id = std::get_if<engine::LinkId>(&target)) {
        const auto* link = scene.linkItem(*id);
        return link ? std::optional(nearestOn(link->route(), from)) : std::nullopt;
    }
    return toPoint(std::get<engine::Position>(target));
}

/// None where it points at nothing, or at what the note covers.
std::optional<QLineF> arrowOf(const CanvasScene& scene, const engine::Note& note) {
    const QRectF box(note.position.x, note.position.y, note.width, note.height);
    const auto end = note.arrow ? endOf(scene, *note.arrow, box.center()) : std::nullopt;
    if (!end || box.contains(*end))
        return std::nullopt;
    return QLineF(edgeToward(box, *end), *end);
}

QString nodeName(const engine::Scenario& scenario, const engine::NodeId& id) {
    const auto* node = scenario.findNode(id);
    return node ? QString::fromStdString(node->shownName()) : QString();
}

} // namespace

NoteLayer::NoteLayer(CanvasScene& scene, const Document& document) : m_scene(scene), m_document(document) {
    connect(&document, &Document::changed, this, &NoteLayer::sync);
    connect(&document, &Document::selectionChanged, this, &NoteLayer::markSelected);
    connect(&scene, &CanvasScene::placed, this, &NoteLayer::follow);
    sync();
}

NoteLayer::~NoteLayer() = default;

void NoteLayer::sync() {
    const auto notes = engine::notesOnCanvas(m_document.scenario());
    std::set<engine::NoteId> ids;
    for (const auto& note : notes)
        ids.insert(note.id);
    std::erase_if(m_items, [&](const auto& entry) { return !ids.contains(entry.first); });
    m_order.clear();
    double height = kOverNodes;
    for (const auto& note : notes) {
        auto& item = m_items[note.id];
        if (!item) {
            item = std::make_unique<NoteItem>(m_scene);
            m_scene.addItem(item.get());
        }
        item->setZValue(height += 1e-4);
        m_order.push_back(item.get());
        show(*item, note);
    }
    markSelected();
}

void NoteLayer::show(NoteItem& item, const engine::Note& note) {
    item.show(note, arrowOf(m_scene, note));
}

void NoteLayer::follow() {
    for (auto* item : m_order)
        show(*item, engine::Note(item->note()));
}

void NoteLayer::preview(const std::vector<engine::Note>& notes) {
    for (const auto& note : m_document.scenario().notes)
        if (auto* kept = item(note.id)) {
            const auto shown = std::find_if(notes.begin(), notes.end(),
                                            [&](const engine::Note& one) { return one.id == note.id; });
            show(*kept, shown == notes.end() ? note : *shown);
        }
}

void NoteLayer::markSelected() {
    const auto& notes = m_document.selection().notes;
    for (const auto& [id, item] : m_items)
        item->setSelected(std::find(notes.begin(), notes.end(), id) != notes.end());
}

void NoteLayer::setHovered(const NoteItem* hovered) {
    for (auto* item : m_order)
        item->setHovered(item == hovered);
}

NoteItem* NoteLayer::item(const engine::NoteId& id) const {
    const auto found = m_items.find(id);
    return found == m_items.end() ? nullptr : found->second.get();
}

NoteItem* NoteLayer::at(QPointF scenePoint) const {
    const auto found = std::find_if(m_order.rbegin(), m_order.rend(),
                                    [&](const NoteItem* one) { return one->rect().contains(scenePoint); });
    return found == m_order.rend() ? nullptr : *found;
}

NoteItem* NoteLayer::cornerAt(QPointF scenePoint) const {
    auto* there = at(scenePoint);
    return there && there->cornerRect().contains(scenePoint) ? there : nullptr;
}

NoteItem* NoteLayer::handleAt(QPointF scenePoint) const {
    const auto reach = kPortReach / std::max(m_scene.zoom(), kFewDetailsBelow);
    for (auto one = m_order.rbegin(); one != m_order.rend(); ++one)
        for (const auto& handle : sideMiddles((*one)->rect()))
            if (QLineF(handle, scenePoint).length() <= reach)
                return *one;
    return nullptr;
}

std::vector<engine::NoteId> NoteLayer::notesIn(const QRectF& sceneRect) const {
    std::vector<engine::NoteId> ids;
    for (const auto* one : m_order)
        if (one->rect().intersects(sceneRect))
            ids.push_back(one->note().id);
    return ids;
}

QRectF NoteLayer::content() const {
    QRectF rect;
    for (const auto* one : m_order)
        rect |= one->boundingRect();
    return rect;
}

engine::NoteTarget NoteLayer::targetAt(QPointF scenePoint) const {
    if (const auto* node = m_scene.nodeAt(scenePoint))
        return node->id();
    if (const auto* link = m_scene.linkAt(scenePoint))
        return link->id();
    return toPosition({std::round(scenePoint.x()), std::round(scenePoint.y())});
}

QString noteSentence(const Document& document, const engine::NoteId& id) {
    const auto& scenario = document.scenario();
    const auto* note = scenario.findNote(id);
    if (!note)
        return {};
    const auto text = tr("Note: %1").arg(QString::fromStdString(note->text));
    if (!note->arrow)
        return text;
    if (const auto* node = std::get_if<engine::NodeId>(&*note->arrow))
        return tr("%1, points at %2").arg(text, nodeName(scenario, *node));
    const auto* wire = std::get_if<engine::LinkId>(&*note->arrow);
    const auto* link = wire ? scenario.findLink(*wire) : nullptr;
    return link ? tr("%1, points at the link from %2 to %3")
                      .arg(text, nodeName(scenario, link->from), nodeName(scenario, link->to))
                : tr("%1, points at a place").arg(text);
}

} // namespace heteroscape::widgets

#include "moc_note_layer.cpp"
