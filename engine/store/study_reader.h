// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/chunks.h"
#include "engine/store/sqlite.h"
#include "engine/study/study_table.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// The stored points of a study within a range of ordinals, as columns: see Store::read(). A column without
/// any value stays empty, so that a study of a million points takes the memory of what it really has.
StudyTable readStudyTable(Database& database, const StudyInfo& info, const std::vector<std::string>& metrics,
                          PointRange range);

/// Copies one study with its points out of `source` into a new store at `path`: see Store::exportStudy().
void copyStudy(Database& source, const StudyInfo& info, const std::string& path);

} // namespace heteroscape::engine
