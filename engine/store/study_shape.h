// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/sqlite.h"
#include "engine/study/study.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

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
