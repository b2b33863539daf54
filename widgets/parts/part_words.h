// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <QString>

namespace heteroscape::widgets {

/// What a model or a workload is in a line: "6.74 B, 32 layers"; "4 × 128 → 512 tokens".
QString modelLine(const engine::Model& model);
QString workloadLine(const engine::Workload& workload);
/// The same in plain words: "4 requests at once, each a prompt of 128 tokens, then 512 tokens of output".
QString workloadSentence(const engine::Workload& workload);

} // namespace heteroscape::widgets
