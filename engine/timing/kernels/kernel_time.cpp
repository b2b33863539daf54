// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/kernel_time.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

std::string_view kernelBoundName(KernelBound bound) {
    static constexpr std::array<std::string_view, kKernelBounds> names{
        "launch", "tensor", "exponentials", "operands", "memory", "waves", "latency", "link", "network"};
    return names[static_cast<std::size_t>(bound)];
}

KernelBound KernelParts::largest() const {
    return static_cast<KernelBound>(std::max_element(m_us.begin(), m_us.end()) - m_us.begin());
}

double powerNorm(double p, double a, double b, double c) {
    const double most = std::max({a, b, c});
    if (most <= 0.0)
        return 0.0;
    const auto share = [&](double x) { return x <= 0.0 ? 0.0 : x == most ? 1.0 : std::pow(x / most, p); };
    return most * std::pow(share(a) + share(b) + share(c), 1.0 / p);
}

} // namespace heteroscape::engine
