// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/calibration/calibrate_kernels.h"
#include "engine/calibration/calibrate_system.h"

#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::cli {

/// "gemm.e_c=0.5:1". Throws Error naming the text.
engine::ConstantBounds boundsOf(const std::string& text);
/// Of quantities of a design, in their shown units.
engine::ConstantBounds boundsOf(const std::string& text, const engine::Scenario& design);

std::string_view standingName(engine::Standing standing); ///< "fitted", "at its bound", "kept"

/// The constants that can be fitted, by families of kernels.
engine::Json constantsJson();

engine::Json calibrationJson(const engine::Calibration& calibration,
                             const std::vector<engine::MeasuredTable>& tables);
/// Metrics in their shown units; "set": values as --set takes them.
engine::Json systemJson(const engine::SystemCalibration& calibration, const engine::SystemTable& table);
engine::Json deviceJson(const engine::DeviceCalibration& calibration);

} // namespace heteroscape::cli
