// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/near_storage.h"

#include "engine/scenario/diagnostics.h"
#include "engine/scenario/technique_targets.h"
#include "engine/units/number_text.h"

#include <array>
#include <cmath>

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

namespace {

const std::array<KindParameter, 1> kXCacheParameters{{
    {{"share", "Share of tokens", "", 1, 0, 1, false, false,
      "Share of the context whose X is kept in host memory; not set: what balances accelerator and CSDs."}},
}};

class XCache final : public NearStorageTechnique {
public:
    XCache()
        : NearStorageTechnique("x_cache", "X-cache",
                               "For a share of the context the layers' inputs are kept in host memory, and "
                               "the accelerator makes keys and values from them (INF2, section 4.3).") {}

    std::span<const KindParameter> parameters() const override { return kXCacheParameters; }
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

namespace {

const std::array<KindParameter, 1> kHostKvParameters{{
    {{"share", "Share of tokens", "", 1, 0, 1, false, false,
      "Share of the context whose KV cache is kept in host memory; not set: what makes a step shortest."}},
}};

class HostKv final : public NearStorageTechnique {
public:
    HostKv()
        : NearStorageTechnique("host_kv", "KV in host memory",
                               "For a share of the context keys and values stay in host memory, and the CPU "
                               "attends to them.") {}

    std::span<const KindParameter> parameters() const override { return kHostKvParameters; }
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

namespace {

const std::array<KindParameter, 1> kDelayedWritebackParameters{{
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

    std::span<const KindParameter> parameters() const override { return kDelayedWritebackParameters; }
    std::string mark(const TechniqueSettings& settings) const override {
        return "Writeback c=" + plainText(settings[kSpillInterval]);
    }
};

} // namespace

const Technique& delayedWriteback() {
    static const DelayedWriteback kind;
    return kind;
}

bool runsNearStorage(const Scenario& scenario, const Node& node, const Tiers& tiers) {
    return scenario.techniques.isOn(attentionNearStorage()) && node.runtime && node.runtime->nearStorage &&
           tiers.near.devices > 0.0;
}

std::string NearStorageTechnique::refusalAt(const TechniqueTargets& targets, const Node& node) const {
    const auto& name = node.shownName();
    const auto kind = node.device.kind;
    if (isAccelerator(kind)) {
        if (!node.runtime || !node.runtime->nearStorage)
            return name + " runs nothing that lets CSDs attend: choose a runtime that can, such as INF2";
    } else if (!changes(kind)) {
        return name + " cannot attend to a KV cache: drop it on CSDs or on the accelerator they serve";
    } else if (kind == DeviceKind::Csd && !attendsNearStorage(node)) {
        return name + " has the role storage: give it the role attention first";
    }
    const auto& part = targets.partOf(node);
    if (!part.csds)
        return "No CSDs are linked to " + name + ": link some to its host first";
    if (!part.host)
        return name + " reaches no CPU host: link it to one first";
    if (!part.user)
        return "No accelerator linked to " + name + " lets CSDs attend: give one the runtime INF2 first";
    if (needs() && !targets.scenario().techniques.isOn(*needs()))
        return std::string(label()) + " changes nothing without attention near storage: switch that on first";
    return {};
}

bool NearStorageTechnique::changesStepOf(const Scenario& scenario, const Node& node) const {
    if (!offloads(node))
        return false;
    TierMap map;
    const auto index = static_cast<std::size_t>(&node - scenario.nodes.data());
    return runsNearStorage(scenario, node, map.find(scenario, index));
}

void NearStorageTechnique::check(const Scenario& scenario, TierMap& tiers,
                                 std::vector<Diagnostic>& found) const {
    if (scenario.techniques.isOn(attentionNearStorage()) && reachesAttendingCsds(scenario, tiers))
        return;
    found.push_back({Severity::Note, "techniques." + std::string(id()) + ".enabled",
                     std::string(label()) + " changes nothing without attention near storage",
                     "Switch on attention near storage", "needs_technique"});
}

bool reachesAttendingCsds(const Scenario& scenario, TierMap& tiers) {
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& node = scenario.nodes[i];
        if (offloads(node) && node.runtime->nearStorage && tiers.at(scenario, i).near.devices > 0.0)
            return true;
    }
    return false;
}

std::string shareMark(std::string_view name, double share) {
    std::string text(name);
    if (std::isnan(share))
        return text;
    const double percent = share * 100.0;
    return text +
           (percent > 0.0 && percent < 1.0 ? " < 1 %" : " " + std::to_string(std::lround(percent)) + " %");
}

} // namespace heteroscape::engine
