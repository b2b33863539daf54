// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/delayed_writeback.h"

#include "engine/techniques/near_storage.h"
#include "engine/units/number_text.h"

#include <array>

namespace heteroscape::engine {

namespace {

const std::array<KindParameter, 1> kParameters{{
    {{"interval", "Spill interval c", "steps", 1, 1, 4096, true, true,
      "Decode steps after which the new keys and values are written together."},
     2.0},
}};

class DelayedWriteback final : public NearStorageTechnique {
public:
    DelayedWriteback()
        : NearStorageTechnique("delayed_writeback", "Delayed writeback",
                               "New keys and values wait in host memory and are written together, off the "
                               "critical path (INF2, section 4.2).") {}

    std::span<const KindParameter> parameters() const override { return kParameters; }
    std::string mark(const TechniqueSettings& settings) const override {
        return "Writeback c=" + plainText(settings[kSpillInterval]);
    }
};

} // namespace

const Technique& delayedWriteback() {
    static const DelayedWriteback kind;
    return kind;
}

} // namespace heteroscape::engine
