// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/calibrated_runtime.h"

#include "engine/base/error.h"
#include "engine/validation/validation.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

std::string measuredRuntime(const Calibration& calibration) {
    std::string found;
    for (const auto& entry : calibration.entries) {
        if (!entry.fitted())
            continue;
        for (const auto& row : entry.rows) {
            ValidatedRow asked;
            asked.row = row.row;
            const auto framework = validationLabel(asked, "framework");
            if (std::find(kKernelFrameworks.begin(), kKernelFrameworks.end(), framework) ==
                    kKernelFrameworks.end() ||
                (!found.empty() && found != framework))
                return "best";
            found = framework;
        }
    }
    return found.empty() ? "best" : found;
}

Runtime calibratedRuntime(const Runtime& base, const Calibration& calibration, const std::string& id) {
    auto runtime = base;
    runtime.id = id;
    runtime.name = base.name + ", calibrated on " + calibration.constants.calibratedOn;
    runtime.about = "Constants of its kernels: " + calibration.constants.text() + ". " + base.about.str();
    runtime.ownKernels = OwnKernels(calibration.constants);
    return readRuntime(writeRuntime(runtime), "runtime " + id); // whatever a file could not hold is refused
}

} // namespace heteroscape::engine
