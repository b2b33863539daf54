// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/closed_form.h"

#include <algorithm>

namespace heteroscape::engine {

SteadyState closedForm(std::span<const ServerPool> pools, bool assist, std::span<PoolLoad> loads) {
    double prefillCapacity = 0.0; // batches/s
    double decodeCapacity = 0.0;
    for (const auto& pool : pools) {
        if (pool.role == Role::Prefill)
            prefillCapacity += pool.count / pool.prefillSeconds;
        if (pool.role == Role::Decode)
            decodeCapacity += pool.count / pool.decodeSeconds;
    }
    SteadyState state;
    state.handedOver = std::min(prefillCapacity, decodeCapacity);
    state.prefillLimits = prefillCapacity < decodeCapacity;
    state.rate = state.handedOver;
    for (std::size_t i = 0; i < pools.size(); ++i) {
        const auto& pool = pools[i];
        auto& load = loads[i];
        load = {};
        const double whole = pool.prefillSeconds + pool.decodeSeconds;
        double wholeBusy = 0.0; // share of time spent on whole requests
        if (pool.role == Role::Both) {
            wholeBusy = 1.0;
        } else if (pool.role == Role::Prefill) {
            load.prefillBusy = state.handedOver / prefillCapacity;
            load.prefillRate = load.prefillBusy * pool.count / pool.prefillSeconds;
            if (assist)
                wholeBusy = std::max(0.0, 1.0 - load.prefillBusy);
        } else if (pool.role == Role::Decode) {
            load.decodeBusy = state.handedOver / decodeCapacity;
            load.decodeRate = load.decodeBusy * pool.count / pool.decodeSeconds;
        }
        if (wholeBusy > 0.0) {
            load.wholeRate = wholeBusy * pool.count / whole;
            load.prefillBusy += wholeBusy * pool.prefillSeconds / whole;
            load.decodeBusy += wholeBusy * pool.decodeSeconds / whole;
            state.rate += load.wholeRate;
        }
    }
    return state;
}

} // namespace heteroscape::engine
