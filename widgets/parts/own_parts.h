// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"
#include "widgets/parts/part_library.h"

#include <QString>

#include <string>
#include <vector>

namespace heteroscape::widgets {

class Document;

// Keeping parts that the user made, in the design or in the library, and doing what a part is for.

const std::string& partId(const OwnPart& part);
QString partName(const OwnPart& part);
engine::PartKind partKind(const OwnPart& part);

/// A name as an id: "A100, my own" -> "a100-my-own"; `fallback` when nothing of it is left.
std::string idFromName(const QString& name, const std::string& fallback);
/// The same with a number when the document's catalogue has a part of that kind and id already.
std::string freshPartId(const Document& document, engine::PartKind kind, const QString& name);

/// The document's own or library part of that id; throws engine::Error (NotFound).
OwnPart findPart(const Document& document, engine::PartKind kind, const std::string& id);

/// Keeps a part in the design (an undoable edit) or in the library (PartOrigin::Library; the design's own of
/// that id goes then, so that it does not hide it), together with `edits` as one step called `text`. Throws
/// engine::Error when the library refuses; nothing is changed then.
void keepPart(Document& document, PartLibrary& library, const OwnPart& part, PartOrigin where,
              std::vector<engine::GraphEdit> edits, const QString& text);

/// The edit that gives a node another device; its runtime stays when it runs there too.
engine::GraphEdit deviceEdit(const Document& document, const engine::NodeId& id,
                             const engine::Device& device);
/// Serves a workload: where it names no batch, the design's stays.
engine::GraphEdit workloadEdit(const Document& document, engine::Workload workload);

/// Lays a model out over the devices of the selected accelerators, else of the only one that there is, as
/// one undoable step. Empty, or why nothing was done and what to do, in a line.
QString applyLayout(Document& document, const QString& layoutId);

} // namespace heteroscape::widgets
