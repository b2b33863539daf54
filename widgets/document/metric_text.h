// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"
#include "engine/evaluation/metric.h"
#include "engine/scenario/scenario.h"

#include <QString>
#include <optional>
#include <string>
#include <string_view>

class QWidget;

namespace heteroscape::engine {
struct Evaluation;
}

namespace heteroscape::widgets {

class Pill;

// A design with a runtime without any loss: what its times and rates are is said wherever they are shown.

/// Whether a metric of it comes from such a runtime: one that a step's time is in.
bool isUpperBound(const engine::Scenario& scenario, engine::Metric metric);

QString upperBoundText(); ///< "Ideal: upper bound"
QString upperBoundTip();  ///< what that means
/// The words as a pill with their tip, hidden at first.
Pill* upperBoundPill(QWidget* parent);

/// A unit of time that leaves few digits before and no zeros after the point.
struct DurationUnit {
    QString name;   ///< "ms"
    double seconds; ///< in one of it
};

/// µs below a millisecond, ms below a second, s below five minutes, min below five hours, else h.
DurationUnit durationUnit(double seconds);

/// "18.9 ms", "2.50 min", three digits with a thin space; an en dash for NaN.
QString durationText(double seconds);

class Document;
struct SimulationRun;

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

/// Where 80 % of what was measured lie around a figure: "±14 %", "−36 +56 %"; empty where it is not known.
QString bandText(const engine::ExpectedError& error);

/// Of an energy or a power, of a run where it is one under load: "By what draws it: awake 46 %, memory 31 %,
/// ...", the largest first; empty where it is not known.
QString powerPartsText(engine::Metric metric, const engine::Evaluation& evaluation, const SimulationRun* run);

/// The value in that unit, with three digits: "4.19", "s". NaN is a dash.
struct MetricText {
    QString value;
    QString unit;
};
MetricText metricText(const engine::MetricSpec& spec, double value);

/// The path of what has to be set for a metric to have a value; none: it has, or nothing can be done here.
std::optional<std::string> missingQuantity(const Document& document, engine::Metric metric);

} // namespace heteroscape::widgets
