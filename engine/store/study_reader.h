// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/chunks.h"
#include "engine/store/sqlite.h"
#include "engine/store/store.h"
#include "engine/study/study_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// What the store says of a study; none when it has no such number. Everything is checked before it is used:
/// a valid SQLite file may hold any nonsense. Throws Error (InvalidInput) naming the file, the study and what
/// does not fit together.
std::optional<StudyInfo> readStudyInfo(Database& database, std::int64_t id);

/// The studies, oldest first. One that is damaged is left aside and told in `leftAside`; where nobody takes
/// that, it throws.
std::vector<StudyInfo> readStudyInfos(Database& database, std::vector<std::string>* leftAside);

/// The stored points of a study within a range of ordinals, as columns: see Store::read(). A column without
/// any value stays empty, so that a study of a million points takes the memory of what it really has.
StudyTable readStudyTable(Database& database, const StudyInfo& info, const std::vector<std::string>& metrics,
                          PointRange range);

/// Copies one study with its points out of `source` into a new store at `path`: see Store::exportStudy().
void copyStudy(Database& source, const StudyInfo& info, const std::string& path);

} // namespace heteroscape::engine
