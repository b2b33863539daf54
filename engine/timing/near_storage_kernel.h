// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/operators/affine.h"

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

} // namespace heteroscape::engine
