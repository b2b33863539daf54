// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/kind.h"

#include "engine/base/error.h"

#include <nlohmann/json.hpp>

namespace heteroscape::engine {

int Kind::indexOf(std::string_view key) const {
    const auto table = parameters();
    for (std::size_t i = 0; i < table.size(); ++i)
        if (table[i].spec.key == key)
            return static_cast<int>(i);
    return -1;
}

Settings::Settings(const Kind& kind) {
    for (const auto& parameter : kind.parameters()) {
        Quantity quantity;
        quantity.value = parameter.initial;
        m_quantities.push_back(quantity);
    }
    const auto options = kind.options();
    for (std::size_t i = 0; i < options.size(); ++i)
        switchOn(i, options[i].initial);
}

void Settings::switchOn(std::size_t option, bool on) {
    const auto bit = std::uint32_t{1} << option;
    m_options = on ? m_options | bit : m_options & ~bit;
}

void readSettings(const Kind& kind, Settings& settings, JsonObject& object, const Quantity& defaults) {
    const auto parameters = kind.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto& [spec, initial] = parameters[i];
        const bool required = spec.required && !settings.quantity(i).isSet();
        if (const auto* json = required ? &object.require(spec.key) : object.find(spec.key))
            settings.quantity(i) = readQuantity(spec, *json, object.place(spec.key), defaults);
    }
    const auto options = kind.options();
    for (std::size_t i = 0; i < options.size(); ++i)
        settings.switchOn(i, object.boolean(options[i].key, settings.isOn(i)));
}

void writeSettings(const Kind& kind, const Settings& settings, Json& object) {
    const auto parameters = kind.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (settings.quantity(i).isSet())
            writeQuantityInto(object, parameters[i].spec, settings.quantity(i));
    const auto options = kind.options();
    for (std::size_t i = 0; i < options.size(); ++i)
        object[std::string(options[i].key)] = settings.isOn(i);
}

void throwUnknownKind(std::string_view id, std::string_view what, std::string_view known,
                      const std::string& where) {
    throwInvalid(where, "no " + std::string(what) + " is called \"" + std::string(id.substr(0, 80)) + "\"",
                 "Allowed: " + std::string(known));
}

} // namespace heteroscape::engine
