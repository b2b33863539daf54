// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/named.h"

#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// One constant of a kernel family: key of the preset and allowed range.
template <class Constants>
struct ConstantField {
    std::string_view key;
    double Constants::*member;
    double minimum;
    double maximum;
};

/// What an error is of where constants were fitted to rows of the user's own, whatever the device.
inline constexpr std::string_view kCalibratedError = "calibrated";

/// How far the model was off rows that its constants were not fitted on: |model / measured - 1|.
struct HeldOutError {
    std::string device; ///< whose rows
    std::string of;     ///< which of the entry's kernels; empty where it has one
    std::string what;   ///< "shapes" or "sizes" of a fitted device, a "device" never fitted, or "calibrated"
    double rows = 0.0;  ///< 0: not told
    double medianPercent = 0.0;
    double p90Percent = 0.0;
};

/// Constants with the names they go by (architecture, framework, ...) and their errors.
template <class Constants>
struct FittedConstants {
    std::vector<std::string> names; ///< in the order of the table's keys
    Constants constants;
    std::vector<HeldOutError> heldOut;
};

/// The texts with a text between them.
inline std::string joinedBy(const std::vector<std::string>& texts, std::string_view between) {
    std::string all;
    for (const auto& text : texts)
        all.append(all.empty() ? std::string_view() : between).append(text);
    return all;
}

/// The constants of one kernel family. Constants has: kKeys, the keys that name a row ("arch", ...), and
/// fields(), a span of ConstantField.
template <class Constants>
struct ConstantsTable {
    std::string where;                 ///< its file
    std::vector<std::string> fittedOn; ///< devices
    std::vector<FittedConstants<Constants>> rows;

    /// Null when there is none of these names.
    const FittedConstants<Constants>* find(std::span<const std::string_view> names) const {
        for (const auto& row : rows) {
            bool same = row.names.size() == names.size();
            for (std::size_t i = 0; same && i < names.size(); ++i)
                same = row.names[i] == names[i];
            if (same)
                return &row;
        }
        return nullptr;
    }
    const FittedConstants<Constants>* find(std::initializer_list<std::string_view> names) const {
        return find(std::span(names.begin(), names.size()));
    }
    /// The same; throws Error (NotFound) naming the file and what there is beside the first name.
    const FittedConstants<Constants>& require(std::initializer_list<std::string_view> names) const {
        if (const auto* row = find(names))
            return *row;
        std::vector<std::string> there, firsts;
        for (const auto& row : rows) {
            if (firsts.empty() || firsts.back() != row.names.front())
                firsts.push_back(row.names.front());
            if (row.names.front() == *names.begin())
                there.push_back(joined(row.names));
        }
        throw Error(ErrorCode::NotFound, where, "no constants for " + joined(names),
                    there.empty() ? "There are some for: " + joined(firsts)
                                  : "There are: (" + joinedBy(there, "), (") + ")");
    }
};

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
