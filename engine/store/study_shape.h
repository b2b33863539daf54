// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/sqlite.h"
#include "engine/study/study.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

// What tells studies and their points apart: 16 bytes each, hashes (XXH3) with the version of the equations.

/// Two studies with the same fingerprint have the same points in the same order.
std::string fingerprintOf(const Study& study);

/// Two studies of one family differ in the values of their axes alone, or in the order of axes of numbers: a
/// point with the same values is the same point. What the base has for a number that an axis sets is no part
/// of it.
std::string familyOf(const Study& study);

/// What each choice of an axis stands for, one after the other; empty for an axis of numbers.
std::string choicePrintsOf(const Study& study, const Axis& axis);

inline constexpr std::size_t kPrintBytes = 16;

/// An axis as the store keeps it.
struct StoredAxis {
    Axis axis; ///< without edits
    std::string label;
    std::string unit;
    std::string prints; ///< choicePrintsOf()
};

/// What a study is told by beside its points.
struct StoredStudy {
    std::string fingerprint;
    std::string family;
    std::string name;
    std::string created;
    std::string equations;
    std::string base; ///< JSON
    std::vector<StoredAxis> axes;
    bool isList = false;
};

/// Whether axes of these lengths are those of a list of so many points: a grid would have more.
bool isListOf(const std::vector<StoredAxis>& axes, std::size_t points);

/// The axes of a study with their labels, units and prints.
std::vector<StoredAxis> storedAxes(const Study& study);

/// Writes a study without points. Returns its number. In a transaction.
std::int64_t writeStudy(Database& database, const StoredStudy& study);

/// Removes a study with all that is its own. In a transaction.
void removeStudy(Database& database, std::int64_t study);

/// The axes of a study, checked against each other, its number of points and their checksum. Throws Error
/// (InvalidInput) naming the study and what does not fit.
std::vector<StoredAxis> readAxes(Database& database, std::int64_t study, std::size_t points);

/// The JSON of a study's base. Throws Error (InvalidInput) when its checksum does not fit.
std::string readBase(Database& database, std::int64_t study);

} // namespace heteroscape::engine
