// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/store/store.h"

#include <stop_token>

namespace heteroscape::engine {

/// What running a study would come to.
struct StudyForecast {
    std::size_t points = 0;
    std::size_t stored = 0; ///< of which the store holds the answer, of this study or of another
    bool exact = true;      ///< false: `stored` is told from a sample of the points
    double seconds = 0;     ///< for the rest, about; NaN when nothing is known (see estimateSeconds())
};

/// Looks a study up and times a sample of its points: some tenths of a second, so call it off the UI thread.
/// Nothing is stored. `store` may be null: then nothing is. After a stop request the answer means nothing.
/// Throws Error (InvalidInput for a bad study, and what the store throws).
StudyForecast forecastStudy(const Study& study, Store* store, const std::stop_token& stop = {});

} // namespace heteroscape::engine
