// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of one number or switch, of what a design serves, and of what is said of it.
#include "engine/scenario/edits/edit_object.h"
#include "engine/units/number_text.h"

namespace heteroscape::engine {

namespace {

/// Index of a switch within a technique.
std::size_t optionOf(const Technique& technique, const std::string& key) {
    std::vector<std::string> keys{"enabled"};
    const auto options = technique.options();
    for (std::size_t i = 0; i < options.size(); ++i) {
        if (options[i].key == key)
            return i;
        keys.emplace_back(options[i].key);
    }
    throw Error(ErrorCode::NotFound, "techniques." + std::string(technique.id()) + "." + key,
                "no such switch", "Allowed: " + joined(keys));
}

struct SetTechniqueEdit final : EditOf<SetTechnique> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        const auto& technique = techniqueOf(edit.id);
        auto& settings = scenario.techniques[technique];
        if (edit.option.empty())
            return SetTechnique{edit.id, std::exchange(settings.enabled, edit.enabled), {}};
        const auto option = optionOf(technique, edit.option);
        const bool before = settings.isOn(option);
        settings.switchOn(option, edit.enabled);
        return SetTechnique{edit.id, before, edit.option};
    }
    std::string words(const Scenario&) const override {
        const auto& technique = techniqueOf(edit.id);
        return (edit.enabled ? "Switch on " : "Switch off ") +
               labelWithin(edit.option.empty() ? technique.label()
                                               : technique.options()[optionOf(technique, edit.option)].label);
    }
};

struct SetQuantityEdit final : EditOf<SetQuantity> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        const auto resolved = resolveQuantity(scenario, edit.path);
        auto quantity = edit.quantity;
        if (quantity.isSet()) {
            const double shown = shownValue(quantity.value, resolved.spec.scale);
            checkRange(resolved.spec, shown, edit.path);
            quantity.value = shown * resolved.spec.scale; // what is set is what a file will say
        } else if (resolved.spec.required)
            throwInvalid(edit.path, "cannot be cleared", "Give " + rangeText(resolved.spec));
        return SetQuantity{edit.path, std::exchange(resolved.access(scenario), std::move(quantity))};
    }
    std::string words(const Scenario& before) const override {
        const auto spec = resolveQuantity(before, edit.path).spec;
        const auto subject =
            edit.path.starts_with("nodes.")
                ? propertyOf(nodeName(before, {edit.path.substr(6, edit.path.find('.', 6) - 6)}), spec.label)
                : std::string(spec.label);
        return settingWords(subject, spec, edit.quantity);
    }
};

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

/// A design that was replaced.
struct OneDesign final : DesignSource {
    explicit OneDesign(Scenario one) : scenario(std::move(one)) {}
    Scenario design(const std::string&) const override { return scenario; }
    const Scenario scenario;
};

struct SetDesignEdit final : EditOf<SetDesign> {
    using EditOf::EditOf;
    GraphEdit apply(Scenario& scenario, KnownIds*) const override {
        auto design = edit.source->design(edit.name);
        design.takeKept(scenario);
        auto name = scenario.name;
        return SetDesign{std::make_shared<const OneDesign>(std::exchange(scenario, std::move(design))),
                         std::move(name)};
    }
    std::string words(const Scenario&) const override { return "Take " + edit.name; }
};

} // namespace

std::string settingWords(const std::string& subject, const FieldSpec& spec, const Quantity& quantity) {
    if (!quantity.isSet())
        return "Clear " + subject;
    const auto unit = spec.unit.empty() ? std::string() : " " + std::string(spec.unit);
    return "Set " + subject + " to " + exactText(shownValue(quantity.value, spec.scale)) + unit;
}

GraphEdit::GraphEdit(SetTechnique edit)
    : m_object(std::make_shared<const SetTechniqueEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetQuantity edit) : m_object(std::make_shared<const SetQuantityEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetModel edit) : m_object(std::make_shared<const SetModelEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetDraft edit) : m_object(std::make_shared<const SetDraftEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetWorkload edit) : m_object(std::make_shared<const SetWorkloadEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetArrivals edit) : m_object(std::make_shared<const SetArrivalsEdit>(edit)) {}
GraphEdit::GraphEdit(SetBatching edit) : m_object(std::make_shared<const SetBatchingEdit>(edit)) {}
GraphEdit::GraphEdit(SetServing edit) : m_object(std::make_shared<const SetServingEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetDescription edit)
    : m_object(std::make_shared<const SetDescriptionEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetDesign edit) : m_object(std::make_shared<const SetDesignEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetFrontier edit) : m_object(std::make_shared<const SetFrontierEdit>(std::move(edit))) {}

} // namespace heteroscape::engine
