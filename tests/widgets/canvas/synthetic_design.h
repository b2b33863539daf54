// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

namespace heteroscape::widgets::test {

/// A design of `nodes` devices of every kind in a grid of 40 columns, with links to the right, downwards and
/// aslant, at most two for each node. What it computes does not matter; how much there is to draw does.
inline engine::Scenario syntheticDesign(const engine::Catalog& catalog, std::size_t nodes) {
    constexpr std::size_t kColumns = 40;
    engine::Scenario scenario;
    scenario.model = catalog.models.front();
    scenario.workload = catalog.workloads.front();
    scenario.workload.batch = {1.0, engine::Provenance::User, {}};
    for (std::size_t i = 0; i < nodes; ++i) {
        engine::Node node;
        node.id.value = "node-" + std::to_string(i);
        node.device = catalog.devices[i % catalog.devices.size()];
        if (engine::isAccelerator(node.device.kind))
            if (const auto* runtime = catalog.defaultRuntime(node.device))
                node.runtime = runtime->on(node.device);
        if (!engine::isAccelerator(node.device.kind))
            node.role = engine::Role::Fabric;
        node.count = {static_cast<double>(1 + i % 4), engine::Provenance::User, {}};
        node.position = {static_cast<double>(i % kColumns) * 344.0,
                         static_cast<double>(i / kColumns) * 240.0};
        scenario.nodes.push_back(std::move(node));
    }
    const auto link = [&](std::size_t from, std::size_t to) {
        if (to < nodes && scenario.links.size() < 2 * nodes)
            scenario.links.push_back({{"link-" + std::to_string(scenario.links.size())},
                                      scenario.nodes[from].id,
                                      scenario.nodes[to].id,
                                      catalog.linkTypes[from % catalog.linkTypes.size()]});
    };
    for (std::size_t i = 0; i < nodes; ++i) {
        if ((i + 1) % kColumns != 0)
            link(i, i + 1);
        link(i, i + kColumns);
    }
    for (std::size_t i = 0; i + kColumns + 1 < nodes && scenario.links.size() < 2 * nodes; i += 7)
        link(i, i + kColumns + 1);
    return scenario;
}

} // namespace heteroscape::widgets::test
