// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <cstddef>
#include <span>
#include <vector>

namespace heteroscape::engine {

/// A place where bytes live.
enum class Tier { Device, Host, Storage };
inline constexpr std::size_t kTierCount = 3;
std::string_view tierName(Tier tier);  ///< "device", "host", "storage"
std::string_view tierLabel(Tier tier); ///< "device memory", "host memory", "storage"

/// Storage that a host reaches, as one copy of the model sees it. B/s and B.
struct StorageTier {
    double devices = 0.0;
    double capacity = 0.0;
    double read = 0.0;        ///< large reads into host memory
    double write = 0.0;       ///< large writes from it
    double link = 0.0;        ///< what the links to it carry, whatever the devices can
    bool linkLimited = false; ///< reads wait for a link, not for the devices
};

/// The tiers below one accelerator node. What several copies of a model share is divided evenly among them.
struct Tiers {
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    std::size_t host = kNone;   ///< index of the nearest CPU node
    double copies = 1.0;        ///< working copies of a model, of all nodes that offload to this host
    double deviceLink = 0.0;    ///< B/s between the host and one device of the node
    double hostMemory = 0.0;    ///< B for one copy
    double hostBandwidth = 0.0; ///< B/s of DRAM for one copy
    StorageTier storage;        ///< SSDs and CSDs together
    StorageTier near;           ///< the CSDs alone
};

/// True when the node's runtime keeps anything away from the device.
bool offloads(const Node& node);

/// Finds the tiers of nodes. The rate of storage is the largest flow through the tree of links from the host:
///   rate(node) = count x device rate + sum over what hangs below it of min(link bandwidth x parallel links,
///   rate)
/// so more devices or faster links never lower it. Links are searched breadth first from the host, and not
/// through accelerators. Keeps its storage, so that asking again does not allocate.
class TierMap {
public:
    /// `working`: copies of the model at work on this node; 0: all its replicas. Other nodes count in full.
    const Tiers& find(const Scenario& scenario, std::size_t node, double working = 0.0);

    /// Of the last find(): indices of the storage nodes that were reached.
    std::span<const std::size_t> storageNodes() const { return m_storage; }
    /// Share of the bytes between host and storage (or CSDs alone) that cross a link; 0 for links elsewhere.
    double linkShare(std::size_t link, bool nearOnly) const {
        return (nearOnly ? m_nearShare : m_share)[link];
    }
    /// Links between the node and its host.
    std::span<const std::size_t> deviceLinks() const { return m_deviceLinks; }

private:
    struct Visit {
        std::size_t node;
        std::size_t link;   // by which it was reached
        std::size_t parent; // index into m_visits
    };

    Tiers m_tiers;
    std::vector<Visit> m_visits;
    std::vector<double> m_flow; // of each visit
    std::vector<double> m_share;
    std::vector<double> m_nearShare;
    std::vector<std::size_t> m_storage;
    std::vector<std::size_t> m_deviceLinks;
    std::vector<char> m_seen;

    void visitFrom(const Scenario& scenario, std::size_t start);
    std::size_t hostOf(const Scenario& scenario, std::size_t node);
    template <class Rate>
    double flow(const Scenario& scenario, Rate rate, std::vector<double>* shares);
    StorageTier storageTier(const Scenario& scenario, bool nearOnly);
};

} // namespace heteroscape::engine
