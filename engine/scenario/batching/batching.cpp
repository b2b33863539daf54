// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where kinds of batching are listed.
#include "engine/scenario/batching_kind.h"

namespace heteroscape::engine {

const BatchingKind& staticBatching();
const BatchingKind& continuousBatching();
const BatchingKind& mixedBatching();
const BatchingKind& wholeBatching();
const BatchingKind& firstBatching();

Registry<BatchingKind>& batchingKinds() {
    static Registry<BatchingKind> kinds(
        "kind of batching",
        {&staticBatching(), &continuousBatching(), &mixedBatching(), &wholeBatching(), &firstBatching()});
    return kinds;
}

const BatchingKind* batchingNamed(std::string_view id) {
    return &batchingKinds().at(id, "serving.batching");
}

const BatchingKind& batchingOffloaded(const BatchingKind& chosen) {
    if (chosen.whyNotOffloaded().empty())
        return chosen;
    for (const auto* kind : batchingKinds().all())
        if (kind->whyNotOffloaded().empty())
            return *kind;
    return chosen; // not reached: static batching can
}

} // namespace heteroscape::engine
