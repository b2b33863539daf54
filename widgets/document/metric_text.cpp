// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/metric_text.h"

#include "engine/units/number_text.h"
#include "engine/units/shown_unit.h"

#include <cmath>

namespace heteroscape::widgets {

MetricUnit metricUnit(const engine::MetricSpec& spec, double largest) {
    const auto shown = engine::shownUnit(spec.unit, largest);
    return {QString::fromStdString(shown.name), shown.factor};
}

MetricText metricText(const engine::MetricSpec& spec, double value) {
    const auto unit = metricUnit(spec, value);
    return {std::isnan(value) ? QStringLiteral("\u2013")
                              : QString::fromStdString(engine::shortText(value * unit.factor)),
            unit.name};
}

} // namespace heteroscape::widgets
