// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/operators/attention_model.h"

namespace heteroscape::engine {

Registry<AttentionKind>& attentionKinds() {
    static Registry<AttentionKind> registry(
        "kind of attention", {&groupedQueryAttention(), &latentAttention(), &gatedDeltaRule()});
    return registry;
}

} // namespace heteroscape::engine
