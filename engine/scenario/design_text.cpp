// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/design_text.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/base/shell_text.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/layout_choices.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/scenario_json.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

namespace {

/// A value of a parameter: as setEdit() takes it, or a part that is told whole.
struct Told {
    std::string path;
    Json value; ///< a text, a number, a switch; an object: a part
    std::string text{};

    GraphEdit edit(const Scenario& scenario, const Catalog& catalog) const {
        return value.is_object() ? partEdit(scenario, catalog, path, value)
                                 : setEdit(scenario, catalog, path, text);
    }
};

/// The part that a path of choices stands for; null: none that can be told whole.
Json partOf(const Scenario& design, const std::string& path) {
    if (path == "model")
        return writeModel(design.model);
    if (path == "draft_model")
        return design.draft ? writeModel(*design.draft) : Json();
    if (path == "workload")
        return writeWorkload(design.workload);
    for (const auto& node : design.nodes) {
        const auto prefix = "nodes." + node.id.value + ".";
        if (path == prefix + "device")
            return writeDevice(node.device);
        if (path == prefix + "runtime" && node.runtime)
            return writeRuntime(*node.runtime);
    }
    for (const auto& link : design.links)
        if (path == "links." + link.id.value + ".type")
            return writeLinkType(link.type);
    return {};
}

Told toldOf(const Scenario& design, const Parameter& parameter) {
    auto text = parameterText(design, parameter);
    if (parameter.kind == ParameterKind::Boolean)
        return {parameter.path, text == "true", text};
    if (parameter.kind == ParameterKind::Number && text.empty())
        return {parameter.path, Json(), "none"};
    if (parameter.kind == ParameterKind::Number)
        return {parameter.path, Json::parse(text, nullptr, false), text};
    return {parameter.path, text, text};
}

/// Puts a value; false where it does not fit.
bool put(Scenario& scenario, const Catalog& catalog, const Told& told) {
    try {
        applyEdit(scenario, told.edit(scenario, catalog));
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// As keys have it, and of parts that are called alike.
bool isSame(const Scenario& one, const Scenario& other) {
    const auto idOf = [](const auto& part) { return part ? part->id : std::string(); };
    const auto alike = [&](const Node& a, const Node& b) {
        return a.device.id == b.device.id && idOf(a.runtime) == idOf(b.runtime) &&
               idOf(a.server) == idOf(b.server);
    };
    return scenarioKey(one) == scenarioKey(other) && one.model.id == other.model.id &&
           idOf(one.draft) == idOf(other.draft) && one.workload.id == other.workload.id &&
           std::ranges::equal(one.nodes, other.nodes, alike) &&
           std::ranges::equal(
               one.links, other.links, {}, [](const Link& link) { return link.type.id; },
               [](const Link& link) { return link.type.id; });
}

/// Lets a scenario have what the design has, parameter by parameter in the order of its list: parts before
/// what is set of them.
void draw(Scenario& scenario, const Scenario& design, const Catalog& catalog, std::vector<Told>& settings) {
    for (const auto& parameter : listParameters(design, catalog)) {
        if (isLayoutPath(parameter.path) || isWorkersPath(parameter.path)) // the numbers say it
            continue;
        auto told = toldOf(design, parameter);
        const auto there = textAt(scenario, catalog, parameter.path);
        if (there && *there == parameterText(design, parameter))
            continue;
        if (!put(scenario, catalog, told)) {
            told.value = parameter.kind == ParameterKind::Choice ? partOf(design, parameter.path) : Json();
            if (!told.value.is_object() || !put(scenario, catalog, told))
                continue;
        }
        std::erase_if(settings, [&](const Told& one) { return one.path == told.path; });
        settings.push_back(std::move(told));
    }
}

/// The settings by which a design comes of another, without those that do nothing; none where they do not
/// suffice.
std::optional<std::vector<Told>> settingsOf(const Scenario& design, const Scenario& origin,
                                            const Catalog& catalog) {
    std::vector<Told> settings;
    auto reached = origin;
    // A choice that is listed late may take back what was set before.
    for (int round = 0; round < 3 && !isSame(reached, design); ++round)
        draw(reached, design, catalog, settings);
    const auto suffice = [&](const std::vector<Told>& some) {
        auto scenario = origin;
        return std::all_of(some.begin(), some.end(),
                           [&](const Told& one) { return put(scenario, catalog, one); }) &&
               isSame(scenario, design);
    };
    if (!suffice(settings))
        return std::nullopt;
    for (auto i = settings.size(); i-- > 0;) {
        auto fewer = settings;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
        if (suffice(fewer))
            settings = std::move(fewer);
    }
    return settings;
}

/// A literal of Python: JSON but for the words of switches and of nothing.
std::string literal(const Json& value, const std::string& indent = {}) {
    const auto inner = indent + "    ";
    if (value.is_object() || value.is_array()) {
        std::string text;
        for (const auto& [key, member] : value.items())
            text += "\n" + inner + (value.is_object() ? Json(key).dump() + ": " : "") +
                    literal(member, inner) + ",";
        const auto* const braces = value.is_object() ? "{}" : "[]";
        return braces[0] + (text.empty() ? text : text + "\n" + indent) + braces[1];
    }
    if (value.is_boolean())
        return value.get<bool>() ? "True" : "False";
    return value.is_null() ? "None" : value.dump();
}

bool isFile(const DesignOrigin& origin) {
    return origin.name.ends_with(".hscape");
}

} // namespace

std::string pythonText(const Scenario& design, const Catalog& catalog, const DesignOrigin* origin) {
    std::string text = "import heteroscape\n\n";
    const auto settings = origin ? settingsOf(design, origin->scenario, catalog) : std::nullopt;
    if (!settings)
        return text + "design = heteroscape.design(" + literal(writeScenario(design)) + ")\n";
    text += std::string("design = heteroscape.") + (isFile(*origin) ? "open(" : "design(") +
            literal(origin->name) + ")\n";
    for (const auto& one : *settings)
        text += "design[" + literal(one.path) + "] = " + literal(one.value) + "\n";
    if (design.name != origin->scenario.name)
        text += "design.name = " + literal(design.name) + "\n";
    if (design.about != origin->scenario.about)
        text += "design.about = " + literal(design.about) + "\n";
    return text;
}

std::string commandText(const Scenario& design, const Catalog& catalog, const DesignOrigin* origin) {
    const auto settings = origin ? settingsOf(design, origin->scenario, catalog) : std::nullopt;
    const bool hasPart = settings && std::any_of(settings->begin(), settings->end(),
                                                 [](const Told& one) { return one.value.is_object(); });
    if (!settings || hasPart)
        return "cat > design.hscape <<'END'\n" + writeScenario(design).dump(2) +
               "\nEND\nheteroscape-cli evaluate design.hscape\n";
    std::string text = "heteroscape-cli evaluate " + shellQuoted(origin->name);
    for (const auto& one : *settings)
        text += " \\\n    --set " + shellQuoted(one.path + "=" + one.text);
    return text + "\n";
}

} // namespace heteroscape::engine
