// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/canvas/node_summary.h"

namespace heteroscape::widgets {

/// Adds to the card of the document's node what offloading means for it: chips of an accelerator, what lies
/// on a host or on storage, the way inside a CSD, and what does not fit. UI thread.
void addOffloading(NodeCard& card, const DesignIndex& index, const engine::Node& node);

} // namespace heteroscape::widgets
