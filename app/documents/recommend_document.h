// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"
#include "engine/frontier/recommend.h"

namespace heteroscape::cli {

/// What is recommended: lists of systems that rest on the same, with their bands in shown units, the robust
/// best, and why the others fell out.
engine::Json recommendJson(const engine::Recommendation& found);

} // namespace heteroscape::cli
