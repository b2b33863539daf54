// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/servers/served_plan.h"
#include "tests/shipped_catalog.h"

namespace heteroscape::engine::test {

/// The servers of the shipped catalogue, read once.
inline const GpuServers& gpuServers() {
    static const GpuServers servers(*shippedCatalog(), shippedKernels());
    return servers;
}

} // namespace heteroscape::engine::test
