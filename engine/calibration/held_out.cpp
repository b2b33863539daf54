// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/held_out.h"

#include "engine/base/error.h"
#include "engine/units/number_text.h"
#include "engine/validation/validation.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kFewestHeldFrom = 8; ///< rows below which none is held out

} // namespace

void checkHeldOutShare(double share) {
    if (!(share >= 0.0 && share <= 0.9))
        throwInvalid("held-out share", exactText(share) + " is out of range", "Allowed: from 0 to 0.9");
}

std::vector<bool> heldOutRows(std::size_t count, double share, std::uint64_t seed) {
    std::vector<bool> heldOut(count, false);
    if (count < kFewestHeldFrom)
        return heldOut;
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::mt19937_64 random(seed);
    for (std::size_t i = count; i > 1; --i) // by hand: std::shuffle differs between libraries
        std::swap(order[i - 1], order[random() % i]);
    const auto held = static_cast<std::size_t>(share * static_cast<double>(count));
    for (std::size_t i = 0; i < held; ++i)
        heldOut[order[i]] = true;
    return heldOut;
}

KernelConstants::Errors errorSummary(std::vector<double> percents, bool heldOut) {
    KernelConstants::Errors all;
    all.heldOut = heldOut;
    all.rows = static_cast<double>(percents.size());
    if (percents.empty())
        return all;
    std::sort(percents.begin(), percents.end());
    all.medianPercent = quantile(percents, 0.5);
    all.p90Percent = quantile(percents, 0.9);
    return all;
}

} // namespace heteroscape::engine
