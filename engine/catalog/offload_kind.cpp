// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/offload_kind.h"

#include "engine/units/units.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<KindParameter, 8> kParameters{{
    {{"host_memory_share", "Usable host memory", "", 1, 1e-3, 1, false, true,
      "Share of the free host memory that can hold KV or X cache."}},
    {{"host_reserve_gb", "Host memory kept free", "GB", units::GB, 0, 1e6, false, true,
      "Host memory that the system and the software keep for themselves."}},
    {{"device_reserve_gb", "Device memory kept free", "GB", units::GB, 0, 1e6, false, true,
      "Device memory that must stay free of weights, for activations."}},
    {{"staging_layers", "Staged layers", "", 1, 0, 1024, false, true,
      "Layers whose KV cache is staged in host memory at once."}},
    {{"host_memory_efficiency", "CPU attention, share of DRAM peak", "", 1, 1e-4, 1, false, true,
      "Share of the host's memory bandwidth that attention on the CPU reaches."}},
    {{"transfer_limit_gbps", "Host to device, at most", "GB/s", units::giga, 1e-3, 1e6, false, false,
      "Bandwidth that the software's copies reach, where it is below the link's (pageable memory)."}},
    {{"weights_on_storage", "Weights on storage", "", 1, 0, 1, false, false,
      "Share of the weights that is kept on storage in any case; not set: none."}},
    {{"unified_memory_gbps", "Unified memory", "GB/s", units::giga, 1e-3, 1e6, false, true,
      "Bandwidth at which unified virtual memory pages in KV cache."}},
}};

} // namespace

std::span<const KindParameter> OffloadKind::parameters() const {
    const std::span<const KindParameter> all(kParameters);
    return m_rules.pages ? all : all.first(kUnifiedBandwidth);
}

Registry<OffloadKind>& offloadKinds() {
    static const OffloadKind weights{"weights",
                                     "Weights",
                                     "Weights move to the host when they and the KV cache do not both fit.",
                                     {.kvOnDevice = true}};
    static const OffloadKind host{"host",
                                  "KV cache to the host",
                                  "All of the KV cache lies in host memory, read by the CPU's attention.",
                                  {.kvFitsHost = true}};
    static const OffloadKind unified{
        "unified",
        "Unified memory",
        "The part of the KV cache that host memory does not take is paged in from storage.",
        {.readsStorage = true, .pages = true}};
    static const OffloadKind storage{
        "storage",
        "KV cache to storage",
        "The part of the KV cache that host memory does not take is read from storage.",
        {.readsStorage = true}};
    static Registry<OffloadKind> registry("way of offloading", {&weights, &host, &unified, &storage});
    return registry;
}

} // namespace heteroscape::engine
