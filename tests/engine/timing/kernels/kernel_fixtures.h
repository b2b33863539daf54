// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/timing/kernels/kernel_catalog.h"
#include "tests/engine/fixtures.h"
#include "tests/places.h"

namespace heteroscape::engine::test {

/// The shipped constants of kernels, read once.
inline const KernelCatalog& kernels() {
    static const KernelCatalog loaded = loadKernelCatalog(heteroscape::places::kPresetsFolder);
    return loaded;
}

inline const Gpu& gpu(const char* id) {
    return kernels().gpu(id);
}

} // namespace heteroscape::engine::test
