// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/config_reader.h"

#include "engine/base/error.h"
#include "engine/base/json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace heteroscape::engine {

namespace {

std::vector<std::string_view> split(std::string_view keys) {
    std::vector<std::string_view> names;
    while (!keys.empty()) {
        const auto space = std::min(keys.find(' '), keys.size());
        names.push_back(keys.substr(0, space));
        keys.remove_prefix(std::min(space + 1, keys.size()));
    }
    return names;
}

const FieldSpec& specOf(Quantity Model::*member) {
    const auto fields = modelFields();
    return std::find_if(fields.begin(), fields.end(),
                        [&](const Field<Model>& field) { return field.member == member; })
        ->spec;
}

} // namespace

const Json* ConfigReader::one(std::string_view key) const {
    m_asked->emplace(key.substr(0, key.find('.')));
    const Json* at = &m_json;
    for (;;) {
        const auto dot = key.find('.');
        const auto it = at->find(key.substr(0, dot));
        if (it == at->end())
            return nullptr;
        if (dot == std::string_view::npos)
            return &*it;
        at = &*it;
        if (!at->is_object())
            return nullptr;
        key.remove_prefix(dot + 1);
    }
}

const Json* ConfigReader::find(std::string_view keys) const {
    for (const auto name : split(keys))
        if (const auto* value = one(name); value && !value->is_null())
            return value;
    return nullptr;
}

std::string_view ConfigReader::nameOf(std::string_view keys) const {
    const auto names = split(keys);
    for (const auto name : names)
        if (const auto* value = one(name); value && !value->is_null())
            return name;
    return names.empty() ? keys : names.front();
}

bool ConfigReader::isAbsent(std::string_view keys) const {
    const auto names = split(keys);
    return std::none_of(names.begin(), names.end(), [&](std::string_view name) { return one(name); });
}

std::string ConfigReader::text(std::string_view keys) const {
    const auto* value = find(keys);
    return value && value->is_string() ? value->get<std::string>() : std::string();
}

bool ConfigReader::flag(std::string_view keys, bool fallback) const {
    const auto* value = find(keys);
    if (!value)
        return fallback;
    if (!value->is_boolean())
        throwInvalid(place(nameOf(keys)),
                     "expected true or false, found " + std::string(jsonTypeName(*value)));
    return value->get<bool>();
}

double ConfigReader::number(std::string_view keys, const FieldSpec& spec) const {
    const auto* value = find(keys);
    if (!value)
        return NAN;
    // Of each layer the same; experts are listed once for all layers too (Skywork-MoE).
    const std::size_t least = nameOf(keys).find("experts") != std::string_view::npos ? 1 : 2;
    if (value->is_array() && value->size() >= least &&
        std::all_of(value->begin(), value->end(), [&](const Json& other) { return other == value->front(); }))
        value = &value->front();
    else if (value->is_array() && value->size() == 2 && nameOf(keys).starts_with("moe_"))
        value = &value->front(); // of text, and of pictures (Ernie 4.5 VL)
    if (!value->is_number())
        throwInvalid(place(nameOf(keys)), "expected a number, found " + std::string(jsonTypeName(*value)),
                     "Give " + rangeText(spec));
    checkRange(spec, value->get<double>(), place(nameOf(keys)));
    return value->get<double>();
}

double ConfigReader::count(std::string_view keys, Quantity Model::*member) const {
    return number(keys, specOf(member));
}

double ConfigReader::whole(std::string_view keys, double least, double most) const {
    return number(keys, {keys, keys, "", 1, least, most, true, true, ""});
}

const Json* ConfigReader::list(std::string_view keys) const {
    const auto* value = find(keys);
    if (value && !value->is_array())
        throwInvalid(place(nameOf(keys)), "expected a list, found " + std::string(jsonTypeName(*value)));
    return value;
}

double ConfigReader::need(std::string_view keys, Quantity Model::*member, double fallback) const {
    const double value = count(keys, member);
    if (!std::isnan(value))
        return value;
    if (fallback == 0.0)
        throwInvalid(place(nameOf(keys)), "missing", "A config.json states it");
    return fallback;
}

std::vector<std::string> ConfigReader::unread() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : m_json.items())
        if (!m_asked->contains(name) && !value.is_null() && value != false)
            names.push_back(name);
    return names;
}

bool ConfigReader::exceeds(std::string_view key, double limit) const {
    const auto* value = find(key);
    return value &&
           ((value->is_number() && value->get<double>() > limit) || (value->is_array() && !value->empty()));
}

} // namespace heteroscape::engine
