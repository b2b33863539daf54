// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"

#include <QString>

#include <optional>
#include <string>
#include <string_view>

namespace heteroscape::widgets {

class Document;

/// The unit that a metric is shown in: what is shown is the value in the metric's own unit times `factor`.
struct MetricUnit {
    QString name;
    double factor = 1.0;
};

/// By the value that decides it (decidesUnit()), in the metric's own unit (engine::shownUnit()). Wherever a
/// metric is shown beside others of its kind, this is its unit.
MetricUnit metricUnit(const engine::MetricSpec& spec, double value);

/// Whether a metric (its key) is a time to first token or per token: of all requests, a mean or a percentile.
bool isTokenTime(std::string_view metric);
/// Which of two values of a metric decides what both are shown in: of such a time the smaller, so that
/// whatever is under a second reads in ms everywhere; of all else the larger. NaN decides nothing.
double decidesUnit(std::string_view metric, double one, double other);

/// The value in that unit, with three digits: "4.19", "s". NaN is a dash.
struct MetricText {
    QString value;
    QString unit;
};
MetricText metricText(const engine::MetricSpec& spec, double value);

/// The path of what has to be set for a metric to have a value; none: it has, or nothing can be done here.
std::optional<std::string> missingQuantity(const Document& document, engine::Metric metric);

} // namespace heteroscape::widgets
