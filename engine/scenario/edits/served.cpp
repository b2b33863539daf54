// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of what a design serves, and how.
#include "engine/scenario/edits/edit_object.h"

namespace heteroscape::engine {

namespace {

struct SetModelEdit final : EditOf<SetModel> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        return SetModel{std::exchange(scenario.model, edit.model)};
    }
    std::string words(const Scenario&) const override { return "Set model to " + edit.model->name; }
};

struct SetDraftEdit final : EditOf<SetDraft> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        return SetDraft{std::exchange(scenario.draft, edit.model)};
    }
    std::string words(const Scenario&) const override {
        return *edit.model ? "Guess with " + (*edit.model)->name : "Guess with the model's own layers";
    }
};

struct SetWorkloadEdit final : EditOf<SetWorkload> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        return SetWorkload{std::exchange(scenario.workload, edit.workload)};
    }
    std::string words(const Scenario&) const override {
        return "Set workload to " + (edit.workload->name.empty() ? "own" : edit.workload->name);
    }
};

struct SetArrivalsEdit final : EditOf<SetArrivals> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        return SetArrivals{std::exchange(scenario.serving.arrivals, edit.kind)};
    }
    std::string words(const Scenario&) const override {
        return "Set arrivals to " + std::string(edit.kind->id());
    }
};

struct SetBatchingEdit final : EditOf<SetBatching> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        return SetBatching{std::exchange(scenario.serving.batching, edit.kind)};
    }
    std::string words(const Scenario&) const override {
        return "Set batching to " + std::string(edit.kind->id());
    }
};

struct SetServingEdit final : EditOf<SetServing> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        return SetServing{std::exchange(scenario.serving, edit.serving)};
    }
    std::string words(const Scenario& before) const override {
        const auto& old = before.serving;
        if (edit.serving->arrivals != old.arrivals)
            return SetArrivalsEdit(SetArrivals{edit.serving->arrivals}).words(before);
        if (edit.serving->batching != old.batching)
            return SetBatchingEdit(SetBatching{edit.serving->batching}).words(before);
        return edit.serving->trace == old.trace ? "Set arrivals" : "Choose a request trace";
    }
};

} // namespace

GraphEdit::GraphEdit(SetModel edit) : m_object(std::make_shared<const SetModelEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetDraft edit) : m_object(std::make_shared<const SetDraftEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetWorkload edit) : m_object(std::make_shared<const SetWorkloadEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetArrivals edit) : m_object(std::make_shared<const SetArrivalsEdit>(edit)) {}
GraphEdit::GraphEdit(SetBatching edit) : m_object(std::make_shared<const SetBatchingEdit>(edit)) {}
GraphEdit::GraphEdit(SetServing edit) : m_object(std::make_shared<const SetServingEdit>(std::move(edit))) {}

} // namespace heteroscape::engine
