// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/technique_specs.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<TechniqueField, 1> kLoadMergingFields{{
    {{"ratio", "Prefetch ratio M", "", 1, 1, 1024, true, true,
      "Compute instructions served by one load instruction."},
     [](Techniques& t) -> Figure& { return t.loadMerging.ratio; }},
}};

const std::array<TechniqueSpec, 3> kSpecs{{
    {"disaggregation",
     "Prefill/decode split",
     "Prefill and decode run on different nodes, by their roles. Off: every accelerator serves whole "
     "requests.",
     [](Techniques& t) -> bool& { return t.disaggregation.enabled; },
     {}},
    {"load_merging", "Load merging",
     "One load instruction fetches the operands of M compute instructions (GLITCHES, section IV).",
     [](Techniques& t) -> bool& { return t.loadMerging.enabled; }, kLoadMergingFields},
    {"gpu_assist",
     "Prefill nodes assist",
     "Prefill nodes decode too when they would otherwise wait (work-conserving policy).",
     [](Techniques& t) -> bool& { return t.gpuAssist.enabled; },
     {}},
}};

} // namespace

std::span<const TechniqueSpec> techniqueSpecs() {
    return kSpecs;
}

} // namespace heteroscape::engine
