// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/spaced_values.h"

#include "engine/units/number_text.h"

#include <cmath>

namespace heteroscape::engine {

std::vector<double> spacedValues(double from, double to, std::size_t count, Spacing spacing, bool whole) {
    std::vector<double> values;
    values.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double share = static_cast<double>(i) / static_cast<double>(count - 1);
        double value =
            spacing == Spacing::Log ? from * std::pow(to / from, share) : from + (to - from) * share;
        value = whole ? std::round(value) : cleaned(value);
        if (i == 0 || i + 1 == count)
            value = i == 0 ? from : to;
        if (values.empty() || value != values.back())
            values.push_back(value);
    }
    return values;
}

} // namespace heteroscape::engine
