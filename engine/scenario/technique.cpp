// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/technique.h"

#include "engine/base/error.h"
#include "engine/catalog/named.h"
#include "engine/scenario/scenario.h"

#include <algorithm>

namespace heteroscape::engine {

std::string Technique::refusalAt(const TechniqueTargets&, const Link&) const {
    return std::string(label()) + " changes nodes, not links: drop it on a node";
}

bool Technique::suits(const Scenario& scenario) const {
    return std::any_of(scenario.nodes.begin(), scenario.nodes.end(),
                       [this](const Node& node) { return node.runtime && concerns(*node.runtime); });
}

std::string Technique::mark(const TechniqueSettings&) const {
    return std::string(label());
}

std::string Technique::switchWords(bool on) const {
    return (on ? "Switch on " : "Switch off ") + std::string(label());
}

const Technique& techniqueOf(std::string_view id) {
    if (const auto* kind = techniqueKinds().find(id))
        return *kind;
    std::vector<std::string> known;
    for (const auto* kind : techniqueKinds().all())
        known.emplace_back(kind->id());
    throw Error(ErrorCode::NotFound, "techniques." + std::string(id), "no such technique",
                "Allowed: " + joined(known));
}

Techniques::Techniques() {
    const auto kinds = techniqueKinds().all();
    m_all.reserve(kinds.size());
    for (const auto* kind : kinds)
        m_all.emplace_back(*kind);
}

} // namespace heteroscape::engine
