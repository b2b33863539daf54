// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/card_arranger.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/node_item.h"
#include "widgets/document/document.h"
#include "widgets/theme/plain_text.h"

#include <QMenu>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace heteroscape::widgets {

namespace {

/// Start, middle and end along one axis.
std::array<double, 3> marks(const QRectF& rect, bool across) {
    if (across)
        return {rect.left(), rect.center().x(), rect.right()};
    return {rect.top(), rect.center().y(), rect.bottom()};
}

std::optional<double> nearest(const QRectF& moving, const std::vector<QRectF>& others, bool across,
                              double reach) {
    std::optional<double> best;
    const auto own = marks(moving, across);
    for (const auto& other : others) {
        const auto theirs = marks(other, across);
        for (std::size_t i = 0; i < own.size(); ++i) // like to like: left to left, middle to middle
            if (const auto apart = theirs[i] - own[i];
                std::abs(apart) <= reach && (!best || std::abs(apart) < std::abs(*best)))
                best = apart;
    }
    return best;
}

/// One line through everything that is in line with the rectangle where it has come to lie.
void addLines(std::vector<QLineF>& lines, const QRectF& placed, const std::vector<QRectF>& others,
              bool across) {
    const auto own = marks(placed, across);
    for (std::size_t i = 0; i < own.size(); ++i) {
        QRectF all;
        for (const auto& other : others)
            if (std::abs(marks(other, across)[i] - own[i]) < 0.01)
                all |= other;
        if (all.isNull())
            continue;
        all |= placed;
        lines.push_back(across ? QLineF(own[i], all.top(), own[i], all.bottom())
                               : QLineF(all.left(), own[i], all.right(), own[i]));
    }
}

} // namespace

GuideSnap snapToGuides(const QRectF& moving, const std::vector<QRectF>& others, double reach) {
    GuideSnap snap{nearest(moving, others, true, reach), nearest(moving, others, false, reach), {}};
    const auto placed = moving.translated(snap.dx.value_or(0.0), snap.dy.value_or(0.0));
    if (snap.dx)
        addLines(snap.lines, placed, others, true);
    if (snap.dy)
        addLines(snap.lines, placed, others, false);
    return snap;
}

namespace {

struct AlignWords {
    Q_DECLARE_TR_FUNCTIONS(Canvas)
public:
    static constexpr Word<Align> kTable[]{
        {Align::Left, QT_TR_NOOP("Align left")},     {Align::Centre, QT_TR_NOOP("Align centre")},
        {Align::Right, QT_TR_NOOP("Align right")},   {Align::Top, QT_TR_NOOP("Align top")},
        {Align::Middle, QT_TR_NOOP("Align middle")}, {Align::Bottom, QT_TR_NOOP("Align bottom")}};
};

void addMove(engine::EditList& list, const ArrangeBox& box, QPointF topLeft) {
    if (topLeft != box.rect.topLeft())
        list.edits.push_back(engine::MoveNode{box.id, {topLeft.x(), topLeft.y()}});
}

QPointF aligned(const QRectF& rect, const QRectF& all, Align how) {
    switch (how) {
    case Align::Left:
        return {all.left(), rect.top()};
    case Align::Centre:
        return {all.center().x() - rect.width() / 2, rect.top()};
    case Align::Right:
        return {all.right() - rect.width(), rect.top()};
    case Align::Top:
        return {rect.left(), all.top()};
    case Align::Middle:
        return {rect.left(), all.center().y() - rect.height() / 2};
    case Align::Bottom:
        return {rect.left(), all.bottom() - rect.height()};
    }
    return rect.topLeft();
}

} // namespace

engine::EditList alignEdit(const std::vector<ArrangeBox>& boxes, Align how) {
    QRectF all;
    for (const auto& box : boxes)
        all |= box.rect;
    engine::EditList list;
    for (const auto& box : boxes)
        addMove(list, box, aligned(box.rect, all, how));
    return list;
}

engine::EditList distributeEdit(const std::vector<ArrangeBox>& boxes, Distribute how) {
    engine::EditList list;
    if (boxes.size() < 3)
        return list;
    const bool across = how == Distribute::Horizontally;
    const auto length = [across](const QRectF& rect) { return across ? rect.width() : rect.height(); };
    const auto start = [across](const QRectF& rect) { return across ? rect.left() : rect.top(); };
    auto sorted = boxes;
    std::stable_sort(sorted.begin(), sorted.end(), [across](const ArrangeBox& a, const ArrangeBox& b) {
        return across ? a.rect.center().x() < b.rect.center().x() : a.rect.center().y() < b.rect.center().y();
    });
    double taken = 0.0;
    for (const auto& box : sorted)
        taken += length(box.rect);
    const auto from = start(sorted.front().rect);
    const auto whole = start(sorted.back().rect) + length(sorted.back().rect) - from;
    const auto gap =
        (whole - taken) / static_cast<double>(sorted.size() - 1); // negative: they overlap evenly
    double at = from;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const auto& rect = sorted[i].rect;
        const bool outermost = i == 0 || i + 1 == sorted.size(); // rounding must not move them
        if (!outermost)
            addMove(list, sorted[i], across ? QPointF(at, rect.top()) : QPointF(rect.left(), at));
        at += length(rect) + gap;
    }
    return list;
}

QString arrangeText(Align how) {
    return AlignWords::tr(lookUp(AlignWords::kTable, how));
}

QString arrangeText(Distribute how) {
    return how == Distribute::Horizontally ? tr("Distribute horizontally") : tr("Distribute vertically");
}

CardArranger::CardArranger(Document& document, CanvasScene& scene, QObject* parent)
    : QObject(parent), m_document(document), m_scene(scene) {
    connect(&document, &Document::reset, &m_layout, &Job::drop);
}

std::vector<ArrangeBox> CardArranger::selectedBoxes() const {
    m_scene.finish(); // cards have their heights
    std::vector<ArrangeBox> boxes;
    for (const auto& id : m_document.selection().nodes)
        if (const auto* item = m_scene.nodeItem(id))
            boxes.push_back({id, item->cardRect()});
    return boxes;
}

void CardArranger::align(Align how) {
    const auto boxes = selectedBoxes();
    const auto edit = boxes.size() < 2 ? engine::EditList{} : alignEdit(boxes, how);
    if (!edit.edits.empty())
        m_document.perform(edit, {}, arrangeText(how));
}

void CardArranger::distribute(Distribute how) {
    const auto edit = distributeEdit(selectedBoxes(), how);
    if (!edit.edits.empty())
        m_document.perform(edit, {}, arrangeText(how));
}

void CardArranger::layOut(LayoutDirection direction) {
    auto boxes = selectedBoxes();
    if (boxes.size() < 2) {
        boxes.clear();
        for (const auto* item : m_scene.nodes())
            boxes.push_back({item->id(), item->cardRect()});
    }
    std::map<engine::NodeId, std::size_t> indices;
    std::vector<QSizeF> sizes;
    for (const auto& box : boxes) {
        indices[box.id] = sizes.size();
        sizes.push_back(box.rect.size());
    }
    std::vector<LinkEnds> links;
    for (const auto& link : m_document.scenario().links) {
        const auto from = indices.find(link.from);
        const auto to = indices.find(link.to);
        if (from != indices.end() && to != indices.end())
            links.push_back({from->second, to->second});
    }
    m_layout.start([this, boxes = std::move(boxes), sizes = std::move(sizes), links = std::move(links),
                    direction](JobRun&) -> Job::Show {
        return [this, boxes, places = layeredPlaces(sizes, links, direction)] { place(boxes, places); };
    });
}

void CardArranger::place(const std::vector<ArrangeBox>& boxes, const std::vector<QPointF>& places) {
    if (places.size() != boxes.size())
        return;
    QRectF before, after;
    for (std::size_t i = 0; i < places.size(); ++i) {
        before |= boxes[i].rect;
        after |= QRectF(places[i], boxes[i].rect.size());
    }
    const auto shift = before.center() - after.center();
    engine::EditList list;
    list.edits.reserve(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        if (m_scene.nodeItem(boxes[i].id))
            list.edits.push_back(engine::MoveNode{boxes[i].id, toPosition(snapped(places[i] + shift))});
    const bool all = list.edits.size() == m_scene.nodes().size();
    m_document.perform(std::move(list), {}, all ? tr("Lay out the design") : tr("Lay out the selection"));
    if (all)
        emit laidOut();
}

void CardArranger::addMenu(QMenu& menu) {
    const auto selected = m_document.selection().nodes.size();
    auto* arrange = menu.addMenu(tr("Arrange"));
    for (const auto how :
         {Align::Left, Align::Centre, Align::Right, Align::Top, Align::Middle, Align::Bottom})
        arrange->addAction(arrangeText(how), this, [this, how] { align(how); })->setEnabled(selected >= 2);
    arrange->addSeparator();
    for (const auto how : {Distribute::Horizontally, Distribute::Vertically})
        arrange->addAction(arrangeText(how), this, [this, how] { distribute(how); })
            ->setEnabled(selected >= 3);
    arrange->addSeparator();
    const auto layouts = {std::pair(tr("Lay out from left to right"), LayoutDirection::LeftToRight),
                          std::pair(tr("Lay out from top to bottom"), LayoutDirection::TopDown)};
    for (const auto& [text, direction] : layouts)
        arrange->addAction(text, this, [this, direction = direction] { layOut(direction); })
            ->setEnabled(m_scene.nodes().size() >= 2);
}

} // namespace heteroscape::widgets

#include "moc_card_arranger.cpp"
