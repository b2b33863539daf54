// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/x_cache.h"

#include "engine/techniques/near_storage.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<KindParameter, 1> kParameters{{
    {{"share", "Share of tokens", "", 1, 0, 1, false, false,
      "Share of the context whose X is kept in host memory; not set: what balances accelerator and CSDs."}},
}};

class XCache final : public NearStorageTechnique {
public:
    XCache()
        : NearStorageTechnique("x_cache", "X-cache",
                               "For a share of the context the layers' inputs are kept in host memory, and "
                               "the accelerator makes keys and values from them (INF2, section 4.3).") {}

    std::span<const KindParameter> parameters() const override { return kParameters; }
    std::string mark(const TechniqueSettings& settings) const override {
        return shareMark(label(), settings[kXShare]);
    }
    UnsetValue unsetValue(std::size_t) const override {
        return {"balanced", "Balanced automatically", "x_cache_share"};
    }
};

} // namespace

const Technique& xCache() {
    static const XCache kind;
    return kind;
}

} // namespace heteroscape::engine
