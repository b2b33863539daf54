// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/figure_study.h"
#include "widgets/explore/loaded_study.h"
#include "widgets/report/picture.h"

#include <memory>
#include <vector>

namespace heteroscape::widgets {

/// The plots of a study as pictures with the ids "1", "2", …: each brought to fit the study (settle()), its
/// numbers from the study's table. A study of one design has its timelines.
std::vector<Picture> studyPictures(const std::shared_ptr<const LoadedStudy>& study,
                                   const std::vector<engine::StudyPlot>& plots);

} // namespace heteroscape::widgets
