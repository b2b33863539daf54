// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"

#include <string>

namespace heteroscape::cli {

/// What lies where, and what the decode of one batch waits for: tables on stdout.
void printOffload(const std::string& node, const engine::OffloadEvaluation& offload);

} // namespace heteroscape::cli
