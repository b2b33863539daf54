// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "widgets/explore/loaded_study.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace heteroscape::widgets {

/// What a plot shows with some axes held elsewhere and some parameters of the base moved, as a study of its
/// own and the plot of it.
struct ScrubCut {
    engine::Study study;
    engine::StudyPlot plot;
    bool sameBase = true; ///< only axes were moved: its points may be stored
    bool thinned = false; ///< axes that the plot runs over have some of their values only
};

/// A plot shows at most so many points anew. Of more, it shows an even choice.
inline constexpr std::size_t kMostScrubbed = 50'000;

/// `moved`: axes and parameters by path, in the shown unit; positions on axes of choices. Of more points than
/// `most`, only some of the values of the axes that the plot runs over. Nothing when the plot is not changed
/// by them (an axis it runs over is moved), or is of more than kMostScrubbed points all the same. Any thread.
/// Throws Error for a path that the base lacks.
std::optional<ScrubCut> scrubCut(const engine::Study& study, const engine::StudyPlot& plot,
                                 const std::vector<engine::HeldAxis>& moved,
                                 std::size_t most = kMostScrubbed);

/// The points of a cut of `whole`: read from it where it has them all, touching no others, else evaluated in
/// memory. Throws Error (Cancelled, or a bad study).
std::shared_ptr<const LoadedStudy> scrubbedPoints(const ScrubCut& cut, const LoadedStudy& whole,
                                                  const engine::Catalog& catalog,
                                                  const std::stop_token& stop = {});

} // namespace heteroscape::widgets
