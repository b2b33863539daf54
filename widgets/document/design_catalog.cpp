// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/design_catalog.h"

namespace heteroscape::widgets {

DesignCatalog::DesignCatalog(std::shared_ptr<const engine::Catalog> base)
    : m_base(std::move(base)), m_catalog(m_base) {}

void DesignCatalog::setBase(std::shared_ptr<const engine::Catalog> base) {
    m_base = m_catalog = std::move(base);
    m_merged = {};
}

bool DesignCatalog::merge(const engine::OwnParts& own) {
    if (m_merged == own)
        return false;
    m_merged = own;
    m_catalog = m_merged.empty() ? m_base
                                 : std::make_shared<const engine::Catalog>(engine::withParts(
                                       *m_base, m_merged.devices, m_merged.models, m_merged.workloads));
    return true;
}

} // namespace heteroscape::widgets
