// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/schedule/layer_flows.h"

#include <array>
#include <span>

namespace heteroscape::engine {

/// Where the KV cache of an offloading runtime goes. Baselines fill the usable host memory first:
///   host = min(1, usable / KV).
/// Near storage:
///   everything fits the host, and HostKv is off: host = 1, as the baseline does;
///   X cache: x = min(1, usable / X, balance), where the balance is the largest share at which the device's
///   terms of a decode step at the mean context do not exceed the others; 0 when off or when X is not smaller
///   than K and V (grouped-query attention); a share that is asked for takes the place of the balance;
///   HostKv: the shares of host and X that make that step shortest with x X + host KV <= usable; of equals
///   the one that leaves least on storage. The step is convex in the shares, so it falls continuously as
///   memory grows.
/// The mean context is s + (n - 1) / 2. Source: INF2's model, section 3; HostKv is ours.
KvShares splitKv(const OffloadInput& input);

/// Ways to split a KV cache, the first of them splitKv()'s.
class KvChoices {
public:
    static constexpr std::size_t kCapacity = 12;

    void add(const KvShares& kv);
    std::span<const KvShares> all() const { return {m_choices.data(), m_size}; }

private:
    std::array<KvShares, kCapacity> m_choices;
    std::size_t m_size = 0;
};

/// What splitKv() weighs is a decode step at the mean context. A whole batch also has a prefill, which writes
/// the KV cache, and contexts at which another chain is the longest. So where a share is left to choose, the
/// ends of its range, and what holds with the technique off, are choices too, for whoever can time a batch.
KvChoices kvChoices(const OffloadInput& input);

} // namespace heteroscape::engine
