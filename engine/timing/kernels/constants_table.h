// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/catalog/named.h"

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

} // namespace heteroscape::engine
