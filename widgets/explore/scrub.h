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
};

/// A plot shows at most so many points anew.
inline constexpr std::size_t kMostScrubbed = 50'000;

/// `moved`: axes and parameters by path, in the shown unit; positions on axes of choices. Nothing when the
/// plot is not changed by them (an axis it runs over is moved) or has too many points. Any thread. Throws
/// Error for a path that the base lacks.
std::optional<ScrubCut> scrubCut(const engine::Study& study, const engine::StudyPlot& plot,
                                 const std::vector<engine::HeldAxis>& moved);

/// The points of a cut of `whole`, in memory. Throws Error (Cancelled, or a bad study).
std::shared_ptr<const LoadedStudy> evaluateScrub(const ScrubCut& cut, const LoadedStudy& whole,
                                                 const engine::Catalog& catalog,
                                                 const std::stop_token& stop = {});

} // namespace heteroscape::widgets
