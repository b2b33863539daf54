// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/card_arranger.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/node_item.h"
#include "widgets/document/document.h"

#include <QMenu>

#include <map>

namespace heteroscape::widgets {

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
