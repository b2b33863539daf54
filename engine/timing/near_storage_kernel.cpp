// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/near_storage_kernel.h"

namespace heteroscape::engine {

Affine NearStorageKernel::seconds(double bytesPerToken) const {
    // tokens x b (k + half) / (P2P k) with k = tokens x row: the half chunk's part does not grow.
    return {bytesPerToken * csd.p2pHalfChunk.value / (csd.p2pBandwidth.value * rowBytes),
            bytesPerToken * (1.0 / csd.p2pBandwidth.value + 1.0 / csd.kernelBandwidth.value)};
}

double NearStorageKernel::bytesPerSecond(double tokens) const {
    return tokens / seconds(1.0).at(tokens);
}

bool NearStorageKernel::pathLimits(double tokens) const {
    const double kernel = tokens / csd.kernelBandwidth.value;
    return seconds(1.0).at(tokens) - kernel > kernel;
}

} // namespace heteroscape::engine
