// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/techniques/load_merging.h"

namespace heteroscape::engine {

void mergeLoads(OperatorGraph& graph, double ratio) {
    for (auto& op : graph.operators())
        if (op.kind == OperatorKind::Linear)
            op.loadsPerFetch = ratio;
}

} // namespace heteroscape::engine
