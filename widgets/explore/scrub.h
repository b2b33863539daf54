// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "widgets/explore/loaded_study.h"

#include <functional>
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

/// A cloud marks at most so many points as those where one is.
inline constexpr std::size_t kMostMarked = 128;

/// Rows of a study where the sliders that were moved are, each at the value of its axis that is nearest to
/// it; of more than `most` those that are nearest to the other sliders too. Nothing where none of its axes is
/// moved. Only rows that `isSeen`. Of a whole grid it looks at the nearest rows alone; any other table is
/// gone through. Any thread.
std::vector<std::size_t> rowsAtSliders(const LoadedStudy& study, const std::vector<engine::HeldAxis>& moved,
                                       const std::vector<engine::HeldAxis>& others,
                                       const std::function<bool(std::size_t)>& isSeen,
                                       std::size_t most = kMostMarked);

} // namespace heteroscape::widgets
