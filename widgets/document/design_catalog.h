// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <memory>

namespace heteroscape::widgets {

/// The shipped catalogue with the user's library, and over them the parts of the open design.
class DesignCatalog {
public:
    explicit DesignCatalog(std::shared_ptr<const engine::Catalog> base);

    const std::shared_ptr<const engine::Catalog>& shared() const { return m_catalog; }
    /// Replaces what the design's own parts add to.
    void setBase(std::shared_ptr<const engine::Catalog> base);
    bool merge(const engine::OwnParts& own); ///< false: it has them already

private:
    std::shared_ptr<const engine::Catalog> m_base;
    std::shared_ptr<const engine::Catalog> m_catalog; ///< m_base and m_merged
    engine::OwnParts m_merged;
};

} // namespace heteroscape::widgets
