// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "tests/places.h"

#include <memory>

namespace heteroscape {

/// The shipped catalogue, read once by a test program. kPresetsFolder is the folder.
inline const std::shared_ptr<const engine::Catalog>& shippedCatalog() {
    static const auto loaded =
        std::make_shared<const engine::Catalog>(engine::loadCatalog(heteroscape::places::kPresetsFolder));
    return loaded;
}

} // namespace heteroscape
