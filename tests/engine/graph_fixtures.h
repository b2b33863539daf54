// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/operators/operator_graph.h"
#include "tests/engine/fixtures.h"

#include <string>
#include <string_view>

namespace heteroscape::engine::test {

/// The fused graph of a shipped model on `devices` devices. `maxTokens`: what KV caches are allocated for.
OperatorGraph fusedGraph(const std::string& model, Phase phase, double devices, double batch,
                         double queryTokens, double maxTokens);

/// An operator by its key; fails the test when there is none.
const Operator& operatorOf(const OperatorGraph& graph, std::string_view key);

/// The twelve models of PRESERVE.
const std::vector<std::string>& preserveModels();

} // namespace heteroscape::engine::test
