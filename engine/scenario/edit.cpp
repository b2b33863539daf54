// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/edits/edit_object.h"

namespace heteroscape::engine {

bool GraphEdit::operator==(const GraphEdit& other) const {
    return m_object == other.m_object || m_object->equals(*other.m_object);
}

const void* GraphEdit::held(const std::type_info& kind) const {
    return m_object->held(kind);
}

bool changesNothing(const GraphEdit& edit, const GraphEdit& inverse) {
    const auto* list = edit.as<EditList>();
    const auto* back = inverse.as<EditList>();
    if (!list || !back)
        return edit == inverse;
    return std::equal(list->edits.begin(), list->edits.end(), back->edits.rbegin(), back->edits.rend(),
                      changesNothing);
}

GraphEdit applyEdit(Scenario& scenario, const GraphEdit& edit) {
    return edit.object().apply(scenario, nullptr);
}

GraphEdit removeEdit(const Scenario& scenario, const std::vector<NodeId>& nodes,
                     const std::vector<LinkId>& links, const std::vector<NoteId>& notes) {
    const auto listed = [](const auto& ids, const auto& id) {
        return std::find(ids.begin(), ids.end(), id) != ids.end();
    };
    EditList list;
    for (const auto& link : scenario.links)
        if (listed(links, link.id) || listed(nodes, link.from) || listed(nodes, link.to))
            list.edits.push_back(RemoveLink{link.id});
    for (const auto& id : nodes)
        list.edits.push_back(RemoveNode{id});
    for (const auto& id : notes)
        list.edits.push_back(DropNote{id});
    return list;
}

std::string describe(const Scenario& before, const GraphEdit& edit) {
    return edit.object().words(before);
}

} // namespace heteroscape::engine
