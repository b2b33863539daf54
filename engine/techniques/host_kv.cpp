// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/host_kv.h"

#include "engine/techniques/near_storage.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<KindParameter, 1> kParameters{{
    {{"share", "Share of tokens", "", 1, 0, 1, false, false,
      "Share of the context whose KV cache is kept in host memory; not set: what makes a step shortest."}},
}};

class HostKv final : public NearStorageTechnique {
public:
    HostKv()
        : NearStorageTechnique("host_kv", "KV in host memory",
                               "For a share of the context keys and values stay in host memory, and the CPU "
                               "attends to them.") {}

    std::span<const KindParameter> parameters() const override { return kParameters; }
    std::string mark(const TechniqueSettings& settings) const override {
        return shareMark("Host KV", settings[kHostShare]);
    }
    UnsetValue unsetValue(std::size_t) const override {
        return {"best", "Best, found automatically", "kv_host_share"};
    }
};

} // namespace

const Technique& hostKv() {
    static const HostKv kind;
    return kind;
}

} // namespace heteroscape::engine
