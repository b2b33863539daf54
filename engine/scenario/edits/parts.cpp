// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/edits/edit_object.h"

namespace heteroscape::engine {

namespace {

std::vector<Device>& partsLike(const Device&, OwnParts& own) {
    return own.devices;
}
std::vector<Model>& partsLike(const Model&, OwnParts& own) {
    return own.models;
}
std::vector<Workload>& partsLike(const Workload&, OwnParts& own) {
    return own.workloads;
}

struct PutPartEdit final : EditOf<PutPart> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        const auto put = [&](const auto& part) -> GraphEdit {
            auto& parts = partsLike(part, scenario.own);
            checkId(part.id, "part");
            checkText(part.name, "own." + part.id + ".name");
            for (auto& one : parts)
                if (one.id == part.id)
                    return PutPart{std::exchange(one, part), indexIn(parts, one)};
            checkSize(parts.size() + 1, kMaxOwnParts, "own");
            insertAt(parts, edit.index, part);
            return DropPart{static_cast<PartKind>(edit.part->index()), part.id};
        };
        return std::visit(put, *edit.part);
    }
    std::string words(const Scenario&) const override {
        return std::visit([](const auto& part) { return "Keep " + part.name + " in the design"; },
                          *edit.part);
    }
};

struct DropPartEdit final : EditOf<DropPart> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        switch (edit.kind) {
        case PartKind::Device:
            return dropped(scenario.own.devices);
        case PartKind::Model:
            return dropped(scenario.own.models);
        case PartKind::Workload:
            break;
        }
        return dropped(scenario.own.workloads);
    }
    std::string words(const Scenario&) const override {
        return "Take " + edit.id + " out of the design\u2019s own parts";
    }

private:
    template <class Part>
    GraphEdit dropped(std::vector<Part>& parts) const {
        const auto found =
            std::find_if(parts.begin(), parts.end(), [&](const Part& part) { return part.id == edit.id; });
        if (found == parts.end())
            throw Error(ErrorCode::NotFound, "own." + edit.id,
                        "this design has no part of its own with that id");
        PutPart inverse{*found, static_cast<std::size_t>(found - parts.begin())};
        parts.erase(found);
        return inverse;
    }
};

} // namespace

GraphEdit::GraphEdit(PutPart edit) : m_object(std::make_shared<const PutPartEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(DropPart edit) : m_object(std::make_shared<const DropPartEdit>(std::move(edit))) {}

} // namespace heteroscape::engine
