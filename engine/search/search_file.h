// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search_tally.h"
#include "engine/study/point_shard.h"

namespace heteroscape::engine {

struct Catalog;

/// A problem as JSON: the whole base design, the values of axes, objectives, limits; and back. Reading is
/// strict and throws Error naming the place.
Json writeProblem(const SearchProblem& problem);
SearchProblem readProblem(const Json& json, const Catalog& catalog, const std::string& where);

/// What one shard of a search found, as the text of a file: the problem, the shard, the tally.
std::string searchPartText(const SearchProblem& problem, const PointShard& shard, const SearchTally& tally);

/// Puts the parts of one search together: the same as the whole at once, in whatever order they come; a part
/// that is there twice counts once. Throws Error (Io, InvalidInput) where a file is none, they are of
/// different searches, or some are missing: it names those to run again.
struct MergedSearch {
    SearchProblem problem;
    SearchTally tally;
};
MergedSearch mergeSearch(const std::vector<std::string>& files, const Catalog& catalog);

} // namespace heteroscape::engine
