// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/batching_kind.h"

namespace heteroscape::engine {

namespace {

/// Whole batches.
class Static final : public BatchingKind {
public:
    Static()
        : BatchingKind({"static", "Static", "whole batches", "static batching",
                        "Requests that wait are taken together, up to a batch of them, and stay together "
                        "until the longest output is done."}) {}

    BatchingPolicy policy(const Serving&) const override { return {true, 0}; }
};

} // namespace

const BatchingKind& staticBatching() {
    static const Static kind;
    return kind;
}

} // namespace heteroscape::engine
