// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/context_stretch.h"

#include "engine/timing/kernels/mla.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kTurn = 1024.0; ///< tokens, where attention's latency bends

bool startsBlock(double first) {
    return std::fmod(first - 1.0, kLatentKeyBlock) == 0.0;
}

/// The end of a stretch from `first` on that is all in one block of keys, or of whole blocks; the time of
/// a split grows up to 256 keys.
double wholeBlocks(double first, double last) {
    constexpr double split = 256.0;
    if (first <= split)
        last = std::min(last, split);
    const double end = std::ceil(first / kLatentKeyBlock) * kLatentKeyBlock;
    if (!startsBlock(first) || last < end)
        return std::min(last, end);
    return std::floor(last / kLatentKeyBlock) * kLatentKeyBlock;
}

} // namespace

ContextStretch ContextStretch::from(double first, double last, bool stepped) {
    last = std::min(last, std::max(first, std::floor(1.5 * (first + kTurn) - kTurn)));
    return {first, stepped ? wholeBlocks(first, last) : last, stepped};
}

bool ContextStretch::ofBlocks() const {
    return stepped && startsBlock(first) && std::fmod(last - first + 1.0, kLatentKeyBlock) == 0.0;
}

double ContextStretch::apart() const {
    const double one = ofBlocks() ? kLatentKeyBlock : 1.0;
    const double count = last - first + 1.0;
    return one * std::sqrt((count / one * (count / one) - 1.0) / 12.0);
}

} // namespace heteroscape::engine
