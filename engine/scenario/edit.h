// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/base/shared.h"
#include "engine/scenario/parameters.h"

#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <variant>
#include <vector>

namespace heteroscape::engine {

struct AddNode {
    Shared<Node> node;
    std::size_t index; ///< where in nodes; clamped to the end
    bool operator==(const AddNode&) const = default;
};
/// The node's links must be gone already; removeNodeEdit() makes the whole edit.
struct RemoveNode {
    NodeId id;
    bool operator==(const RemoveNode&) const = default;
};
struct MoveNode {
    NodeId id;
    Position position;
    bool operator==(const MoveNode&) const = default;
};
struct RenameNode {
    NodeId id;
    std::string name;
    bool operator==(const RenameNode&) const = default;
};
struct SetRole {
    NodeId id;
    Role role;
    bool operator==(const SetRole&) const = default;
};
/// Replaces the device and the software that goes with it. Without a role, the node keeps its own where the
/// device can have it; without a server, what serves on it.
struct SetDevice {
    NodeId id;
    Shared<Device> device;
    Shared<std::optional<Runtime>> runtime;
    std::optional<Role> role{};
    std::optional<Shared<std::optional<Server>>> server{};
    bool operator==(const SetDevice& other) const {
        return id == other.id && device == other.device && runtime == other.runtime &&
               (!role || !other.role || role == other.role) &&
               (!server || !other.server || server == other.server);
    }
};
/// What serves on a node; none: kernels alone.
struct SetServer {
    NodeId id;
    Shared<std::optional<Server>> server{};
    bool operator==(const SetServer&) const = default;
};
struct AddLink {
    Shared<Link> link;
    std::size_t index;
    bool operator==(const AddLink&) const = default;
};
struct RemoveLink {
    LinkId id;
    bool operator==(const RemoveLink&) const = default;
};
struct SetLinkType {
    LinkId id;
    Shared<LinkType> type;
    bool operator==(const SetLinkType&) const = default;
};
struct SetModel {
    Shared<Model> model;
    bool operator==(const SetModel&) const = default;
};
/// The model that guesses tokens; none: layers of the served model do.
struct SetDraft {
    Shared<std::optional<Model>> model{};
    bool operator==(const SetDraft&) const = default;
};
struct SetWorkload {
    Shared<Workload> workload;
    bool operator==(const SetWorkload&) const = default;
};
/// Replaces the whole system, with its techniques; what it serves stays.
struct SetSystem {
    std::string name; ///< of the system, for an undo list
    std::vector<Node> nodes;
    std::vector<Link> links;
    Techniques techniques;
    bool operator==(const SetSystem& other) const {
        return nodes == other.nodes && links == other.links && techniques == other.techniques;
    }
};
/// Replaces everything about arrivals and batching; SetQuantity changes one number of it.
struct SetServing {
    Shared<Serving> serving;
    bool operator==(const SetServing&) const = default;
};
/// The kind of arrivals or of batching, and nothing else of what is served.
struct SetArrivals {
    const ArrivalKind* kind; ///< not null
    bool operator==(const SetArrivals&) const = default;
};
struct SetBatching {
    const BatchingKind* kind; ///< not null
    bool operator==(const SetBatching&) const = default;
};
struct SetTechnique {
    std::string id;
    bool enabled;
    std::string option{}; ///< a switch within the technique ("weights"); empty: the technique itself
    bool operator==(const SetTechnique&) const = default;
};
/// The quantity is SI and carries its source; a quantity without a value clears an optional property.
struct SetQuantity {
    std::string path;
    Quantity quantity;
    bool operator==(const SetQuantity&) const = default;
};
struct SetDescription {
    std::string name;
    std::string about;
    bool operator==(const SetDescription&) const = default;
};
/// Adds a part to the design's own, or replaces the one of its id there.
struct PutPart {
    Shared<std::variant<Device, Model, Workload>> part; ///< in the order of PartKind
    std::size_t index = static_cast<std::size_t>(-1);   ///< where a new one goes; clamped to the end
    bool operator==(const PutPart& other) const { return part == other.part; }
};
/// Takes a part out of the design's own. Nodes of that device stay as they are.
struct DropPart {
    PartKind kind;
    std::string id;
    bool operator==(const DropPart&) const = default;
};
/// Adds a note, or replaces the one of its id.
struct PutNote {
    Shared<Note> note;
    std::size_t index = static_cast<std::size_t>(-1); ///< where a new one goes; clamped to the end
    bool operator==(const PutNote& other) const { return note == other.note; }
};
struct DropNote {
    NoteId id;
    bool operator==(const DropNote&) const = default;
};
/// The frontier that is kept with the design; none: keeps none.
struct SetFrontier {
    KeptFrontier frontier;
    bool operator==(const SetFrontier&) const = default;
};
/// Designs by their names, made when they are asked for; any thread.
class DesignSource {
public:
    DesignSource() = default;
    virtual ~DesignSource() = default;
    DesignSource(const DesignSource&) = delete;
    DesignSource& operator=(const DesignSource&) = delete;

    virtual Scenario design(const std::string& name) const = 0; ///< throws Error for what is not there
};
/// Replaces all of a design but what is kept with it.
struct SetDesign {
    std::shared_ptr<const DesignSource> source; ///< never null
    std::string name;
    bool operator==(const SetDesign&) const = default;
};
struct EditList;
class EditObject;

/// A change of a scenario as a value that copies share. Undo, the command line and random tests share it.
/// Each of the structs above becomes one; what it does and says is an object in engine/scenario/edits/.
class GraphEdit {
public:
    GraphEdit(); ///< an empty list: changes nothing
    GraphEdit(AddNode edit);
    GraphEdit(RemoveNode edit);
    GraphEdit(MoveNode edit);
    GraphEdit(RenameNode edit);
    GraphEdit(SetRole edit);
    GraphEdit(SetDevice edit);
    GraphEdit(SetServer edit);
    GraphEdit(AddLink edit);
    GraphEdit(RemoveLink edit);
    GraphEdit(SetLinkType edit);
    GraphEdit(SetModel edit);
    GraphEdit(SetDraft edit);
    GraphEdit(SetWorkload edit);
    GraphEdit(SetSystem edit);
    GraphEdit(SetServing edit);
    GraphEdit(SetArrivals edit);
    GraphEdit(SetBatching edit);
    GraphEdit(SetTechnique edit);
    GraphEdit(SetQuantity edit);
    GraphEdit(SetDescription edit);
    GraphEdit(PutPart edit);
    GraphEdit(DropPart edit);
    GraphEdit(PutNote edit);
    GraphEdit(DropNote edit);
    GraphEdit(SetFrontier edit);
    GraphEdit(SetDesign edit);
    GraphEdit(EditList edit);

    /// The edit where it is of this kind, else null: `edit.as<SetQuantity>()`.
    template <class Edit>
    const Edit* as() const {
        return static_cast<const Edit*>(held(typeid(Edit)));
    }
    bool operator==(const GraphEdit& other) const; ///< of the same kind and as their structs compare
    const EditObject& object() const { return *m_object; }

private:
    std::shared_ptr<const EditObject> m_object; ///< not null

    const void* held(const std::type_info& kind) const;
};

/// Several edits as one human action. `text` names them in an undo list ("Paste 3 nodes"); empty: made from
/// the edits.
struct EditList {
    std::vector<GraphEdit> edits;
    std::string text{};
    bool operator==(const EditList& other) const { return edits == other.edits; }
};

/// True when `edit` and the inverse that applyEdit() gave for it say the same: nothing was changed.
bool changesNothing(const GraphEdit& edit, const GraphEdit& inverse);

/// Applies the edit (not called apply: std::apply would be found too) and returns the edit that takes it back
/// exactly. Throws Error and leaves the scenario as it was when the edit does not fit (unknown id, out of
/// range). Arrows of notes end with what they point at (see notes.h).
GraphEdit applyEdit(Scenario& scenario, const GraphEdit& edit);

/// Removes nodes, links and notes, with every link that ends at a removed node.
GraphEdit removeEdit(const Scenario& scenario, const std::vector<NodeId>& nodes,
                     const std::vector<LinkId>& links, const std::vector<NoteId>& notes = {});

/// The edit that sets a path from text in the shown unit ("3", "true", "u280"; a part also by its file, .json
/// or .hscape, or one that the design brings); "none" clears an optional quantity. "serving.trace" takes the
/// path of a trace, loads it and lets it be the arrivals. Throws Error naming the path, the text and what is
/// allowed.
GraphEdit setEdit(const Scenario& scenario, const Catalog& catalog, const std::string& path,
                  const std::string& text);
/// The same of a part that is told whole, as its file would have it: a device, model (also a Hugging Face
/// config), draft model, workload, runtime or type of link.
GraphEdit partEdit(const Scenario& scenario, const Catalog& catalog, const std::string& path,
                   const Json& part);

/// The edits of names of such points (isPointPath()). What makes the designs reads what the base keeps:
/// engine/frontier. Throws Error where it keeps nothing.
std::vector<GraphEdit> pointEdits(const Scenario& base, const Catalog& catalog, const std::string& path,
                                  const std::vector<std::string>& names);

/// What the edit does, for an undo list: "Set Alveo U280 count to 3", "Replace A100 80GB by TPU v5p, Fused
/// FP16 in place of Hugging Face eager" where the runtime cannot stay. A list reads as the one action that it
/// is: "Move 3 nodes", "Set count of 3 nodes to 4", "Link A100 80GB to Host CPU"; never as a number of edits.
/// English; the window translates.
std::string describe(const Scenario& before, const GraphEdit& edit);

} // namespace heteroscape::engine
