// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <cstdint>
#include <optional>
#include <random>

namespace heteroscape::engine {

/// A request as the simulation takes it in. Its id is its place in the stream, from 0.
struct Request {
    double arrival = 0.0; ///< s
    std::uint32_t id = 0;
    std::uint32_t prompt = 1;
    std::uint32_t output = 1;
};

/// The requests of a workload in the order of their arrival, made one by one. The same serving and workload
/// give the same requests on every machine: a Poisson stream takes the waiting time -ln(1 - u) / rate before
/// each request, u from the upper 53 bits of a 64-bit Mersenne twister.
class RequestStream {
public:
    /// The trace outlives the stream. Steady arrivals are taken as a backlog.
    RequestStream(const Serving& serving, const Workload& workload);

    std::optional<Request> next();
    std::uint64_t size() const { return m_size; } ///< requests in all

private:
    Arrivals m_arrivals;
    const RequestTrace* m_trace;
    std::uint64_t m_size;
    std::uint64_t m_made = 0;
    double m_rate;
    double m_now = 0.0;
    Request m_shape;
    std::mt19937_64 m_random;
};

} // namespace heteroscape::engine
