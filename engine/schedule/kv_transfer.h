// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "engine/timing/collective.h"

#include <cstddef>
#include <span>

namespace heteroscape::engine {

// What a KV cache weighs on its way from the node that prefilled it to the node that decodes: at the
// precision that the receiver keeps it in, each device sending or taking its own shard side by side with the
// others. Where the two lay a layered model out differently the cache is dealt anew on its way: every rank of
// the receiver gets what it attends with, latents as often as there are ranks by heads.

/// Bytes of K and V of one token in all layers.
double kvTokenBytes(const Scenario& scenario, const Node& to);
/// Bytes of K and V of a batch's prompts in one layer.
double promptKvLayerBytes(const Scenario& scenario, const Node& to);
/// Where KV caches that wait for a replica are kept, on a path of links (by index, in the order of travel):
/// in the memory of the first node behind the sender, unless that is an accelerator; null where they stay
/// with the sender.
const Node* stagingNode(const Scenario& scenario, const Node& from, std::span<const std::size_t> path);
/// Links of the path that the KV cache of a batch has behind it while it waits.
std::size_t stagedLinks(const Scenario& scenario, const Node& from, const Node& to,
                        std::span<const std::size_t> path);
/// Whether a KV cache comes beside what a replica decodes, which a server sees to; else it takes the
/// replica's place in the batch from the first byte.
bool receivesBeside(const Node& to);
/// Devices that send and take at once.
double transferWidth(const Node& from, const Node& to);
/// The KV transfer of a batch's prompts, as one device sees it.
KvTransfer promptTransfer(const Scenario& scenario, const Node& from, const Node& to);
/// How long it goes on after a prefill, over a path, and how that comes about. With no prefill (nothing): all
/// of it.
Term explainTransfer(const Scenario& scenario, const Node& from, const Node& to,
                     std::span<const HopOf<Term>> path, const Term& prefillSeconds);

} // namespace heteroscape::engine
