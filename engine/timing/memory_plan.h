// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/operators/affine.h"
#include "engine/scenario/tiers.h"
#include "engine/timing/machine.h"

#include <optional>

namespace heteroscape::engine {

/// Timing model `near_storage_kernel`: the attention kernel of one CSD, fed over the device's internal path.
///   1 / R(k) = 1 / P2P(k) + 1 / R_kernel,   P2P(k) = P2P k / (k + half)
/// k the chunk in which K (or V) of one head and request is read: tokens x bytes of a row. The read is not
/// overlapped with the kernel. Source: INF2's model, section 3; P2P(k) fits the public SmartSSD
/// p2p_bandwidth log.
struct NearStorageKernel {
    const Device& csd;
    double rowBytes; ///< of K (or V) of one token and head

    double bytesPerSecond(double tokens) const; ///< R at a context of `tokens`
    /// Seconds for `bytesPerToken` x tokens of KV cache on one CSD: affine in the context.
    Affine seconds(double bytesPerToken) const;
    bool pathLimits(double tokens) const; ///< the path takes longer than the kernel
};

/// What does not fit, and where. Bytes.
struct Shortfall {
    Tier tier = Tier::Device;
    double needed = 0.0;
    double available = 0.0;
    std::string_view what; ///< "weights and KV cache"
};

/// Where an offloading runtime keeps weights, and how much host memory is left for KV or X cache. Bytes of
/// one replica, all its devices together.
///
///   staging = layers staged x b (s + n) kv + reserve
///   weights + device reserve <= device memory, none forced to storage: weights on the device,
///                               free = max(0, memory - staging)
///   else (r the share forced)   host = (1 - r) W - spill,  spill = max(0, (1 - r) W - max(0, memory -
///   staging)),
///                               storage = r W + spill,  free = max(0, memory - host - staging)
///   usable = share x free
///
/// b batch, s prompt, n output, kv bytes of K and V of one token and layer, memory that of the host. Staging
/// larger than the memory is no failure. Where the KV cache stays on the device (kvOnDevice) it asks instead
/// whether weights, KV cache and reserve fit the device together. Source: INF2's model, section 3; FlexGen
/// (Sheng et al., ICML 2023).
template <class V>
struct MemorySizesOf {
    V weights{};
    V weightsDevice{};
    V weightsHost{};
    V weightsStorage{};
    V layerWeights{}; ///< of one layer
    V kv{};           ///< of the whole batch at its final length, all layers
    V kvToken{};      ///< of one token in one layer
    V x{};            ///< the layers' inputs of the whole batch at its final length
    V xToken{};       ///< of one token in one layer
    V staging{};      ///< of host memory, with the reserve; 0 while nothing is offloaded
    V usable{};       ///< of host memory for KV or X cache
};

struct MemoryPlan : MemorySizesOf<double> {
    std::optional<Shortfall> shortfall;
};

/// Plans for one replica on `devices` devices. Checked here: one layer's weights, the KV cache and scores
/// where they stay on the device; the KV cache where it must lie in host memory; weights that find no
/// storage.
MemoryPlan planMemory(const Model& model, const Workload& workload, const Machine& machine,
                      const Device& device, double devices, const Tiers& tiers);
/// How its sizes come about.
MemorySizesOf<Term> explainMemory(const Model& model, const Workload& workload, const Machine& machine,
                                  const Device& device, double devices, const Tiers& tiers);

} // namespace heteroscape::engine
