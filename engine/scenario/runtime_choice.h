// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <optional>
#include <string>
#include <vector>

namespace heteroscape::engine {

struct SetDevice;
struct EditList;

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

/// Whether both phases are timed as sums of measured kernels.
bool timedByKernels(const Runtime& runtime);

/// A server's runtime on a device, with the precisions of `before` where its kernels have them. Null where it
/// does not run there.
std::optional<Runtime> servedRuntime(const Server& server, const std::optional<Runtime>& before,
                                     const Device& device, const Catalog& catalog);

/// The software of a freshly placed device: the runtime that it names (Catalog::defaultRuntime()) and, where
/// that is a server's, the server. Of what is no accelerator: none.
void placeSoftware(Node& node, const Catalog& catalog);

/// A node's device is replaced. What serves on the node stays where its kernels were measured on the new
/// device; where nothing served, that of the node's runtime, else the one that a freshly placed device gets.
/// Kernels are timed as measured then: a runtime that is timed otherwise gives way to the server's, but for
/// one that offloads, which nothing serves. Where no server can be, none is, and the runtime is that of
/// runtimeAfter(). The same device again leaves the server as it is.
SetDevice replaceDevice(const Node& node, const Device& device, const Catalog& catalog);

/// A node's runtime is replaced; one that is not timed by kernels has no server.
SetDevice replaceRuntime(const Node& node, Runtime runtime);

/// A model is served, with its cache in the bits that its checkpoint asks for on every node that can.
EditList takeModel(const Scenario& scenario, Model model);

/// The runtime of a node whose device is replaced. It stays where it can run: with what is calibrated for the
/// new device, and with what was changed on the node. Otherwise the nearest of the catalogue takes its place;
/// these count, the first most: the same offloading; the same precisions; usual on this device; usual on any;
/// the same operators; the same timing models; the order in the catalogue. Null where nothing runs.
std::optional<Runtime> runtimeAfter(const Node& node, const Device& device, const Catalog& catalog);

/// ", served as vLLM V1", ", no server": what happens to a node's server. Empty when it stays.
std::string serverChange(const Node& before, const SetDevice& edit);
/// "vLLM in place of HF eager (weights 8 to 16 bit), served as vLLM V1": what happens to a node's software
/// when its device is replaced. Empty when it stays.
std::string softwareChange(const Node& before, const SetDevice& edit);

} // namespace heteroscape::engine
