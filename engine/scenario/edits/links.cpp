// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/edits/edit_object.h"

namespace heteroscape::engine {

namespace {

Link& linkOf(Scenario& scenario, const LinkId& id) {
    return itemOf(scenario.links, id, "links.", "no such link");
}

struct AddLinkEdit final : EditOf<AddLink> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds* known) const override {
        const auto& id = edit.link->id;
        checkId(id.value, "link");
        if (known ? known->has(id) : scenario.findLink(id) != nullptr)
            throwInvalid("links." + id.value, "a link of this id is there already");
        for (const auto* end : {&edit.link->from, &edit.link->to})
            if (!hasNode(scenario, known, *end))
                nodeOf(scenario, *end); // throws
        if (edit.link->from == edit.link->to)
            throwInvalid("links." + id.value, "links a node to itself", "Link two different nodes");
        checkSize(scenario.links.size() + 1, kMaxLinks, "links");
        insertAt(scenario.links, edit.index, *edit.link);
        if (known)
            known->add(edit.link);
        return RemoveLink{id};
    }
    std::string words(const Scenario& before) const override { return "Link " + linkName(before, edit.link); }
};

struct RemoveLinkEdit final : EditOf<RemoveLink> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds* known) const override {
        auto& link = linkOf(scenario, edit.id);
        const auto index = indexIn(scenario.links, link);
        if (known)
            known->remove(link);
        AddLink inverse{std::move(link), index};
        scenario.links.erase(scenario.links.begin() + static_cast<std::ptrdiff_t>(index));
        return withArrowsOff(scenario, std::move(inverse),
                             [&](const auto& at) { return at == NoteTarget(edit.id); });
    }
    std::string words(const Scenario& before) const override {
        const auto* link = before.findLink(edit.id);
        return link ? "Remove link " + linkName(before, *link) : "Remove link";
    }
};

struct SetLinkTypeEdit final : EditOf<SetLinkType> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        return SetLinkType{edit.id, std::exchange(linkOf(scenario, edit.id).type, edit.type)};
    }
    std::string words(const Scenario&) const override { return "Set link to " + edit.type->name; }
};

} // namespace

std::string linkName(const Scenario& scenario, const Link& link) {
    return nodeName(scenario, link.from) + " to " + nodeName(scenario, link.to);
}

GraphEdit::GraphEdit(AddLink edit) : m_object(std::make_shared<const AddLinkEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(RemoveLink edit) : m_object(std::make_shared<const RemoveLinkEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetLinkType edit) : m_object(std::make_shared<const SetLinkTypeEdit>(std::move(edit))) {}

} // namespace heteroscape::engine
