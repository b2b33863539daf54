// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of one number or switch.
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
        if (edit.quantity.isSet())
            checkRange(resolved.spec, toEdge(edit.quantity.value, resolved.spec.scale), edit.path);
        else if (resolved.spec.required)
            throwInvalid(edit.path, "cannot be cleared", "Give " + rangeText(resolved.spec));
        return SetQuantity{edit.path, std::exchange(resolved.access(scenario), edit.quantity)};
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

} // namespace

std::string settingWords(const std::string& subject, const FieldSpec& spec, const Quantity& quantity) {
    if (!quantity.isSet())
        return "Clear " + subject;
    const auto unit = spec.unit.empty() ? std::string() : " " + std::string(spec.unit);
    return "Set " + subject + " to " + exactText(toEdge(quantity.value, spec.scale)) + unit;
}

GraphEdit::GraphEdit(SetTechnique edit)
    : m_object(std::make_shared<const SetTechniqueEdit>(std::move(edit))) {}
GraphEdit::GraphEdit(SetQuantity edit) : m_object(std::make_shared<const SetQuantityEdit>(std::move(edit))) {}

} // namespace heteroscape::engine
