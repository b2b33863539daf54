// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
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

/// Devices as they are sold or racked together, linked: what is placed as one.
struct ReadyGroup {
    std::string id;
    std::string name; ///< "HGX H100, 8 GPUs"
    std::string about;
    Clip clip; ///< its first node stands at the origin
};

/// A shipped group of Catalog::groups: <presets>/groups/<id>.json, with "nodes" and "links" as a design has
/// them; accelerators that state no runtime get the software of freshly placed ones. Throws Error naming file
/// and key (NotFound for an id that is none).
ReadyGroup loadGroup(const Catalog& catalog, const std::string& id);
std::vector<ReadyGroup> loadGroups(const Catalog& catalog);

} // namespace heteroscape::engine
