// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/robust_loss.h"

#include <array>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 3> kLossNames{"squares", "huber", "soft_l1"};

} // namespace

std::span<const std::string_view> lossNames() {
    return kLossNames;
}

double RobustLoss::cost(double residual) const {
    const double r = std::abs(residual);
    if (loss == Loss::Huber && r > scale)
        return scale * (2.0 * r - scale);
    if (loss == Loss::SoftL1)
        return 2.0 * r * r / (std::sqrt(1.0 + (r / scale) * (r / scale)) + 1.0); // no cancellation near 0
    return r * r;
}

double RobustLoss::weight(double residual) const {
    const double r = std::abs(residual);
    if (loss == Loss::Huber)
        return r > scale ? scale / r : 1.0;
    return loss == Loss::SoftL1 ? 1.0 / std::sqrt(1.0 + (r / scale) * (r / scale)) : 1.0;
}

double RobustLoss::slope(double residual) const {
    if (loss == Loss::Huber)
        return std::abs(residual) > scale ? 0.0 : 1.0;
    const double w = weight(residual);
    return w * w * w;
}

} // namespace heteroscape::engine
