// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>

namespace heteroscape::widgets::test {

/// The same number to the last digit, or none in both.
inline bool same(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b));
}

} // namespace heteroscape::widgets::test
