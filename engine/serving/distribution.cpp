// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::engine {

void DepthSeries::widen() {
    for (std::size_t i = 0; 2 * i < m_spans.size(); ++i) {
        auto joined = m_spans[2 * i];
        if (2 * i + 1 < m_spans.size()) {
            const auto& second = m_spans[2 * i + 1];
            for (std::size_t k = 0; k < joined.seconds.size(); ++k)
                joined.seconds[k] += second.seconds[k];
            joined.largestWaiting = std::max(joined.largestWaiting, second.largestWaiting);
        }
        m_spans[i] = joined;
    }
    m_spans.resize((m_spans.size() + 1) / 2);
    m_span *= 2.0;
}

void DepthSeries::hold(const Depth& depth, double now) {
    expect(now);
    while (m_now < now) {
        const auto index = static_cast<std::size_t>(m_now / m_span); // exact
        if (m_spans.size() <= index)
            m_spans.resize(index + 1);
        auto& span = m_spans[index];
        const double end = std::min(now, m_span * static_cast<double>(index + 1));
        const double seconds = end - m_now;
        span.seconds[0] += depth.waiting * seconds;
        span.seconds[1] += depth.staged * seconds;
        span.seconds[2] += depth.running * seconds;
        span.largestWaiting = std::max(span.largestWaiting, depth.waiting);
        m_now = end;
    }
}

Depth DepthSeries::mean(std::size_t span) const {
    const double begin = m_span * static_cast<double>(span);
    const double seconds = std::min(m_span, m_now - begin);
    const auto& sums = m_spans[span].seconds;
    return {sums[0] / seconds, sums[1] / seconds, sums[2] / seconds};
}

Depth DepthSeries::mean() const {
    const auto sum = requestSeconds();
    return m_now > 0.0 ? Depth{sum.waiting / m_now, sum.staged / m_now, sum.running / m_now} : Depth{};
}

Depth DepthSeries::requestSeconds() const {
    Depth sum;
    for (const auto& span : m_spans) {
        sum.waiting += span.seconds[0];
        sum.staged += span.seconds[1];
        sum.running += span.seconds[2];
    }
    return sum;
}

double DepthSeries::largestWaiting() const {
    double largest = 0.0;
    for (const auto& span : m_spans)
        largest = std::max(largest, span.largestWaiting);
    return largest;
}

namespace {

constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();
constexpr double kBinsPerOctave = 700.0; // half a bin: 2^(0.5/700), 0.05%
constexpr double kLeast = 1e-12;         // s; what is shorter counts as this
constexpr double kOctaves = 80.0;

std::size_t binOf(double value) {
    const double at = std::log2(std::max(value, kLeast) / kLeast) * kBinsPerOctave;
    return static_cast<std::size_t>(std::min(at, kOctaves * kBinsPerOctave - 1.0));
}

} // namespace

void Distribution::add(double value) {
    if (m_count == 0)
        m_smallest = m_largest = value;
    m_smallest = std::min(m_smallest, value);
    m_largest = std::max(m_largest, value);
    ++m_count;
    const double corrected = value - m_lost;
    const double sum = m_sum + corrected;
    m_lost = (sum - m_sum) - corrected;
    m_sum = sum;
    if (!m_bins.empty()) {
        bin(value);
        return;
    }
    m_values.push_back(value);
    if (m_values.size() <= kExact)
        return;
    m_bins.assign(static_cast<std::size_t>(kOctaves * kBinsPerOctave), 0);
    for (const double one : m_values)
        bin(one);
    m_values = {};
}

void Distribution::bin(double value) {
    ++m_bins[binOf(value)];
}

double Distribution::mean() const {
    return m_count == 0 ? kUnset : m_sum / static_cast<double>(m_count);
}

double Distribution::largest() const {
    return m_count == 0 ? kUnset : m_largest;
}

double Distribution::quantile(double q) const {
    if (m_count == 0)
        return kUnset;
    const auto rank = static_cast<std::uint64_t>(
        std::max(1.0, std::ceil(q * static_cast<double>(m_count) - 1e-9))); // 1 = the smallest
    if (m_bins.empty()) {
        const auto at =
            m_values.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(rank, m_values.size()) - 1);
        std::nth_element(m_values.begin(), at, m_values.end());
        return *at;
    }
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < m_bins.size(); ++i) {
        below += m_bins[i];
        if (below >= rank && i == 0)
            return m_smallest; // no time at all, as often
        if (below >= rank) {
            const double middle = kLeast * std::exp2((static_cast<double>(i) + 0.5) / kBinsPerOctave);
            return std::clamp(middle, m_smallest, m_largest);
        }
    }
    return m_largest;
}

} // namespace heteroscape::engine
