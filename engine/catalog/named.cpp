// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/named.h"

#include "engine/base/error.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

std::string readId(JsonObject& object, std::string_view key) {
    auto id = object.text(key);
    checkId(id, object.place(key));
    return id;
}

void checkId(const std::string& id, const std::string& where) {
    const bool clean = !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
    if (!clean)
        throwInvalid(where, "\"" + id.substr(0, 80) + "\" is not an id",
                     "Use 1 to 64 of the characters a-z, 0-9, - and _");
}

std::size_t indexOfName(std::string_view value, std::span<const std::string_view> names,
                        const std::string& where) {
    const auto it = std::find(names.begin(), names.end(), value);
    if (it == names.end())
        throwInvalid(where, "unknown value \"" + std::string(value.substr(0, 80)) + "\"",
                     "Allowed: " + joined(names));
    return static_cast<std::size_t>(it - names.begin());
}

std::size_t readName(JsonObject& object, std::string_view key, std::span<const std::string_view> names) {
    return indexOfName(object.text(key), names, object.place(key));
}

std::vector<std::string> readTexts(JsonObject& object, std::string_view key) {
    std::vector<std::string> texts;
    if (!object.has(key)) {
        object.allow({key});
        return texts;
    }
    for (const auto& item : object.array(key)) {
        if (!item.is_string())
            throwInvalid(object.place(key), "expected strings, found " + std::string(jsonTypeName(item)));
        texts.push_back(item.get<std::string>());
    }
    return texts;
}

void writeText(Json& json, std::string_view key, const std::string& text) {
    if (!text.empty())
        json[std::string(key)] = text;
}

std::string labelWithin(std::string_view label) {
    std::string text(label);
    if (text.size() > 1 && std::islower(static_cast<unsigned char>(text[1])))
        text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
    return text;
}

} // namespace heteroscape::engine
