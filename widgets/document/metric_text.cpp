// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/metric_text.h"

#include "engine/units/number_text.h"

#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

struct OtherUnit {
    std::string_view of;
    double below; ///< taken for values below this, in the metric's own unit
    const char* name;
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

MetricUnit metricUnit(const engine::MetricSpec& spec, double largest) {
    for (const auto& other : kOtherUnits)
        if (spec.unit == other.of && std::fabs(largest) < other.below)
            return {QString::fromUtf8(other.name), other.factor};
    return {QString::fromUtf8(spec.unit.data(), static_cast<qsizetype>(spec.unit.size())), 1.0};
}

MetricText metricText(const engine::MetricSpec& spec, double value) {
    const auto unit = metricUnit(spec, value);
    return {std::isnan(value) ? QStringLiteral("\u2013")
                              : QString::fromStdString(engine::shortText(value * unit.factor)),
            unit.name};
}

} // namespace heteroscape::widgets
