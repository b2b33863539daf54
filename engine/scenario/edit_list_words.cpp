// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/edit_list_words.h"

#include "engine/scenario/notes.h"
#include "engine/scenario/runtime_choice.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <set>

namespace heteroscape::engine {

namespace {

/// The edits of a list and of the lists within it, in order.
void flatten(const EditList& list, std::vector<const GraphEdit*>& out) {
    for (const auto& edit : list.edits)
        if (const auto* inner = std::get_if<EditList>(&edit))
            flatten(*inner, out);
        else
            out.push_back(&edit);
}

/// All edits of kind T, in order.
template <class T>
std::vector<const T*> ofKind(const std::vector<const GraphEdit*>& edits) {
    std::vector<const T*> found;
    for (const auto* edit : edits)
        if (const auto* one = std::get_if<T>(edit))
            found.push_back(one);
    return found;
}

std::string counted(std::size_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

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
                           [](const auto* edit) { return std::holds_alternative<T>(*edit); });
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
        std::string label(spec.label);
        if (label.size() > 1 && label[1] >= 'a' && label[1] <= 'z')
            label[0] = static_cast<char>(std::tolower(label[0]));
        const auto where = label + " of " + counted(all.size(), parts.kind == "nodes" ? "node" : "link");
        const auto value = all[0]->quantity.value;
        if (std::none_of(all.begin(), all.end(), [](const auto* one) { return one->quantity.isSet(); }))
            return "Clear " + where;
        if (!std::all_of(all.begin(), all.end(),
                         [&](const auto* one) { return one->quantity.value == value; }))
            return "Set " + where;
        return "Set " + where + " to " + exactText(toEdge(value, spec.scale)) +
               (spec.unit.empty() ? std::string() : " " + std::string(spec.unit));
    }

    std::string switches() const {
        const auto all = ofKind<SetTechnique>(edits);
        return (all[0]->enabled ? "Switch on " : "Switch off ") + counted(all.size(), "technique");
    }

    bool allMove() const {
        return std::all_of(edits.begin(), edits.end(), [this](const GraphEdit* edit) {
            const auto* note = std::get_if<PutNote>(edit);
            return std::holds_alternative<MoveNode>(*edit) || (note && isNoteMove(before, *note));
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
            return old ? runtimeChange(*old, one.runtime) : std::string();
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

} // namespace

std::string describeList(const Scenario& before, const EditList& list) {
    ListWords words{before, {}};
    flatten(list, words.edits);
    return words.words();
}

} // namespace heteroscape::engine
