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

const std::array<TechniqueField, 1> kL2PrefetchFields{{
    {{"budget", "Share of L2", "", 1, 1e-3, 1, false, true,
      "Share of the L2 capacity that prefetched weights and KV cache may take together."},
     [](Techniques& t) -> Figure& { return t.l2Prefetch.budget; }},
}};

const std::array<TechniqueOption, 2> kL2PrefetchOptions{{
    {"weights", "Prefetch weights", "Prefetch the weights of matrix multiplications.",
     [](Techniques& t) -> bool& { return t.l2Prefetch.weights; }},
    {"kv", "Prefetch KV cache", "Prefetch the KV cache that decode attention reads.",
     [](Techniques& t) -> bool& { return t.l2Prefetch.kv; }},
}};

const std::array<TechniqueSpec, 4> kSpecs{{
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
    {"l2_prefetch", "L2 prefetch",
     "While devices wait for an allreduce, the weights and the KV cache of what follows are read into L2 "
     "(PRESERVE, Algorithm 1).",
     [](Techniques& t) -> bool& { return t.l2Prefetch.enabled; }, kL2PrefetchFields, kL2PrefetchOptions},
}};

} // namespace

std::span<const TechniqueSpec> techniqueSpecs() {
    return kSpecs;
}

} // namespace heteroscape::engine
