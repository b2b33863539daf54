// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// Nodes with all their values, the links among them and notes, away from any design: what is copied.
struct Clip {
    std::vector<Node> nodes;
    std::vector<Link> links{}; ///< between those nodes only
    std::vector<Note> notes{}; ///< with arrows to these nodes and links, and to places, only
};

/// These nodes and notes of a design, in its order, and the links among the nodes. Ids that are not there are
/// left out.
Clip clipOf(const Scenario& scenario, const std::vector<NodeId>& nodes,
            const std::vector<NoteId>& notes = {});

/// The clip as JSON: {"format": "heteroscape-clip", "formatVersion": 1, "nodes": [...], "links": [...]} and
/// "notes" where there are some, written as in a design.
std::string writeClip(const Scenario& scenario, const std::vector<NodeId>& nodes,
                      const std::vector<NoteId>& notes = {});
/// Strict; `where` begins the place in every message. Devices, runtimes and link types must be full objects.
/// Throws Error naming the key and what is allowed.
Clip readClip(const std::string& text, const std::string& where);

/// Adds a clip to a design: fresh ids, every node and note `offset` away from where it was, and so the places
/// that arrows point at. `pasted` gets the new nodes' ids, `pastedNotes` those of the notes.
EditList pasteEdit(const Scenario& into, Clip clip, Position offset, std::vector<NodeId>& pasted,
                   std::vector<NoteId>* pastedNotes = nullptr);
/// The same from text; throws like readClip().
EditList pasteEdit(const Scenario& into, const std::string& text, Position offset,
                   std::vector<NodeId>& pasted);

} // namespace heteroscape::engine
