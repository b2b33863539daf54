// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/link_flow.h"
#include "engine/scenario/scenario.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace heteroscape::engine {

/// A place where bytes live.
enum class Tier { Device, Host, Storage };
inline constexpr std::size_t kTierCount = 3;
std::string_view tierName(Tier tier);  ///< "device", "host", "storage"
std::string_view tierLabel(Tier tier); ///< "device memory", "host memory", "storage"

/// Storage that a host reaches: rates and bytes as one replica sees them. B/s and B.
struct StorageTier {
    double devices = 0.0; ///< all of them
    double capacity = 0.0;
    double read = 0.0;        ///< large reads into host memory
    double write = 0.0;       ///< large writes from it
    double link = 0.0;        ///< what the links to it carry, whatever the devices can
    bool linkLimited = false; ///< reads wait for a link, not for the devices
};

/// The tiers below one accelerator node. What several copies of a model share is divided evenly among them.
struct Tiers {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    std::size_t host = kNone;    ///< index of the nearest CPU node
    double activeReplicas = 1.0; ///< working copies of a model, of all nodes that offload to this host
    double deviceLink = 0.0;     ///< B/s between the host and one device of the node
    double hostMemory = 0.0;     ///< B for one replica
    double hostBandwidth = 0.0;  ///< B/s of DRAM for one replica
    StorageTier storage;         ///< SSDs and CSDs together
    StorageTier near;            ///< the CSDs that attend to what they hold, alone
};

/// True when the node's runtime keeps anything away from the device.
bool offloads(const Node& node);

/// Finds the tiers of nodes. The host is the nearest CPU; what the device and storage exchange with it is the
/// largest flow through the links drawn (see LinkFlow), so that more devices, links or bandwidth never lower
/// it. What lies below a host is worked out once after a reset(). Keeps its storage, so that asking again
/// does not allocate.
class TierMap {
public:
    /// Takes up another scenario, or the same after a change of it.
    void reset(const Scenario& scenario);
    /// The tiers of a node of the scenario that reset() took. `working`: replicas at work on this
    /// node; 0: all its replicas. Other nodes count in full.
    const Tiers& at(const Scenario& scenario, std::size_t node, double working = 0.0);
    /// Both at once.
    const Tiers& find(const Scenario& scenario, std::size_t node, double working = 0.0);

    /// Of the last at() or find(): indices of the storage nodes that were reached.
    std::span<const std::size_t> storageNodes() const {
        return m_below ? std::span<const std::size_t>(m_below->storage) : std::span<const std::size_t>();
    }
    /// Share of the bytes between host and storage (or CSDs alone) that cross a link; 0 for links elsewhere.
    /// Storage gives in proportion to its rates where the links allow it.
    double linkShare(std::size_t link, bool nearOnly) const {
        return m_below ? (nearOnly ? m_below->near : m_below->all).share[link] : 0.0;
    }
    const LinkGraph& graph() const { return m_links.graph(); }
    /// Share of the bytes between the node and its host that cross a link.
    double deviceShare(std::size_t link) const { return m_deviceShare[link]; }

private:
    /// What all storage that is reached, or the CSDs that attend alone, can exchange with a host; B/s.
    struct Exchange {
        double link = 0.0;
        double write = 0.0;
        double read = 0.0;
        std::vector<double> share; ///< of the bytes read, that cross each link
    };
    struct BelowHost {
        std::size_t host = Tiers::kNone;
        std::vector<std::size_t> storage;
        Exchange all;
        Exchange near;
    };

    Tiers m_tiers;
    LinkFlow m_links;
    std::vector<std::size_t> m_hosts; // of each node; m_hosts.size(): not looked for yet
    std::vector<std::unique_ptr<BelowHost>> m_known;
    std::size_t m_knownCount = 0; // of m_known, since the reset; the others are kept storage
    BelowHost* m_below = nullptr;
    std::vector<double> m_supply; // of each node, B/s
    std::vector<double> m_alone;  // what each node could send if it were the only one, B/s
    std::vector<double> m_deviceShare;

    std::size_t hostOf(const Scenario& scenario, std::size_t node);
    BelowHost& below(const Scenario& scenario, std::size_t host);
    template <class Rate>
    double flow(const Scenario& scenario, const BelowHost& below, Rate rate);
    void setShares(double total, std::vector<double>& shares) const;
    void shareEvenly(const Scenario& scenario, const BelowHost& below, bool nearOnly, Exchange& exchange);
    void findDeviceLink(const Scenario& scenario, std::size_t node);
    void findExchange(const Scenario& scenario, const BelowHost& below, bool nearOnly, Exchange& exchange);
    StorageTier storageTier(const Scenario& scenario, bool nearOnly) const;
};

} // namespace heteroscape::engine
