// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/validation_document.h"

#include <string>
#include <vector>

namespace heteroscape::cli {

/// The rows of tables of metrics beside what the simulation gives for them, as tables on stdout.
void printMetrics(const MetricValidation& all, const std::vector<std::string>& keys);

/// Writes the design of the row in this line, "FILE:LINE" or "LINE", to `out`; false where no file has it.
bool writeMetricDesign(const std::vector<std::string>& files, const std::string& id, const std::string& out);

} // namespace heteroscape::cli
