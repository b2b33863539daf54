// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// A quantity of a device that a runtime's timing models need and that is not set.
struct MissingQuantity {
    std::string_view key;  ///< "l2_mb"
    std::string_view what; ///< "the L2 capacity"
};
std::vector<MissingQuantity> missingQuantities(const Runtime& runtime, const Device& device);

/// True when the runtime is made for this kind of device, the device has every quantity that it needs, and
/// what it was measured for, if anything, is this device.
bool canRun(const Runtime& runtime, const Device& device);

/// Whether anything of a design runs without any loss (isIdeal()): its rates are upper bounds then.
bool runsIdeal(const Scenario& scenario);

/// The runtime of a node whose device is replaced. It stays where it can run: with what is calibrated for the
/// new device, and with what was changed on the node. Otherwise the nearest of the catalogue takes its place;
/// these count, the first most: the same offloading; the same precisions; usual on this device; usual on any;
/// the same operators; the same timing models; the order in the catalogue. Null where nothing runs.
std::optional<Runtime> runtimeAfter(const Node& node, const Device& device, const Catalog& catalog);

/// "Fused FP16 in place of HF eager": what happens to a node's runtime when its device is replaced; with the
/// bits that change, if any do. Empty when it stays.
std::string runtimeChange(const Node& before, const std::optional<Runtime>& after);

} // namespace heteroscape::engine
