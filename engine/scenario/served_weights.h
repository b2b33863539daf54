// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

namespace heteroscape::engine {

/// The recipe with another width, set by hand, in place of what the checkpoint quantizes (where it quantizes
/// nothing, the matrices of all layers): integers of `bits` without scales, of two widths where it is not
/// whole; BF16 from 16. What the checkpoint leaves in BF16, such as router, embedding and head, stays; a
/// format of this width already does too, with its scales.
const WeightRecipe& recipeAt(const WeightRecipe& checkpoint, double bits);

/// The formats that a node serves a model's weights in: those of its checkpoint, with a width that is set by
/// hand in the runtime in place of what it quantizes, unless measured kernels run, which take the
/// checkpoint's. Null: every part in the runtime's width.
const WeightRecipe* servedWeights(const Model& model, const Node& node);

} // namespace heteroscape::engine
