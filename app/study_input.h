// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/search/search_problem.h"

#include <string>
#include <vector>

namespace heteroscape::cli {

/// A grid over axes as parseAxis() reads them, or the points of a file (readPoints(); empty: none), named as
/// its base. Not checked whole: checkStudy(). Throws Error naming axis, value and what is allowed.
engine::Study studyOf(engine::Shared<engine::Scenario> base, const engine::Catalog& catalog,
                      const std::vector<std::string>& axes, const std::string& points = {});

/// Has a study keep the metrics of nodes among those wanted. Throws Error for what is no metric.
void takeMetrics(const std::vector<std::string>& metrics, engine::Study& study);

/// What is asked of a search, as text.
struct SearchWishes {
    std::vector<std::string> axes;   ///< as parseAxis() reads them: at least one
    std::vector<std::string> most;   ///< columns to maximise
    std::vector<std::string> least;  ///< columns to minimise
    std::vector<std::string> limits; ///< as parseSearchLimit() reads them
    std::size_t best = 10;           ///< so many best of each objective
};
/// Checked. Throws Error naming the place and the remedy.
engine::SearchProblem searchProblemOf(engine::Shared<engine::Scenario> base, const engine::Catalog& catalog,
                                      const SearchWishes& wishes);

} // namespace heteroscape::cli
