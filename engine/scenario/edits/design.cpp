// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of the system as a whole, and of what is kept with a design.
#include "engine/scenario/edits/edit_object.h"

namespace heteroscape::engine {

namespace {

struct SetSystemEdit final : EditOf<SetSystem> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds* known) const override {
        checkSize(edit.nodes.size(), kMaxNodes, "nodes");
        checkSize(edit.links.size(), kMaxLinks, "links");
        SetSystem inverse{scenario.name, std::exchange(scenario.nodes, edit.nodes),
                          std::exchange(scenario.links, edit.links),
                          std::exchange(scenario.techniques, edit.techniques)};
        if (known)
            *known = KnownIds(scenario);
        return withArrowsOff(scenario, std::move(inverse), [&scenario](const NoteTarget& at) {
            const auto* node = std::get_if<NodeId>(&at);
            const auto* link = std::get_if<LinkId>(&at);
            return (node && !scenario.findNode(*node)) || (link && !scenario.findLink(*link));
        });
    }
    std::string words(const Scenario&) const override { return "Set system to " + edit.name; }
};

struct SetDescriptionEdit final : EditOf<SetDescription> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        checkText(edit.name, "name");
        checkText(edit.about, "about");
        return SetDescription{std::exchange(scenario.name, edit.name),
                              std::exchange(scenario.about, edit.about)};
    }
    std::string words(const Scenario&) const override { return "Rename the design"; }
};

struct SetFrontierEdit final : EditOf<SetFrontier> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        return SetFrontier{std::exchange(scenario.frontier, edit.frontier)};
    }
    std::string words(const Scenario&) const override { return "Change the frontier"; }
};

} // namespace

GraphEdit::GraphEdit(SetSystem edit) : m_object(std::make_shared<const SetSystemEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetDescription edit)
    : m_object(std::make_shared<const SetDescriptionEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetFrontier edit) : m_object(std::make_shared<const SetFrontierEdit>(std::move(edit))) {}

} // namespace heteroscape::engine
