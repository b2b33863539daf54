// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/notes.h"

#include "engine/scenario/edits/edit_object.h"

namespace heteroscape::engine {

namespace {

std::string targetWords(const Scenario& before, const NoteTarget& target) {
    if (const auto* node = std::get_if<NodeId>(&target))
        return nodeName(before, *node);
    const auto* id = std::get_if<LinkId>(&target);
    if (!id)
        return "a place";
    const auto* link = before.findLink(*id);
    return link ? "the link " + linkName(before, *link) : id->value;
}

struct PutNoteEdit final : EditOf<PutNote> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        checkId(edit.note->id.value, "note");
        checkNote(scenario, edit.note, "notes." + edit.note->id.value);
        for (auto& note : scenario.notes)
            if (note.id == edit.note->id)
                return PutNote{std::exchange(note, edit.note)};
        checkSize(scenario.notes.size() + 1, kMaxNotes, "notes");
        insertAt(scenario.notes, edit.index, *edit.note);
        return DropNote{edit.note->id};
    }
    std::string words(const Scenario& before) const override {
        const auto* old = before.findNote(edit.note->id);
        if (!old)
            return edit.note->plot ? "Add a note to a plot" : "Add a note";
        if (old->text != edit.note->text)
            return "Write in a note";
        if (old->arrow != edit.note->arrow)
            return edit.note->arrow ? "Point a note at " + targetWords(before, *edit.note->arrow)
                                    : "Take the arrow off a note";
        return isNoteMove(before, edit) ? "Move a note" : "Resize a note";
    }
};

struct DropNoteEdit final : EditOf<DropNote> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        const auto found = std::find_if(scenario.notes.begin(), scenario.notes.end(),
                                        [&](const Note& note) { return note.id == edit.id; });
        if (found == scenario.notes.end())
            throw Error(ErrorCode::NotFound, "notes." + edit.id.value, "no such note");
        PutNote inverse{std::move(*found), static_cast<std::size_t>(found - scenario.notes.begin())};
        scenario.notes.erase(found);
        return inverse;
    }
    std::string words(const Scenario&) const override { return "Remove a note"; }
};

} // namespace

GraphEdit withArrowsOff(Scenario& scenario, GraphEdit inverse,
                        const std::function<bool(const NoteTarget&)>& isGone) {
    EditList back{{std::move(inverse)}};
    for (auto& note : scenario.notes)
        if (note.arrow && isGone(*note.arrow)) {
            back.edits.push_back(PutNote{note});
            note.arrow.reset();
        }
    return back.edits.size() == 1 ? std::move(back.edits.front()) : GraphEdit(std::move(back));
}

bool isNoteMove(const Scenario& before, const PutNote& edit) {
    const auto* old = before.findNote(edit.note->id);
    if (!old)
        return false;
    auto moved = *old;
    moved.position = edit.note->position;
    return moved == edit.note;
}

GraphEdit::GraphEdit(PutNote edit) : m_object(std::make_shared<const PutNoteEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(DropNote edit) : m_object(std::make_shared<const DropNoteEdit>(std::move(edit))) {}

} // namespace heteroscape::engine
