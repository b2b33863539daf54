// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/requests.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

RequestStream::RequestStream(const Serving& serving, const Workload& workload)
    : m_arrivals(serving.arrivals), m_trace(serving.trace.requests.get()),
      m_size(static_cast<std::uint64_t>(serving.requests.value)), m_rate(serving.rate.value),
      m_random(static_cast<std::uint64_t>(serving.seed.value)) {
    m_shape.prompt = static_cast<std::uint32_t>(workload.promptTokens.value);
    m_shape.output = static_cast<std::uint32_t>(workload.outputTokens.value);
    if (m_arrivals == Arrivals::Trace)
        m_size = m_trace ? std::min<std::uint64_t>(m_size, m_trace->requests.size()) : 0;
}

std::optional<Request> RequestStream::next() {
    if (m_made == m_size)
        return std::nullopt;
    auto request = m_shape;
    request.id = static_cast<std::uint32_t>(m_made);
    if (m_arrivals == Arrivals::Trace) {
        const auto& traced = m_trace->requests[m_made];
        request.arrival = traced.arrival;
        request.prompt = traced.prompt;
        request.output = traced.output;
    } else if (m_arrivals == Arrivals::Poisson) {
        constexpr double kUnit = 0x1p-53;
        const double u = static_cast<double>(m_random() >> 11) * kUnit; // 0 <= u < 1
        m_now -= std::log1p(-u) / m_rate;
        request.arrival = m_now;
    }
    ++m_made;
    return request;
}

} // namespace heteroscape::engine
