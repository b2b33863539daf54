// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/step_cost.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::engine {

std::string_view boundName(Bound bound) {
    constexpr std::array<std::string_view, kBoundCount> names{
        "none",        "compute",  "memory",      "launch_floor", "l2",      "network",
        "fixed_layer", "pcie",     "host_memory", "storage_link", "storage", "storage_write",
        "csd_kernel",  "csd_path", "waves",       "latency"};
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
                                                               "the path inside the CSDs",
                                                               "idle cores in waves of blocks",
                                                               "latency inside kernels"};
    return labels[static_cast<std::size_t>(bound)];
}

void StepCost::add(Bound bound, Affine seconds) {
    m_lines.add({bound, seconds, 0.0});
}

void StepCost::scale(double factor) {
    for (auto& line : m_lines.span()) {
        line.seconds = line.seconds * factor;
        line.fixed *= factor;
    }
}

void StepCost::delay(double seconds) {
    for (auto& line : m_lines.span())
        line.seconds.constant += seconds;
}

void StepCost::addFixed(double seconds) {
    delay(seconds);
    for (auto& line : m_lines.span())
        line.fixed += seconds;
}

void StepCost::append(double end, const StepCost& later) {
    m_stretches.add({end, m_begin, m_lines.size() - m_begin});
    const auto before = m_lines.size();
    for (const auto& stretch : later.m_stretches.span())
        m_stretches.add({stretch.end, before + stretch.begin, stretch.count});
    m_begin = before + later.m_begin;
    for (const auto& line : later.m_lines.span())
        m_lines.add(line);
}

void StepCost::raiseTo(const StepCost& other, double factor) {
    constexpr auto kNone = std::numeric_limits<double>::infinity();
    StepCost whole;
    double before = -kNone; // the end of what is done
    for (double at = -kNone; before != kNone; at = std::nextafter(before, kNone)) {
        StepCost part;
        const auto own = stretchAt(at);
        const auto others = other.stretchAt(at);
        for (const auto& line : m_lines.span().subspan(own.begin, own.count))
            part.m_lines.add(line);
        for (const auto& line : other.m_lines.span().subspan(others.begin, others.count))
            part.m_lines.add({line.bound, line.seconds * factor, line.fixed * factor});
        if (before == -kNone)
            whole = part;
        else
            whole.append(before, part);
        before = std::min(own.end, others.end);
    }
    *this = whole;
}

StepCost::Stretch StepCost::stretchAt(double context) const {
    for (const auto& stretch : m_stretches.span())
        if (context <= stretch.end)
            return stretch;
    return {std::numeric_limits<double>::infinity(), m_begin, m_lines.size() - m_begin};
}

std::size_t StepCost::largestAt(double context) const {
    const auto stretch = stretchAt(context);
    auto best = stretch.begin;
    for (std::size_t i = 1; i < stretch.count; ++i)
        if (m_lines[stretch.begin + i].seconds.at(context) > m_lines[best].seconds.at(context))
            best = stretch.begin + i;
    return best;
}

double StepCost::at(double context) const {
    if (m_lines.size() == 0)
        return 0.0;
    const auto stretch = stretchAt(context);
    double largest = m_lines[stretch.begin].seconds.at(context);
    for (std::size_t i = 1; i < stretch.count; ++i)
        largest = std::max(largest, m_lines[stretch.begin + i].seconds.at(context));
    return largest;
}

Tangent StepCost::tangentAt(double context) const {
    if (m_lines.size() == 0)
        return {};
    const auto& seconds = m_lines[largestAt(context)].seconds;
    return {seconds.at(context), seconds.perKey};
}

Bound StepCost::boundAt(double context) const {
    if (m_lines.size() == 0)
        return Bound::None;
    return m_lines[largestAt(context)].boundAt(context);
}

Bound StepCost::Line::boundAt(double context) const {
    return 2.0 * fixed > seconds.at(context) ? Bound::LaunchFloor : bound;
}

Bound largestOf(const BoundSeconds& seconds) {
    return static_cast<Bound>(std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
}

BoundSeconds StepCost::secondsByBound(double prompt, double tokens) const {
    BoundSeconds seconds{};
    if (m_lines.size() == 0)
        return seconds;
    const auto add = [&](const Line& line, double context, double steps) {
        seconds[static_cast<std::size_t>(line.boundAt(context))] += steps * line.seconds.at(context);
    };
    if (tokens == 0.0)
        add(m_lines[largestAt(prompt)], prompt, 1.0);
    else
        forEachPiece(prompt, tokens, [&](std::size_t line, double first, double last) {
            add(m_lines[line], 0.5 * (first + last), last - first + 1.0);
        });
    return seconds;
}

/// The line stays the largest until the first steeper one crosses it, or its stretch ends.
double StepCost::endOfPiece(std::size_t index, double prompt, double step, double last) const {
    const auto& line = m_lines[index].seconds;
    const auto stretch = stretchAt(prompt + step);
    double end = std::min(last, std::max(step, std::floor(stretch.end - prompt)));
    for (std::size_t i = 0; i < stretch.count; ++i) {
        const auto& other = m_lines[stretch.begin + i].seconds;
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
