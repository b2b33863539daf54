// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/series.h"

#include <stop_token>
#include <vector>

namespace heteroscape::engine {

/// The part of a study that a cut shows, as a study of its own: the axes it runs over whole, the others at
/// the values where they are held, or a gain is taken from. An axis that the cut does not speak of keeps its
/// first value. Its points evaluated (evaluateStudy()) and read by the same query give the same curves.
Study cutStudy(const Study& study, const SeriesQuery& query);

/// How far each value of a curve may lie off, down and up.
struct Band {
    std::vector<double> low; ///< parallel to the curve's x; NaN where the curve has no value
    std::vector<double> high;
};

/// The bands of the curves of a cut, parallel to studySeries() of it: every calibrated constant of each point
/// is moved to both ends of its uncertainty (sensitivity.h), alone and in all points together, so that a gain
/// keeps what its two sides share. What the constants do is taken as independent: the band's half-widths are
/// the roots of the sums of squares, apart for up and down (the law of propagation for independent
/// quantities, JCGM 100:2008, 5.1.2). A metric that rests on measured kernels is moved by the error expected
/// of it (engine/evaluation/expected_error.h) as by one more constant. Evaluates about 2 x constants x points
/// of the cut; on oneTBB. Throws Error (InvalidInput for what is no metric of the closed form, Cancelled).
std::vector<Band> seriesBands(const Study& study, const SeriesQuery& query, const std::stop_token& stop = {});

} // namespace heteroscape::engine
