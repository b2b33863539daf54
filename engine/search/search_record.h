// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/search/search_method.h"
#include "engine/search/search_tally.h"
#include "engine/study/point_validity.h"

#include <memory>
#include <string>

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

/// A search as it is kept: what is asked, how, and how far it is. While it runs it is a file (a checkpoint),
/// in a design one of its searches (KeptSearch).
struct SearchRecord {
    SearchProblem problem;
    const SearchMethod* method = nullptr; ///< never null
    PointShard shard{};
    std::uint64_t evaluations = 10'000; ///< of methods that do not look at every point
    std::uint32_t seed = 1;
    std::shared_ptr<const SearchState> state; ///< null: not begun
    bool isCurrent = true;                    ///< its figures are of this program's equations

    std::uint64_t total() const; ///< points of the shard, or evaluations
    bool isDone() const;
    SearchOptions options() const; ///< shard, evaluations and seed, from its state
};

/// JSON with a checksum over all of it, so that a byte that flipped is noticed.
Json writeSearch(const SearchRecord& record);
/// Strict; throws Error naming the place and what to do.
SearchRecord readSearch(const Json& json, const Catalog& catalog, const std::string& where);

/// The file that a search is kept in while it runs: what was killed goes on from it.
class SearchCheckpoint {
public:
    SearchCheckpoint(std::string path, SearchRecord asked);

    /// Where the search is, as the file says; null when there is no such file. Throws Error (Io,
    /// InvalidInput) where it cannot be read or is of another search.
    std::shared_ptr<const SearchState> read(const Catalog& catalog) const;
    /// Replaces the file as a whole.
    void write(const std::shared_ptr<const SearchState>& state);
    void remove() const;

private:
    std::string m_path;
    SearchRecord m_record;
};

} // namespace heteroscape::engine
