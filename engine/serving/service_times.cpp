// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/serving/service_times.h"

namespace heteroscape::engine {

RequestStream::RequestStream(const Serving& serving, const Workload& workload)
    : m_source(serving.arrivals->requests(serving, workload)) {
    m_shape.prompt = static_cast<std::uint32_t>(workload.promptTokens.value);
    m_shape.output = static_cast<std::uint32_t>(workload.outputTokens.value);
}

std::optional<Request> RequestStream::next() {
    if (m_shape.id == m_source->size())
        return std::nullopt;
    auto request = m_shape;
    ++m_shape.id;
    m_source->next(request);
    return request;
}

} // namespace heteroscape::engine
