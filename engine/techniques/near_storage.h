// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique.h"
#include "engine/scenario/tiers.h"

namespace heteroscape::engine {

/// Keep a share of the layers' inputs X in host memory instead of K and V on storage; the accelerator makes
/// K and V anew and attends to them (INF2, section 4.3). With attention near storage.
const Technique& xCache();
inline constexpr std::size_t kXShare = 0; ///< of the tokens; unset: as much as balances accelerator and CSDs

/// Keep a share of the KV cache in host memory, for attention on the CPU, beside X cache and CSDs.
const Technique& hostKv();
inline constexpr std::size_t kHostShare = 0; ///< of the tokens; unset: the one that makes a step shortest

/// Keep new K and V in host memory and spill them together, off the critical path (INF2, section 4.2). With
/// attention near storage.
const Technique& delayedWriteback();
inline constexpr std::size_t kSpillInterval = 0; ///< decode steps between spills, c

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
