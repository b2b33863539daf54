// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/step_cost.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace heteroscape::engine {

std::string_view boundName(Bound bound) {
    constexpr std::array<std::string_view, kBoundCount> names{
        "none",    "compute",       "memory",     "launch_floor", "l2",
        "network", "fixed_layer",   "pcie",       "host_memory",  "storage_link",
        "storage", "storage_write", "csd_kernel", "csd_path"};
    return names[static_cast<std::size_t>(bound)];
}

std::string_view boundLabel(Bound bound) {
    constexpr std::array<std::string_view, kBoundCount> labels{"nothing",
                                                               "compute",
                                                               "memory reads",
                                                               "kernel launches",
                                                               "L2 reads",
                                                               "network",
                                                               "the fixed time of a layer",
                                                               "the link to the host",
                                                               "host memory",
                                                               "the link to storage",
                                                               "storage reads",
                                                               "storage writes",
                                                               "CSD kernels",
                                                               "the path inside the CSDs"};
    return labels[static_cast<std::size_t>(bound)];
}

void StepCost::add(Bound bound, Affine seconds) {
    assert(m_count < kMaxLines);
    m_lines[m_count++] = {bound, seconds};
}

void StepCost::delay(double seconds) {
    for (std::size_t i = 0; i < m_count; ++i)
        m_lines[i].seconds.constant += seconds;
}

std::size_t StepCost::largestAt(double keys) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < m_count; ++i)
        if (m_lines[i].seconds.at(keys) > m_lines[best].seconds.at(keys))
            best = i;
    return best;
}

double StepCost::at(double keys) const {
    return m_count == 0 ? 0.0 : m_lines[largestAt(keys)].seconds.at(keys);
}

Bound StepCost::boundAt(double keys) const {
    return m_count == 0 ? Bound::None : m_lines[largestAt(keys)].bound;
}

/// The line stays the largest until the first steeper one crosses it.
double StepCost::endOfPiece(std::size_t index, double prompt, double step, double last) const {
    const auto& line = m_lines[index].seconds;
    double end = last;
    for (std::size_t i = 0; i < m_count; ++i) {
        const auto& other = m_lines[i].seconds;
        if (other.perKey > line.perKey) {
            const double crossing = (line.constant - other.constant) / (other.perKey - line.perKey);
            end = std::min(end, std::max(step, std::floor(crossing - prompt)));
        }
    }
    return end;
}

double StepCost::sumOverDecode(double prompt, double tokens) const {
    double sum = 0.0;
    forEachPiece(prompt, tokens, [&](std::size_t line, double first, double last) {
        sum += (last - first + 1) * m_lines[line].seconds.at(0.5 * (first + last));
    });
    return sum;
}

} // namespace heteroscape::engine
