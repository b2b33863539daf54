// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/split_pool.h"
#include "engine/techniques/built_in.h"

namespace heteroscape::engine {

Registry<Technique>& techniqueKinds() {
    static Registry<Technique> kinds("technique",
                                     {&disaggregation(), &loadMerging(), &gpuAssist(), &unevenExperts(),
                                      &l2Prefetch(), &attentionNearStorage(), &delayedWriteback(), &xCache(),
                                      &hostKv(), &speculation(), &pipelineOverNodes()});
    return kinds;
}

} // namespace heteroscape::engine
