// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique.h"
#include "engine/scenario/tiers.h"

namespace heteroscape::engine {

/// True when attention of this node runs near storage: the technique is on, the runtime can, CSDs are
/// reached.
bool runsNearStorage(const Scenario& scenario, const Node& node, const Tiers& tiers);

/// Attention near storage and what builds on it: acts in systems where the accelerator's runtime lets CSDs
/// attend and its host reaches some.
class NearStorageTechnique : public Technique {
public:
    using Technique::Technique;

    std::string refusalAt(const TechniqueTargets& targets, const Node& node) const override;
    using Technique::refusalAt;
    bool concerns(const Runtime& runtime) const override { return runtime.nearStorage; }
    bool changesStepOf(const Scenario& scenario, const Node& node) const override;
    const Technique* needs() const override { return &attentionNearStorage(); }
    void check(const Scenario& scenario, TierMap& tiers, std::vector<Diagnostic>& found) const override;
    std::string_view group() const override { return "Near storage"; }

protected:
    /// Whether a node of that kind is one that it changes.
    virtual bool changes(DeviceKind kind) const { return kind == DeviceKind::Csd || kind == DeviceKind::Cpu; }
};

/// Whether CSDs below the host of any node could attend for its runtime. `tiers` was reset() to the scenario.
bool reachesAttendingCsds(const Scenario& scenario, TierMap& tiers);

/// "X-cache 25 %"; without the share where it is not set.
std::string shareMark(std::string_view name, double share);

} // namespace heteroscape::engine
