// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "widgets/report/picture.h"

#include <optional>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// What can be drawn of one design that can run: "roofline"; for each phase that a node runs
/// "timeline-<node>-prefill" and "timeline-<node>-decode" (beside the same step without its techniques), the
/// node's name left out where only one runs the phase; "sensitivity" of the throughput; "requests" where
/// arrivals are simulated. Evaluates and simulates the design. Throws Error (InvalidInput) saying why a
/// design has no pictures.
std::vector<Picture> designPictures(const engine::Scenario& design);

/// The timeline of one step, compared with it without one technique, or any when `without` is empty; nothing
/// compares it with nothing.
Picture timelinePicture(const QString& id, const engine::Scenario& design, const engine::NodeId& node,
                        engine::Phase phase, const std::optional<std::string>& without);

/// A tornado of a metric (by key) over every figure that moves it, by its stated uncertainty or 10 %.
Picture sensitivityPicture(const QString& id, const engine::Scenario& design, const std::string& metric);

/// The simulated requests of a design whose arrivals are not steady.
Picture requestsPicture(const QString& id, const engine::Scenario& design);

} // namespace heteroscape::widgets
