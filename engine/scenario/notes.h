// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/scenario/scenario.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

// What a design keeps as notes (Note), in its file and by edits. Every arrow ends at something that is there:
// removing a node or link takes the arrows to it off their notes, and taking the removal back returns them.

inline constexpr double kLeastNoteSide = 24; ///< logical pixels
inline constexpr double kGreatestNoteSide = 1e4;

/// Throws Error (InvalidInput) naming `where` and the key: no text or too long a one, a place or size that
/// cannot be, an arrow to what `scenario` does not hold.
void checkNote(const Scenario& scenario, const Note& note, const std::string& where);

/// The member "notes" of a design: {"id", "text", "x", "y", "width", "height"} each, and "arrow" where there
/// is one: {"node": id}, {"link": id} or {"x", "y"}; of a note on a plot "plot": {"plot", "x", "y"}. Absent
/// when there are none. Nodes and links are read before. Strict like readScenario().
void readNotes(Scenario& scenario, JsonObject& object);
void writeNotes(Json& object, const std::vector<Note>& notes);

/// Those that stand on no plot, in the order of the design.
std::vector<Note> notesOnCanvas(const Scenario& scenario);

} // namespace heteroscape::engine
