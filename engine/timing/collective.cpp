// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/collective.h"

namespace heteroscape::engine {

double Collective::trafficFactor() const {
    if (devices <= 1.0)
        return 0.0;
    return convention == AllReduceConvention::Ring ? 2.0 * (devices - 1.0) / devices : 1.0;
}

double Collective::allReduceSeconds(double payloadBytes) const {
    return devices <= 1.0 ? 0.0 : latency + trafficFactor() * payloadBytes / bandwidth;
}

double Collective::transferSeconds(double payloadBytes) const {
    return devices <= 1.0 ? 0.0 : trafficFactor() * payloadBytes / bandwidth;
}

} // namespace heteroscape::engine
