// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <span>

namespace heteroscape::engine {

/// The devices of one node as servers of batches.
struct ServerPool {
    Role role = Role::Fabric;    ///< effective role
    double count = 0.0;          ///< devices
    double prefillSeconds = 0.0; ///< one batch on one device
    double decodeSeconds = 0.0;  ///< the whole output of one batch on one device
};

/// What a pool does in steady state. Rates are batches/s of the whole pool.
struct PoolLoad {
    double wholeRate = 0.0;   ///< batches both prefilled and decoded here
    double prefillRate = 0.0; ///< batches prefilled here for decode pools
    double decodeRate = 0.0;  ///< batches decoded here for prefill pools
    double prefillBusy = 0.0; ///< share of time of each device
    double decodeBusy = 0.0;
};

struct SteadyState {
    double rate = 0.0;          ///< batches/s of the system
    double handedOver = 0.0;    ///< of which go from a prefill to a decode pool
    bool prefillLimits = false; ///< the prefill pools are the slower ones of the split part
};

/// Steady state under backlog: the throughput of GLITCHES section V-B's systems of n cards, for any pools:
///   whole-request pools:   rate += n / (Tp + Td)
///   split pools:           r = min(sum n_i / Tp_i over prefill, sum n_j / Td_j over decode), rate += r
///   with assist:           each prefill pool serves n_i (1 - r / sum n/Tp) / (Tp_i + Td_i) more whole
///   requests
/// Tp, Td: prefillSeconds, decodeSeconds. The links are not part of it (see LinkLimit). `loads` is parallel
/// to `pools`.
SteadyState closedForm(std::span<const ServerPool> pools, bool assist, std::span<PoolLoad> loads);

} // namespace heteroscape::engine
