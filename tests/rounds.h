// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the random loops of all tests runs: HETEROSCAPE_TEST_SCALE, 1 for the whole, a tenth where it
// is not set. Seeds stay, so the rounds of a tenth are the first of the whole's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <type_traits>

namespace heteroscape::engine::test {

inline double testScale() {
    static const double scale = [] {
        const char* text = std::getenv("HETEROSCAPE_TEST_SCALE");
        const double value = text ? std::atof(text) : 0.1;
        if (!(value > 0.0))
            throw std::invalid_argument("HETEROSCAPE_TEST_SCALE is no number above 0");
        return value;
    }();
    return scale;
}

/// What a check asks of all rounds together ("more than 300 are feasible"), for those that run.
template <class Count>
Count scaled(Count whole) {
    return static_cast<Count>(static_cast<double>(whole) * testScale());
}

/// How many of `whole` rounds run; `least` in any case.
template <class Count>
Count rounds(Count whole, std::type_identity_t<Count> least = 10) {
    return std::max(std::min(whole, least), scaled(whole));
}

/// A tolerance of a mean over all rounds, for the mean over those that run.
inline double widened(double tolerance) {
    return tolerance / std::sqrt(testScale());
}

/// Of what is looked at one after the other, every how manieth.
inline unsigned stride() {
    return static_cast<unsigned>(std::max(1.0, std::round(1.0 / testScale())));
}

} // namespace heteroscape::engine::test
