// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"

#include <string>

namespace heteroscape::engine {

/// A kind of connection between two nodes, each way; every device of an accelerator node has its own.
struct LinkType {
    std::string id;
    std::string name;           ///< "PCIe 4.0 x16"
    bool memoryChannel = false; ///< joins a memory and what works with it, never two of a kind

    Quantity bandwidth; ///< B/s that a large transfer really gets
    Quantity latency;   ///< s, start-up of one DMA or message
    Quantity domain;    ///< devices that it joins at its full rate: a server, a rack; unset: any number
    Quantity energy;    ///< J that the sender draws for a byte; unset: PowerConstants::link
    Quantity peer; ///< PCIe: 1, cards reach each other; 0, through the host's memory; unset: see isPcie()

    bool operator==(const LinkType&) const = default;
};

std::span<const Field<LinkType>> linkTypeFields();

/// Whether cards may reach each other over it or not, which `peer` says; another link joins them as it is.
/// Where `peer` is not set its start-up is that of one DMA, and measured collectives are those of the one
/// server of the generation: L40S on PCIe 4 through the host, RTX PRO 6000 on PCIe 5 as peers.
bool isPcie(const LinkType& type);

LinkType readLinkType(const Json& json, const std::string& where);
Json writeLinkType(const LinkType& type);

} // namespace heteroscape::engine
