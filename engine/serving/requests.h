// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <optional>

namespace heteroscape::engine {

/// The requests of a serving and a workload in the order of their arrival, made one by one by the kind of
/// arrivals.
class RequestStream {
public:
    RequestStream(const Serving& serving, const Workload& workload);

    std::optional<Request> next();
    std::uint64_t size() const { return m_source->size(); } ///< requests in all

private:
    std::unique_ptr<RequestSource> m_source;
    Request m_shape; ///< of the next, but for what its source says
};

} // namespace heteroscape::engine
