// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/units/shown_unit.h"

#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

struct OtherUnit {
    std::string_view of;
    double below; ///< taken for values below this, in `of`
    std::string_view name;
    double factor;
};

// The first that holds.
constexpr std::array kOtherUnits{
    OtherUnit{"s", 1.0, "ms", 1e3},
    OtherUnit{"tok/s/$", 1e-5, "tok/s/M$", 1e6},
    OtherUnit{"tok/s/$", HUGE_VAL, "tok/s/k$", 1e3},
    OtherUnit{"tok/s/W", 0.01, "tok/s/kW", 1e3},
    OtherUnit{"tok/s/mm\u00b2", 0.01, "tok/s/m\u00b2", 1e6},
};

} // namespace

ShownUnit shownUnit(std::string_view unit, double largest) {
    for (const auto& other : kOtherUnits)
        if (unit == other.of && std::fabs(largest) < other.below)
            return {std::string(other.name), other.factor};
    return {std::string(unit), 1.0};
}

} // namespace heteroscape::engine
