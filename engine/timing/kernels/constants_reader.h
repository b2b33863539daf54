// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/timing/kernels/constants_table.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// A required number within its range; throws Error naming the key.
double readConstant(JsonObject& object, std::string_view key, double minimum, double maximum);

/// A name of a row: 1 to 64 printable ASCII characters.
std::string readRowName(JsonObject& object, std::string_view key);

/// The optional list "held_out" of an entry.
std::vector<HeldOutError> readHeldOut(JsonObject& object);

/// Reads one file of presets/kernels/: keys id (the file's name), name, about, kind, source, fitted_on,
/// entries. `more` reads the keys that a family has beside these. Unknown keys, numbers out of range, and
/// rows of the same names are refused with file and key.
template <class Constants, class More>
ConstantsTable<Constants> readConstants(const std::string& path, const std::string& id, More more) {
    const auto json = readJsonFile(path);
    JsonObject object(json, path);
    if (const auto found = readId(object, "id"); found != id)
        throwInvalid(object.place("id"), "\"" + found + "\" is not the file's name", "Write \"" + id + "\"");
    ConstantsTable<Constants> table;
    table.where = path;
    object.text("name");
    object.text("about");
    object.text("kind");
    object.text("source");
    table.fittedOn = readTexts(object, "fitted_on");
    more(object);
    std::set<std::vector<std::string>> seen;
    std::size_t ordinal = 0;
    for (const auto& entry : object.array("entries")) {
        JsonObject row(entry, object.place("entries") + "[" + std::to_string(ordinal++) + "]");
        FittedConstants<Constants> fitted{};
        for (const auto& key : Constants::kKeys)
            fitted.names.push_back(readRowName(row, key));
        for (const auto& field : Constants::fields())
            fitted.constants.*field.member = readConstant(row, field.key, field.minimum, field.maximum);
        fitted.heldOut = readHeldOut(row);
        if constexpr (requires { Constants::readMore(fitted.constants, row); })
            Constants::readMore(fitted.constants, row);
        row.finish();
        if (!seen.insert(fitted.names).second)
            throwInvalid(row.where(), "there is another entry for " + joined(fitted.names),
                         "Keep one of them");
        table.rows.push_back(std::move(fitted));
    }
    object.finish();
    if (table.rows.empty())
        throwInvalid(object.place("entries"), "there is no entry", "Give at least one");
    return table;
}

} // namespace heteroscape::engine
