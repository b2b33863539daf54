// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

namespace heteroscape::engine {

/// Takes the studies of other stores, which hold shards of them (RunOptions::shard), into one: the points
/// that are there, whatever the order of the stores and however often a point comes. Returns the studies
/// that were met, oldest first; `done` below `points` tells that shards are missing. Throws Error (Io,
/// InvalidInput, Cancelled).
std::vector<StudyInfo> mergeStudies(const std::vector<std::string>& parts, Store& into,
                                    const Catalog& catalog, const std::stop_token& stop = {});

} // namespace heteroscape::engine
