// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"

#include <QString>

#include <optional>

namespace heteroscape::widgets {

class Document;

/// The unit that a metric is shown in: what is shown is the value in the metric's own unit times `factor`.
struct MetricUnit {
    QString name;
    double factor = 1.0;
};

/// By the largest value that is shown in it, in the metric's own unit (engine::shownUnit()). Wherever a
/// metric is shown beside others of its kind, this is its unit.
MetricUnit metricUnit(const engine::MetricSpec& spec, double largest);

/// The value in that unit, with three digits: "4.19", "s". NaN is a dash.
struct MetricText {
    QString value;
    QString unit;
};
MetricText metricText(const engine::MetricSpec& spec, double value);

/// The path of what has to be set for a metric to have a value; none: it has, or nothing can be done here.
std::optional<std::string> missingQuantity(const Document& document, engine::Metric metric);
/// It comes from a runtime without any loss.
bool isUpperBound(const Document& document, engine::Metric metric);

} // namespace heteroscape::widgets
