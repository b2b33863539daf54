// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"

#include <random>

namespace heteroscape::engine::test {

/// Makes edits of every kind as people and files could ask for them; some do not fit the scenario.
class RandomEdits {
public:
    RandomEdits(const Catalog& catalog, std::uint32_t seed) : m_catalog(catalog), m_random(seed) {}

    /// Keeps the scenario at about `most` nodes.
    GraphEdit next(const Scenario& scenario, std::size_t most = 12);
    bool chance(double share) { return std::uniform_real_distribution<>(0.0, 1.0)(m_random) < share; }
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : m_random() % limit; }

private:
    const Catalog& m_catalog;
    std::mt19937 m_random;

    NodeId node(const Scenario& scenario);
    LinkId link(const Scenario& scenario);
    NoteId note(const Scenario& scenario);
    template <class Items>
    const auto& any(const Items& items) {
        return items[below(items.size())];
    }
    GraphEdit addNode(const Scenario& scenario);
    GraphEdit setDevice(const Scenario& scenario);
    GraphEdit setNumber(const Scenario& scenario);
    GraphEdit setText(const Scenario& scenario);
    GraphEdit setServing(const Scenario& scenario);
    GraphEdit putPart();
    GraphEdit putNote(const Scenario& scenario);
    GraphEdit dropPart(const Scenario& scenario);
    GraphEdit several(const Scenario& scenario);
    GraphEdit ofKind(const Scenario& scenario, std::size_t kind);
};

} // namespace heteroscape::engine::test
