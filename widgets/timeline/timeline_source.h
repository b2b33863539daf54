// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/scenario/diagnostics.h"
#include "widgets/timeline/timeline_track.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// Which timeline is wanted.
struct TimelineChoice {
    engine::NodeId node; ///< one that is not there: the first that runs the phase
    engine::Phase phase = engine::Phase::Decode;
    /// Beside it, the same step without this technique, or without any where it is empty; nothing: alone.
    std::optional<std::string> without = "";
    bool operator==(const TimelineChoice&) const = default;
};

/// What can be shown of a design.
struct TimelineSource {
    struct Accelerator {
        engine::NodeId id;
        QString name; ///< "8 × Ascend 910B"
        bool prefills = false;
        bool decodes = false;
        bool runs(engine::Phase phase) const { return phase == engine::Phase::Prefill ? prefills : decodes; }
    };
    std::vector<Accelerator> accelerators; ///< that have a runtime, in the design's order
    TimelineChoice shown;                  ///< what was wanted, brought to what is there
    std::vector<std::string> techniques;   ///< that are on and change the node's schedule, by id
    TimelineTracks tracks;                 ///< empty: see `reason`
    QString reason;                        ///< why there is nothing to show and what to do
};

/// "delayed writeback": a technique within a sentence; "any technique" for an empty id.
QString techniqueText(const std::string& id);

/// A technique that is not there gives way to all of them, the only one there to itself. Any thread.
TimelineSource timelineSource(const engine::Scenario& scenario, const engine::Evaluation& evaluation,
                              const std::vector<engine::Diagnostic>& diagnostics,
                              const TimelineChoice& wanted);

} // namespace heteroscape::widgets
