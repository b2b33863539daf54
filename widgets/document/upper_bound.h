// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"
#include "engine/scenario/scenario.h"

#include <QString>

class QWidget;

namespace heteroscape::widgets {

class Pill;

// A design with a runtime without any loss: what its times and rates are is said wherever they are shown.

/// Whether a metric of it comes from such a runtime: one that a step's time is in.
bool isUpperBound(const engine::Scenario& scenario, engine::Metric metric);

QString upperBoundText(); ///< "Ideal: upper bound"
QString upperBoundTip();  ///< what that means
/// The words as a pill with their tip, hidden at first.
Pill* upperBoundPill(QWidget* parent);

} // namespace heteroscape::widgets
