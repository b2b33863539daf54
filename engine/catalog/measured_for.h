// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"

#include <string>

namespace heteroscape::engine {

/// What a runtime's measured step was measured for; it says nothing about any other. A step that is measured
/// whole holds its collectives.
struct MeasuredFor {
    std::string model;    ///< id
    std::string device;   ///< id
    double devices = 1.0; ///< that share one copy of the model
    double batch = 1.0;
    double shortest = 1.0; ///< tokens attended to
    double longest = 1.0;

    bool operator==(const MeasuredFor&) const = default;

    /// "opt-175b, batch 16, contexts of 1,000 to 1,100 tokens, 8 x a100-sxm-80gb"
    std::string text() const;
};

/// "measured_for": {"model", "device", "devices", "batch", "context_tokens": [from, to]}
MeasuredFor readMeasuredFor(JsonObject object);
Json writeMeasuredFor(const MeasuredFor& measured);

} // namespace heteroscape::engine
