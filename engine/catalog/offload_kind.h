// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/kind.h"

namespace heteroscape::engine {

/// What software moves out of the accelerator's memory, and where the KV cache then lives. Which bytes lie
/// where is worked out by planMemory() and splitKv(), what they cost by LayerFlows.
class OffloadKind : public Kind {
public:
    struct Rules {
        bool kvOnDevice = false;   ///< the KV cache stays on the device; weights leave when both do not fit
        bool kvFitsHost = false;   ///< the whole KV cache must find room in host memory
        bool readsStorage = false; ///< what host memory does not take lies on storage: there must be some
        bool pages = false;        ///< it is paged in by unified memory, at kUnifiedBandwidth
    };

    OffloadKind(std::string_view id, std::string_view label, std::string_view about, Rules rules)
        : Kind(id, label, about), m_rules(rules) {}

    /// Places in parameters(), the same for every kind; the last one only where it pages.
    enum Parameter : std::size_t {
        kHostMemoryShare,      ///< share of free host memory that holds KV or X cache
        kHostReserve,          ///< B of host memory for the system
        kDeviceReserve,        ///< B of device memory that weights leave free
        kStagingLayers,        ///< layers whose KV cache is staged in host memory
        kHostMemoryEfficiency, ///< share of the host's DRAM bandwidth that the CPU's attention reaches
        kTransferLimit,        ///< B/s between host and device that the software reaches; unset: the link's
        kWeightsOnStorage,     ///< share of the weights that is kept on storage in any case; unset: 0
        kUnifiedBandwidth      ///< B/s of KV cache paged in
    };

    const Rules& rules() const { return m_rules; }
    std::span<const KindParameter> parameters() const override;

private:
    Rules m_rules;
};

Registry<OffloadKind>& offloadKinds(); ///< "weights", "host", "unified", "storage"

/// What a runtime offloads: nothing while `kind` is null.
struct Offload {
    const OffloadKind* kind = nullptr;
    Settings settings;

    Offload() = default;
    explicit Offload(const OffloadKind& offloads) : kind(&offloads), settings(offloads) {}
    explicit operator bool() const { return kind != nullptr; }
    const OffloadKind::Rules& rules() const { return kind->rules(); } ///< while something is offloaded
    bool operator==(const Offload&) const = default;
};

} // namespace heteroscape::engine
