// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/parameters.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace heteroscape::engine {

struct AddNode {
    Node node;
    std::size_t index; ///< where in nodes; clamped to the end
};
/// The node's links must be gone already; removeNodeEdit() makes the whole edit.
struct RemoveNode {
    NodeId id;
};
struct MoveNode {
    NodeId id;
    Position position;
};
struct RenameNode {
    NodeId id;
    std::string name;
};
struct SetRole {
    NodeId id;
    Role role;
};
/// Replaces the device and the runtime that goes with it.
struct SetDevice {
    NodeId id;
    Device device;
    std::optional<Runtime> runtime;
};
struct AddLink {
    Link link;
    std::size_t index;
};
struct RemoveLink {
    LinkId id;
};
struct SetLinkType {
    LinkId id;
    LinkType type;
};
struct SetModel {
    Model model;
};
struct SetWorkload {
    Workload workload;
};
/// Replaces everything about arrivals and batching; SetFigure changes one number of it.
struct SetServing {
    Serving serving;
};
struct SetTechnique {
    std::string id;
    bool enabled;
    std::string option{}; ///< a switch within the technique ("weights"); empty: the technique itself
};
/// The figure is SI and carries its source; a figure without a value clears an optional property.
struct SetFigure {
    std::string path;
    Figure figure;
};
struct SetDescription {
    std::string name;
    std::string about;
};
struct EditList;

/// A change of a scenario as a value. Undo, the command line and random tests share it.
using GraphEdit = std::variant<AddNode, RemoveNode, MoveNode, RenameNode, SetRole, SetDevice, AddLink,
                               RemoveLink, SetLinkType, SetModel, SetWorkload, SetServing, SetTechnique,
                               SetFigure, SetDescription, EditList>;

/// Several edits as one human action.
struct EditList {
    std::vector<GraphEdit> edits;
    std::string
        verb{}; ///< what is done with the nodes, where the edits do not tell: "Paste", "Duplicate", "Cut"
};

/// Applies the edit (not called apply: std::apply would be found too) and returns the edit that takes it back
/// exactly. Throws Error and leaves the scenario as it was when the edit does not fit (unknown id, out of
/// range).
GraphEdit applyEdit(Scenario& scenario, const GraphEdit& edit);

/// Removes nodes and links, with every link that ends at a removed node.
GraphEdit removeEdit(const Scenario& scenario, const std::vector<NodeId>& nodes,
                     const std::vector<LinkId>& links);

/// The edit that sets a path from text in the shown unit ("3", "true", "u280"); "none" clears an optional
/// figure. "serving.trace" takes the path of a trace, loads it and lets it be the arrivals. Throws Error
/// naming the path, the text and what is allowed.
GraphEdit setEdit(const Scenario& scenario, const Catalog& catalog, const std::string& path,
                  const std::string& text);

/// What the edit does, for an undo list: "Set Alveo U280 count to 3". A list reads as the one action that it
/// is: "Move 3 nodes", "Set count of 3 nodes to 4", "Link A100 80GB to Host CPU"; never as a number of edits.
/// English; the window translates.
std::string describe(const Scenario& before, const GraphEdit& edit);

} // namespace heteroscape::engine
