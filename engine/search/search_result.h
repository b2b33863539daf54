// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/runtime_choice.h"
#include "engine/search/search_tally.h"

namespace heteroscape::engine {

/// A design that a search found, evaluated again.
struct FoundDesign {
    std::uint64_t ordinal = 0;      ///< its point
    std::vector<std::string> place; ///< the value of each axis, as text
    std::vector<double> values;     ///< of the columns, in shown units
    std::string bound;              ///< boundKey()
    Truth truth = Truth::Modelled;
};

/// What a search came to, for people and files. The same tally gives the same, to the last byte.
struct SearchResult {
    std::vector<std::string> columns; ///< goals, then limited metrics that are no goals
    std::vector<std::string> units;
    std::vector<FoundDesign> front;             ///< best first in the first goal
    std::vector<std::vector<FoundDesign>> best; ///< of each goal
    Truths truths;                              ///< of these and of a sample of all within the limits
    std::string unmet; ///< where no design keeps all limits: which cannot be met, by how much, and where
};

SearchResult searchResult(const SearchProblem& problem, const SearchTally& tally);

/// One JSON document: counts, front, the best of each objective, for each axis the best that each of its
/// values can reach, what cannot be met.
Json searchJson(const SearchProblem& problem, const SearchTally& tally);
/// The front as CSV: axes, goals, limited metrics, bound, point; where kinds of truth are mixed the design's.
std::string searchCsv(const SearchProblem& problem, const SearchTally& tally);

} // namespace heteroscape::engine
