// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

namespace heteroscape::engine {

/// The numeric properties of a node itself (its device and runtime have their own tables).
std::span<const Field<Node>> nodeFields();

} // namespace heteroscape::engine
