// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/technique_specs.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<TechniqueField, 1> kDisaggregationFields{{
    {{"stage", "Stage depth", "requests", 1, 0, 65536, true, false,
      "Requests that may be prefilled and wait for a decode node; not set: as many as there are decode "
      "devices, twice that when a decode of prefill nodes is not stopped. Acts where requests are "
      "simulated."},
     [](Techniques& t) -> Figure& { return t.disaggregation.stage; }},
}};

const std::array<TechniqueOption, 1> kGpuAssistOptions{{
    {"preempt", "Stop for a prefill",
     "A decode on a prefill node stops at a token boundary when a prefill can run; off: it is finished "
     "first. Acts where requests are simulated.",
     [](Techniques& t) -> bool& { return t.gpuAssist.preempt; }},
}};

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

const std::array<TechniqueField, 1> kDelayedWritebackFields{{
    {{"interval", "Spill interval c", "steps", 1, 1, 4096, true, true,
      "Decode steps after which the new keys and values are written together."},
     [](Techniques& t) -> Figure& { return t.delayedWriteback.interval; }},
}};

const std::array<TechniqueField, 1> kXCacheFields{{
    {{"share", "Share of tokens", "", 1, 0, 1, false, false,
      "Share of the context whose X is kept in host memory; not set: what balances accelerator and CSDs."},
     [](Techniques& t) -> Figure& { return t.xCache.share; }},
}};

const std::array<TechniqueField, 1> kHostKvFields{{
    {{"share", "Share of tokens", "", 1, 0, 1, false, false,
      "Share of the context whose KV cache is kept in host memory; not set: what makes a step shortest."},
     [](Techniques& t) -> Figure& { return t.hostKv.share; }},
}};

const std::array<TechniqueSpec, 8> kSpecs{{
    {"disaggregation", "Prefill/decode split",
     "Prefill and decode run on different nodes, by their roles. Off: every accelerator serves whole "
     "requests.",
     TechniqueScope::System, [](Techniques& t) -> bool& { return t.disaggregation.enabled; },
     kDisaggregationFields},
    {"load_merging", "Load merging",
     "One load instruction fetches the operands of M compute instructions (GLITCHES, section IV).",
     TechniqueScope::LoadMerging, [](Techniques& t) -> bool& { return t.loadMerging.enabled; },
     kLoadMergingFields},
    {"gpu_assist",
     "Prefill nodes assist",
     "Prefill nodes decode too when they would otherwise wait (work-conserving policy).",
     TechniqueScope::System,
     [](Techniques& t) -> bool& { return t.gpuAssist.enabled; },
     {},
     kGpuAssistOptions},
    {"l2_prefetch", "L2 prefetch",
     "While devices wait for an allreduce, the weights and the KV cache of what follows are read into L2 "
     "(PRESERVE, Algorithm 1).",
     TechniqueScope::L2, [](Techniques& t) -> bool& { return t.l2Prefetch.enabled; }, kL2PrefetchFields,
     kL2PrefetchOptions},
    {"attention_near_storage",
     "Attention near storage",
     "Attention runs in the CSDs that hold the KV cache: queries and results cross the links, not the cache "
     "(INF2, section 4.1).",
     TechniqueScope::NearStorage,
     [](Techniques& t) -> bool& { return t.nearStorage.enabled; },
     {}},
    {"delayed_writeback", "Delayed writeback",
     "New keys and values wait in host memory and are written together, off the critical path (INF2, section "
     "4.2).",
     TechniqueScope::NearStorage, [](Techniques& t) -> bool& { return t.delayedWriteback.enabled; },
     kDelayedWritebackFields},
    {"x_cache", "X-cache",
     "For a share of the context the layers' inputs are kept in host memory, and the accelerator makes keys "
     "and values from them (INF2, section 4.3).",
     TechniqueScope::NearStorage, [](Techniques& t) -> bool& { return t.xCache.enabled; }, kXCacheFields},
    {"host_kv", "KV in host memory",
     "For a share of the context keys and values stay in host memory, and the CPU attends to them.",
     TechniqueScope::NearStorage, [](Techniques& t) -> bool& { return t.hostKv.enabled; }, kHostKvFields},
}};

} // namespace

std::span<const TechniqueSpec> techniqueSpecs() {
    return kSpecs;
}

} // namespace heteroscape::engine
