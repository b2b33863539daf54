// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace heteroscape::engine {

/// The ids of a scenario while a list of edits is applied to it, kept up by who applies them: a thousand
/// edits take no thousand searches each.
struct KnownIds {
    explicit KnownIds(const Scenario& scenario) {
        for (const auto& node : scenario.nodes)
            nodes.insert(node.id.value);
        for (const auto& link : scenario.links)
            add(link);
    }
    void add(const Link& link) {
        links.insert(link.id.value);
        ++ends[link.from.value];
        ++ends[link.to.value];
    }
    void remove(const Link& link) {
        links.erase(link.id.value);
        --ends[link.from.value];
        --ends[link.to.value];
    }

    std::unordered_set<std::string> nodes, links;
    std::unordered_map<std::string, std::size_t> ends; ///< of links at a node
};

} // namespace heteroscape::engine
