// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"

#include <memory>
#include <variant>
#include <vector>

namespace heteroscape::widgets {

/// An edit as the undo stack keeps it. A GraphEdit has room for a whole node (over 3 kB) whatever it holds;
/// here the many small ones (quantities, moves) take about a hundred bytes, so that a long history costs
/// little.
class KeptEdit {
public:
    explicit KeptEdit(const engine::GraphEdit& edit);

    engine::GraphEdit edit() const;

    /// Both set the same properties, so that the later one alone says it all.
    bool sameTarget(const KeptEdit& other) const;
    /// Sets the same properties to the same values. For edits of the same target.
    bool sameOutcome(const KeptEdit& other) const;

private:
    using List = std::vector<KeptEdit>;
    std::variant<engine::SetQuantity, engine::MoveNode, List, std::shared_ptr<const engine::GraphEdit>>
        m_kept;
};

} // namespace heteroscape::widgets
