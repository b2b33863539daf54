// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/scenario/edit.h"

#include <algorithm>
#include <functional>
#include <string>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// The ids of a scenario while a list of edits is applied to it, kept up by who applies them: a thousand
/// edits take no thousand searches each.
class KnownIds {
public:
    void take(const Scenario& scenario); ///< in place of what is known
    void add(const Node& node);
    void remove(const Node& node);
    void add(const Link& link);
    void remove(const Link& link);
    bool has(const NodeId& id) const;
    bool has(const LinkId& id) const;
    bool isLinked(const NodeId& id) const;

private:
    std::unordered_set<std::string> m_nodes, m_links;
    std::unordered_map<std::string, std::size_t> m_ends; ///< of links at a node
};

/// What an edit does, takes back, says and equals. Each kind is an object in its own file.
class EditObject {
public:
    virtual ~EditObject() = default;
    /// As applyEdit(): checks before it changes anything. `known`: in a long list, else null.
    virtual GraphEdit apply(Scenario& scenario, KnownIds* known) const = 0;
    virtual std::string words(const Scenario& before) const = 0; ///< as describe()
    virtual bool equals(const EditObject& other) const = 0;
    /// The struct of the edit where `kind` is its type, else null.
    virtual const void* held(const std::type_info& kind) const = 0;
};

/// One that holds its struct, and compares as that does.
template <class Edit>
class EditOf : public EditObject {
public:
    explicit EditOf(Edit one) : edit(std::move(one)) {}
    bool equals(const EditObject& other) const final {
        const auto* one = static_cast<const Edit*>(other.held(typeid(Edit)));
        return one && edit == *one;
    }
    const void* held(const std::type_info& kind) const final {
        return kind == typeid(Edit) ? &edit : nullptr;
    }

protected:
    const Edit edit;
};

// What several kinds of edit need.

/// From the back: what was added last is taken away first.
template <class Items, class Id>
auto& itemOf(Items& items, const Id& id, const char* list, const char* problem) {
    const auto found =
        std::find_if(items.rbegin(), items.rend(), [&](const auto& item) { return item.id == id; });
    if (found == items.rend())
        throw Error(ErrorCode::NotFound, list + id.value, problem);
    return *found;
}
template <class T>
std::size_t indexIn(const std::vector<T>& items, const T& item) {
    return static_cast<std::size_t>(&item - items.data());
}
template <class T>
void insertAt(std::vector<T>& items, std::size_t index, const T& item) {
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(std::min(index, items.size())), item);
}

Node& nodeOf(Scenario& scenario, const NodeId& id); ///< or throws Error
bool hasNode(const Scenario& scenario, const KnownIds* known, const NodeId& id);
std::string nodeName(const Scenario& scenario, const NodeId& id); ///< as shown; its id if it is not there
std::string linkName(const Scenario& scenario, const Link& link); ///< "A100 80GB to Host CPU"
bool isNoteMove(const Scenario& before, const PutNote& edit);     ///< it is there, only its place changes

/// "Set Alveo U280 count to 3", or "Clear Alveo U280 count".
std::string settingWords(const std::string& subject, const FieldSpec& spec, const Quantity& quantity);

/// Takes off the arrows whose target is gone; `inverse`, of the edit that removed it, with their return.
GraphEdit withArrowsOff(Scenario& scenario, GraphEdit inverse,
                        const std::function<bool(const NoteTarget&)>& isGone);

} // namespace heteroscape::engine
