// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/edits/edit_object.h"
#include "engine/scenario/runtime_choice.h"

#include <optional>
#include <set>

namespace heteroscape::engine {

namespace {

/// The edits of a list and of the lists within it, in order.
void flatten(const EditList& list, std::vector<const GraphEdit*>& out) {
    for (const auto& edit : list.edits)
        if (const auto* inner = edit.as<EditList>())
            flatten(*inner, out);
        else
            out.push_back(&edit);
}

/// All edits of kind T, in order.
template <class T>
std::vector<const T*> ofKind(const std::vector<const GraphEdit*>& edits) {
    std::vector<const T*> found;
    for (const auto* edit : edits)
        if (const auto* one = edit->as<T>())
            found.push_back(one);
    return found;
}

std::string counted(std::size_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

constexpr std::size_t kManyEdits = 32; ///< of a list: their ids are looked up, not searched

/// "nodes.fpga.count" -> "nodes", "count"; the key may hold a dot ("device.memory_gb").
struct PathParts {
    std::string kind;
    std::string key;
};
PathParts partsOf(const std::string& path) {
    const auto first = path.find('.');
    const auto second = path.find('.', first + 1);
    if (first == std::string::npos || second == std::string::npos)
        return {{}, path};
    return {path.substr(0, first), path.substr(second + 1)};
}

/// A list of edits as the one human action that it is: "Move 3 nodes", "Remove A100 80GB", "Link U280 to 2
/// nodes", "Set count of 3 nodes to 4".
struct ListWords {
    const Scenario& before;
    std::vector<const GraphEdit*> edits;

    /// The name of a node that is there before, or that the list adds.
    std::string node(const NodeId& id) const {
        if (const auto* found = before.findNode(id))
            return found->shownName();
        for (const auto* add : ofKind<AddNode>(edits))
            if (add->node->id == id)
                return add->node->shownName();
        return id.value;
    }
    template <class T>
    bool allAre() const {
        return std::all_of(edits.begin(), edits.end(),
                           [](const auto* edit) { return edit->template as<T>() != nullptr; });
    }
    template <class T, class Member>
    bool same(Member member) const {
        const auto all = ofKind<T>(edits);
        return std::all_of(all.begin(), all.end(),
                           [&](const T* one) { return one->*member == all.front()->*member; });
    }
    /// How many nodes the edits of kind T are about.
    template <class T>
    std::size_t nodeCount() const {
        std::set<NodeId> ids;
        for (const auto* one : ofKind<T>(edits))
            ids.insert(one->id);
        return ids.size();
    }

    std::string links() const {
        const auto added = ofKind<AddLink>(edits);
        if (added.size() == 1)
            return "Link " + node(added[0]->link->from) + " to " + node(added[0]->link->to);
        for (const bool fromHere : {true, false}) { // one end that all share
            const auto end = [fromHere](const AddLink* one) {
                return fromHere ? one->link->from : one->link->to;
            };
            if (std::all_of(added.begin(), added.end(),
                            [&](const AddLink* one) { return end(one) == end(added[0]); }))
                return "Link " + node(end(added[0])) + " to " + counted(added.size(), "node");
        }
        return "Add " + counted(added.size(), "link");
    }

    std::string quantities() const {
        const auto all = ofKind<SetQuantity>(edits);
        const auto parts = partsOf(all[0]->path);
        const bool oneKind = std::all_of(all.begin(), all.end(), [&](const SetQuantity* one) {
            const auto other = partsOf(one->path);
            return other.kind == parts.kind && other.key == parts.key;
        });
        if (!oneKind || (parts.kind != "nodes" && parts.kind != "links"))
            return describe(before, *edits.back());
        const auto spec = resolveQuantity(before, all[0]->path).spec;
        const auto where =
            labelWithin(spec.label) + " of " + counted(all.size(), parts.kind == "nodes" ? "node" : "link");
        const auto value = all[0]->quantity.value;
        const bool noneIsSet =
            std::none_of(all.begin(), all.end(), [](const auto* one) { return one->quantity.isSet(); });
        const bool alike = std::all_of(all.begin(), all.end(),
                                       [&](const auto* one) { return one->quantity.value == value; });
        return noneIsSet || alike ? settingWords(where, spec, all[0]->quantity) : "Set " + where;
    }

    std::string switches() const {
        const auto all = ofKind<SetTechnique>(edits);
        return (all[0]->enabled ? "Switch on " : "Switch off ") + counted(all.size(), "technique");
    }

    bool allMove() const {
        return std::all_of(edits.begin(), edits.end(), [this](const GraphEdit* edit) {
            const auto* note = edit->as<PutNote>();
            return edit->as<MoveNode>() || (note && isNoteMove(before, *note));
        });
    }
    /// Of nodes and notes, together or alone.
    std::string moves() const {
        const auto nodes = counted(nodeCount<MoveNode>(), "node");
        const auto notes = ofKind<PutNote>(edits).size();
        if (notes == 0)
            return "Move " + nodes;
        return "Move " + (notes == edits.size() ? std::string() : nodes + " and ") + counted(notes, "note");
    }

    /// Several edits of the same kind; empty when they say no more together than the last of them.
    std::string ofOneKind() const {
        if (allAre<SetQuantity>())
            return quantities();
        if (allMove())
            return moves();
        if (allAre<RenameNode>())
            return "Rename " + counted(nodeCount<RenameNode>(), "node");
        if (allAre<SetRole>())
            return "Set role of " + counted(nodeCount<SetRole>(), "node") +
                   (same<SetRole>(&SetRole::role)
                        ? " to " + std::string(roleName(ofKind<SetRole>(edits)[0]->role))
                        : std::string());
        if (allAre<RemoveLink>())
            return "Remove " + counted(edits.size(), "link");
        if (allAre<DropNote>())
            return "Remove " + counted(edits.size(), "note");
        if (allAre<SetLinkType>())
            return same<SetLinkType>(&SetLinkType::type) ? "Set " + counted(edits.size(), "link") + " to " +
                                                               ofKind<SetLinkType>(edits)[0]->type->name
                                                         : "Set type of " + counted(edits.size(), "link");
        if (allAre<SetTechnique>() && same<SetTechnique>(&SetTechnique::enabled))
            return switches();
        if (allAre<SetDevice>())
            return devices();
        return {};
    }

    std::string devices() const {
        const auto all = ofKind<SetDevice>(edits);
        const auto count = counted(nodeCount<SetDevice>(), "node");
        const bool devicesStay = std::all_of(all.begin(), all.end(), [this](const SetDevice* one) {
            const auto* old = before.findNode(one->id);
            return old && old->device == one->device;
        });
        const auto& first = *all[0];
        const auto alike = [&](auto name) {
            return std::all_of(all.begin(), all.end(),
                               [&](const auto* one) { return name(*one) == name(first); });
        };
        const auto runtime = [](const SetDevice& one) {
            return *one.runtime ? (*one.runtime)->name : std::string();
        };
        if (devicesStay)
            return alike(runtime) && *first.runtime ? "Run " + runtime(first) + " on " + count
                                                    : "Change the runtime of " + count;
        const auto change = [this](const SetDevice& one) {
            const auto* old = before.findNode(one.id);
            return old ? softwareChange(*old, one) : std::string();
        };
        const auto changed = alike(change) ? change(first) : std::string("with other runtimes");
        const auto runtimes = changed.empty() ? std::string() : ", " + changed;
        return alike([](const SetDevice& one) { return one.device->name; })
                   ? "Replace " + count + " by " + first.device->name + runtimes
                   : "Replace the device of " + count + runtimes;
    }

    std::string words() const {
        if (edits.empty())
            return "Change nothing";
        const auto added = ofKind<AddNode>(edits);
        const auto removed = ofKind<RemoveNode>(edits);
        if (edits.size() == 1)
            return describe(before, *edits.front());
        if (!added.empty() && removed.empty())
            return "Add " + (added.size() == 1 ? added[0]->node->shownName() : counted(added.size(), "node"));
        if (!removed.empty() && added.empty())
            return "Remove " + (removed.size() == 1 ? node(removed[0]->id) : counted(removed.size(), "node"));
        if (allAre<AddLink>())
            return links();
        if (auto text = ofOneKind(); !text.empty())
            return text;
        return describe(before, *edits.back()); // what the others prepare
    }
};

struct EditListEdit final : EditOf<EditList> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds* known) const override {
        EditList inverse;
        inverse.edits.reserve(edit.edits.size());
        std::optional<KnownIds> ids;
        if (!known && edit.edits.size() >= kManyEdits)
            (known = &ids.emplace())->take(scenario);
        try {
            for (const auto& one : edit.edits)
                inverse.edits.push_back(one.object().apply(scenario, known));
        } catch (...) { // all or nothing
            for (auto it = inverse.edits.rbegin(); it != inverse.edits.rend(); ++it)
                it->object().apply(scenario, known);
            throw;
        }
        std::reverse(inverse.edits.begin(), inverse.edits.end());
        return inverse;
    }
    std::string words(const Scenario& before) const override {
        if (!edit.text.empty())
            return edit.text;
        ListWords list{before, {}};
        flatten(edit, list.edits);
        return list.words();
    }
};

} // namespace

void KnownIds::take(const Scenario& scenario) {
    *this = KnownIds();
    for (const auto& node : scenario.nodes)
        add(node);
    for (const auto& link : scenario.links)
        add(link);
}
void KnownIds::add(const Node& node) {
    m_nodes.insert(node.id.value);
}
void KnownIds::remove(const Node& node) {
    m_nodes.erase(node.id.value);
}
void KnownIds::add(const Link& link) {
    m_links.insert(link.id.value);
    ++m_ends[link.from.value];
    ++m_ends[link.to.value];
}
void KnownIds::remove(const Link& link) {
    m_links.erase(link.id.value);
    --m_ends[link.from.value];
    --m_ends[link.to.value];
}
bool KnownIds::has(const NodeId& id) const {
    return m_nodes.contains(id.value);
}
bool KnownIds::has(const LinkId& id) const {
    return m_links.contains(id.value);
}
bool KnownIds::isLinked(const NodeId& id) const {
    const auto found = m_ends.find(id.value);
    return found != m_ends.end() && found->second > 0;
}

GraphEdit::GraphEdit() : GraphEdit(EditList()) {}
GraphEdit::GraphEdit(EditList edit) : m_object(std::make_shared<const EditListEdit>(std::move(edit))) {}

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
