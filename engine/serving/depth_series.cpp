// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/depth_series.h"

#include <algorithm>

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
    while (now > m_span * static_cast<double>(kSpans))
        widen();
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

} // namespace heteroscape::engine
