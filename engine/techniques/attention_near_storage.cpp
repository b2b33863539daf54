// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/diagnostics.h"
#include "engine/techniques/near_storage.h"

namespace heteroscape::engine {

namespace {

/// Run attention in the CSDs that hold the KV cache; Q, K, V and the result cross the links instead of the
/// cache (INF2, section 4.1).
class AttentionNearStorage final : public NearStorageTechnique {
public:
    AttentionNearStorage()
        : NearStorageTechnique("attention_near_storage", "Attention near storage",
                               "Attention runs in the CSDs that hold the KV cache: queries and results cross "
                               "the links, not the cache (INF2, section 4.1).") {}

    const Technique* needs() const override { return nullptr; }
    void check(const Scenario& scenario, TierMap& tiers, std::vector<Diagnostic>& found) const override {
        if (!reachesAttendingCsds(scenario, tiers))
            found.push_back({Severity::Note, "techniques.attention_near_storage.enabled",
                             "Attention near storage changes nothing: it needs CSDs below the host of a node "
                             "whose runtime can use them",
                             "Choose the runtime INF2 and link CSDs to its host"});
    }
    std::string mark(const TechniqueSettings&) const override { return "Near storage"; }

protected:
    bool changes(DeviceKind kind) const override { return kind == DeviceKind::Csd; }
};

} // namespace

const Technique& attentionNearStorage() {
    static const AttentionNearStorage kind;
    return kind;
}

} // namespace heteroscape::engine
