// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// Takes the studies of other stores, which hold shards of them (RunOptions::shard), into one: the points
/// that are there, whatever the order of the stores and however often a point comes. Returns the studies
/// that were met, oldest first; `done` below `points` tells that shards are missing. Throws Error (Io,
/// InvalidInput, Cancelled).
std::vector<StudyInfo> mergeStudies(const std::vector<std::string>& parts, Store& into,
                                    const Catalog& catalog, const std::stop_token& stop = {});

/// Takes what can be read of a damaged store into a new file, and returns what is lost, by study: a study, a
/// point, a block each. The old file is only copied. Throws Error (Io; InvalidInput where `out` is there
/// already, or not even the tables can be told).
std::vector<std::string> recoverStore(const std::string& path, const std::string& out);

} // namespace heteroscape::engine
