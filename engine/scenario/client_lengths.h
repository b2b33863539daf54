// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heteroscape::engine {

/// Lengths as the public client draws them: whole numbers, uniform in [floor(ratio x length), length], all
/// prompts first, then all outputs, from one std::mt19937 (numpy's legacy generator: masked bits, drawn again
/// where they exceed the span). Source: the client of InferenceX, random_range_ratio.
struct ClientLengths {
    double prompt = 1024.0;
    double output = 1024.0;
    double ratio = 0.8; ///< 1: fixed
    std::uint32_t seed = 0;
};
struct RequestSize {
    std::uint32_t prompt = 1;
    std::uint32_t output = 1;
    bool operator==(const RequestSize&) const = default;
};
std::vector<RequestSize> drawLengths(const ClientLengths& lengths, std::size_t requests);

} // namespace heteroscape::engine
