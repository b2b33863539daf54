// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/serving/service_times.h"

namespace heteroscape::engine {

/// The times of another, all longer by one factor: steps that share a link with others and together want more
/// than it carries.
class StretchedTimes final : public ServiceTimes {
public:
    /// `times` outlives this; factor >= 1.
    StretchedTimes(ServiceTimes& times, double factor) : m_times(times), m_factor(factor) {}

    double prefill(double requests, double prompt, double output) override {
        return m_factor * m_times.prefill(requests, prompt, output);
    }
    double decode(const DecodeBatch& batch, double steps) override {
        return m_factor * m_times.decode(batch, steps);
    }
    double chunk(double tokens, double done, const DecodeBatch& batch) override {
        return m_factor * m_times.chunk(tokens, done, batch);
    }
    double pieces(std::span<const PromptPiece> prompts, const DecodeBatch& batch) override {
        return m_factor * m_times.pieces(prompts, batch);
    }

private:
    ServiceTimes& m_times;
    double m_factor;
};

} // namespace heteroscape::engine
