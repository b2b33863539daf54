// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/sqlite.h"
#include "engine/store/store.h"

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

} // namespace heteroscape::engine
