// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/kept_edit.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

using Large = std::shared_ptr<const engine::GraphEdit>;

/// The note that an edit puts, null for other edits.
const engine::Note* noteOf(const Large& edit) {
    const auto* put = std::get_if<engine::PutNote>(edit.get());
    return put ? &put->note : nullptr;
}

} // namespace

KeptEdit::KeptEdit(const engine::GraphEdit& edit) {
    if (const auto* quantity = std::get_if<engine::SetQuantity>(&edit)) {
        m_kept = *quantity;
    } else if (const auto* move = std::get_if<engine::MoveNode>(&edit)) {
        m_kept = *move;
    } else if (const auto* list = std::get_if<engine::EditList>(&edit)) {
        List kept; // its text is only for the description, which is made already
        kept.reserve(list->edits.size());
        for (const auto& one : list->edits)
            kept.emplace_back(one);
        m_kept = std::move(kept);
    } else {
        m_kept = std::make_shared<const engine::GraphEdit>(edit);
    }
}

engine::GraphEdit KeptEdit::edit() const {
    if (const auto* quantity = std::get_if<engine::SetQuantity>(&m_kept))
        return *quantity;
    if (const auto* move = std::get_if<engine::MoveNode>(&m_kept))
        return *move;
    if (const auto* large = std::get_if<Large>(&m_kept))
        return **large;
    engine::EditList list;
    list.edits.reserve(std::get<List>(m_kept).size());
    for (const auto& one : std::get<List>(m_kept))
        list.edits.push_back(one.edit());
    return list;
}

bool KeptEdit::sameTarget(const KeptEdit& other) const {
    if (m_kept.index() != other.m_kept.index())
        return false;
    if (const auto* quantity = std::get_if<engine::SetQuantity>(&m_kept))
        return quantity->path == std::get<engine::SetQuantity>(other.m_kept).path;
    if (const auto* move = std::get_if<engine::MoveNode>(&m_kept))
        return move->id == std::get<engine::MoveNode>(other.m_kept).id;
    if (const auto* list = std::get_if<List>(&m_kept))
        return std::is_permutation(list->begin(), list->end(), std::get<List>(other.m_kept).begin(),
                                   std::get<List>(other.m_kept).end(),
                                   [](const KeptEdit& a, const KeptEdit& b) { return a.sameTarget(b); });
    const auto* note = noteOf(std::get<Large>(m_kept));
    const auto* second = noteOf(std::get<Large>(other.m_kept));
    return note && second && note->id == second->id;
}

bool KeptEdit::sameOutcome(const KeptEdit& other) const {
    if (m_kept.index() != other.m_kept.index())
        return false;
    if (const auto* quantity = std::get_if<engine::SetQuantity>(&m_kept)) {
        const auto& second = std::get<engine::SetQuantity>(other.m_kept);
        return quantity->path == second.path && quantity->quantity == second.quantity;
    }
    if (const auto* move = std::get_if<engine::MoveNode>(&m_kept)) {
        const auto& second = std::get<engine::MoveNode>(other.m_kept);
        return move->id == second.id && move->position == second.position;
    }
    if (const auto* list = std::get_if<List>(&m_kept)) // an inverse has them the other way round
        return std::is_permutation(list->begin(), list->end(), std::get<List>(other.m_kept).begin(),
                                   std::get<List>(other.m_kept).end(),
                                   [](const KeptEdit& a, const KeptEdit& b) { return a.sameOutcome(b); });
    const auto* note = noteOf(std::get<Large>(m_kept));
    const auto* second = noteOf(std::get<Large>(other.m_kept));
    return note && second && *note == *second;
}

} // namespace heteroscape::widgets
