// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/random_edits.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine::test {

NodeId RandomEdits::node(const Scenario& scenario) {
    return scenario.nodes.empty() ? NodeId{"none"} : any(scenario.nodes).id;
}

LinkId RandomEdits::link(const Scenario& scenario) {
    return scenario.links.empty() ? LinkId{"none"} : any(scenario.links).id;
}

NoteId RandomEdits::note(const Scenario& scenario) {
    return scenario.notes.empty() ? NoteId{"none"} : any(scenario.notes).id;
}

GraphEdit RandomEdits::putNote(const Scenario& scenario) {
    Note put;
    if (!scenario.notes.empty() && chance(0.7))
        put = any(scenario.notes);
    else
        put.id = freshNoteId(scenario, "note");
    if (put.text.empty() || chance(0.3))
        put.text = chance(0.9) ? "line " + std::to_string(below(9)) + "\nand another" : "";
    if (chance(0.5))
        put.position = {static_cast<double>(below(900)), static_cast<double>(below(900))};
    if (chance(0.2))
        put.width = static_cast<double>(below(400));
    if (chance(0.5)) {
        const std::optional<NoteTarget> arrows[] = {std::nullopt, node(scenario), link(scenario),
                                                    Position{static_cast<double>(below(900)), -8}};
        put.arrow = arrows[below(4)];
    }
    return PutNote{put, below(4)};
}

GraphEdit RandomEdits::addNode(const Scenario& scenario) {
    Node added;
    added.device = any(m_catalog.devices);
    added.id = freshNodeId(scenario, added.device.id);
    added.role = any(rolesOf(added.device.kind));
    if (const auto* runtime = m_catalog.defaultRuntime(added.device))
        added.runtime = runtime->on(added.device);
    return AddNode{added, below(scenario.nodes.size() + 2)};
}

GraphEdit RandomEdits::setDevice(const Scenario& scenario) {
    const auto& device = any(m_catalog.devices);
    std::optional<Runtime> runtime;
    if (isAccelerator(device.kind) && chance(0.8))
        runtime = any(m_catalog.runtimes).on(device);
    return SetDevice{node(scenario), device, runtime};
}

GraphEdit RandomEdits::setNumber(const Scenario& scenario) {
    const auto parameters = listParameters(scenario, m_catalog);
    const auto& parameter = any(parameters);
    const auto& spec = parameter.spec;
    if (chance(0.1))
        return SetQuantity{parameter.path, {}};
    // Inside the range or a little beside it.
    const double share = static_cast<double>(below(110)) / 100.0 - 0.05;
    double value = spec.minimum + share * std::min(spec.maximum - spec.minimum, 4000.0);
    if (spec.integer)
        value = std::floor(value);
    return SetQuantity{parameter.path, {value * spec.scale, Provenance::User, chance(0.2) ? "a note" : ""}};
}

GraphEdit RandomEdits::setText(const Scenario& scenario) {
    const auto parameters = listParameters(scenario, m_catalog);
    const auto& parameter = any(parameters);
    std::string text = "3";
    if (parameter.kind == ParameterKind::Boolean)
        text = chance(0.5) ? "true" : "false";
    else if (parameter.kind == ParameterKind::Choice && !parameter.choices.empty())
        text = any(parameter.choices);
    try {
        return setEdit(scenario, m_catalog, parameter.path, text);
    } catch (const Error&) {
        return RemoveNode{{"none"}}; // as good a refusal
    }
}

GraphEdit RandomEdits::setServing(const Scenario& scenario) {
    auto serving = scenario.serving;
    serving.arrivals = arrivalKinds().all()[below(3)];
    serving.batching = batchingKinds().all()[below(2)];
    return SetServing{std::move(serving)};
}

GraphEdit RandomEdits::putPart() {
    const auto id = "own-" + std::to_string(below(6));
    if (chance(0.5)) {
        auto device = any(m_catalog.devices);
        device.id = id;
        device.price = {static_cast<double>(below(9000)), Provenance::User, "an offer"};
        return PutPart{device, below(4)};
    }
    if (chance(0.5)) {
        auto model = any(m_catalog.models);
        model.id = id;
        return PutPart{model};
    }
    auto workload = any(m_catalog.workloads);
    workload.id = id;
    return PutPart{workload};
}

GraphEdit RandomEdits::dropPart(const Scenario& scenario) {
    const auto& own = scenario.own;
    if (!own.devices.empty() && chance(0.5))
        return DropPart{PartKind::Device, any(own.devices).id};
    if (!own.models.empty() && chance(0.5))
        return DropPart{PartKind::Model, any(own.models).id};
    return DropPart{PartKind::Workload, own.workloads.empty() ? "none" : any(own.workloads).id};
}

GraphEdit RandomEdits::several(const Scenario& scenario) {
    EditList list;
    auto after = scenario; // so that most lists fit
    for (auto count = below(5); count > 0; --count) {
        auto edit = ofKind(after, below(18));
        try {
            applyEdit(after, edit);
        } catch (const Error&) {
            if (chance(0.9))
                continue;
        }
        list.edits.push_back(std::move(edit));
    }
    if (chance(0.3))
        list.text = "Several things at once";
    return list;
}

GraphEdit RandomEdits::ofKind(const Scenario& scenario, std::size_t kind) {
    switch (kind) {
    case 0:
        return addNode(scenario);
    case 1:
        return removeEdit(scenario, {node(scenario)}, {});
    case 2:
        return MoveNode{node(scenario), {static_cast<double>(below(900)), static_cast<double>(below(900))}};
    case 3:
        return RenameNode{node(scenario), "name " + std::to_string(below(9))};
    case 4:
        return SetRole{node(scenario), static_cast<Role>(below(roleNames().size()))};
    case 5:
        return setDevice(scenario);
    case 6:
        return AddLink{
            Link{freshLinkId(scenario, "link"), node(scenario), node(scenario), any(m_catalog.linkTypes)},
            below(9)};
    case 7:
        return RemoveLink{link(scenario)};
    case 8:
        return SetLinkType{link(scenario), any(m_catalog.linkTypes)};
    case 9:
        return SetModel{any(m_catalog.models)};
    case 10: {
        const auto& technique = *any(techniqueKinds().all());
        if (!technique.options().empty() && chance(0.3))
            return SetTechnique{std::string(technique.id()), chance(0.5),
                                std::string(any(technique.options()).key)};
        return SetTechnique{std::string(technique.id()), chance(0.6)};
    }
    case 11:
        if (chance(0.3))
            return SetFrontier{chance(0.3) ? KeptFrontier()
                                           : KeptFrontier{std::make_shared<const std::string>(
                                                 "{\"id\":\"f" + std::to_string(below(3)) + "\"}")}};
        return SetDescription{"design " + std::to_string(below(9)), ""};
    case 12:
        return setServing(scenario);
    case 13:
        return putPart();
    case 14:
        return dropPart(scenario);
    case 15: {
        auto workload = any(m_catalog.workloads);
        if (!workload.batch.isSet())
            workload.batch = scenario.workload.batch;
        return SetWorkload{std::move(workload)};
    }
    case 16:
        return putNote(scenario);
    case 17:
        return DropNote{note(scenario)};
    case 18:
        return setText(scenario);
    case 19:
        return several(scenario);
    default:
        return setNumber(scenario);
    }
}

GraphEdit RandomEdits::next(const Scenario& scenario, std::size_t most) {
    if (scenario.nodes.size() > most)
        return removeEdit(scenario, {node(scenario)}, {});
    // Listing the parameters costs more than the other edits: numbers less often.
    return ofKind(scenario, chance(0.1) ? 18 + below(3) : below(20) == 19 ? 19 : below(18));
}

} // namespace heteroscape::engine::test
