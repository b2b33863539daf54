// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/calibration/calibrate_kernels.h"
#include "engine/catalog/catalog.h"

#include <string>

namespace heteroscape::engine {

/// The runtime that the rows were measured of: of their framework ("vllm"), of the fastest kernels ("best")
/// where there are several or none.
std::string measuredRuntime(const Calibration& calibration);

/// A runtime timed by kernels that carries the fitted constants, and says so in its name. Throws Error
/// (InvalidInput) for a base that is not timed by kernels, or an id that is none.
Runtime calibratedRuntime(const Runtime& base, const Calibration& calibration, const std::string& id);

} // namespace heteroscape::engine
