// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/client_lengths.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace heteroscape::engine {

namespace {

/// A whole number in [low, low + span], as numpy's legacy generator draws it.
class MaskedDraw {
public:
    MaskedDraw(double length, double ratio)
        : m_low(static_cast<std::uint32_t>(std::max(1.0, std::floor(ratio * length)))),
          m_span(static_cast<std::uint32_t>(length) - std::min(static_cast<std::uint32_t>(length), m_low)) {
        while (m_mask < m_span)
            m_mask = 2 * m_mask + 1;
    }

    std::uint32_t operator()(std::mt19937& random) const {
        if (m_span == 0)
            return m_low; // nothing is drawn
        std::uint32_t drawn = 0;
        do
            drawn = static_cast<std::uint32_t>(random()) & m_mask;
        while (drawn > m_span);
        return m_low + drawn;
    }

private:
    std::uint32_t m_low;
    std::uint32_t m_span;
    std::uint32_t m_mask = 0;
};

} // namespace

std::vector<RequestSize> drawLengths(const ClientLengths& lengths, std::size_t requests) {
    std::mt19937 random(lengths.seed);
    const MaskedDraw prompt(lengths.prompt, lengths.ratio);
    const MaskedDraw output(lengths.output, lengths.ratio);
    std::vector<RequestSize> sizes(requests);
    for (auto& size : sizes)
        size.prompt = prompt(random);
    for (auto& size : sizes)
        size.output = output(random);
    return sizes;
}

} // namespace heteroscape::engine
