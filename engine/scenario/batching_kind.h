// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/serving_kind.h"

#include <cstdint>

namespace heteroscape::engine {

/// What the simulation asks of batching.
struct BatchingPolicy {
    /// Up to a batch of requests that wait are taken together, padded to the longest prompt, and stay
    /// together until the longest output is done. Else each joins and leaves at a token boundary.
    bool grouped = true;
    std::uint32_t chunk = 0; ///< tokens of a prompt in one step beside the decodes; 0: whole prompts
};

/// A way in which a pool works on several requests together.
class BatchingKind : public ServingKind {
public:
    using ServingKind::ServingKind;

    virtual BatchingPolicy policy(const Serving& serving) const = 0;
    /// Why it cannot serve a runtime that offloads; empty: it can.
    virtual std::string_view whyNotOffloaded() const { return {}; }
};

/// All kinds of batching; a design starts with the first.
Registry<BatchingKind>& batchingKinds();
/// One by its id; Error (InvalidInput) at "serving.batching" when there is none.
const BatchingKind* batchingNamed(std::string_view id);
/// The kind that serves a runtime that offloads where `chosen` is wanted.
const BatchingKind& batchingOffloaded(const BatchingKind& chosen);

} // namespace heteroscape::engine
