// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/link_type.h"

#include "engine/catalog/named.h"
#include "engine/units/units.h"

#include <array>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

const std::array<Field<LinkType>, 5> kLinkTypeFields{{
    {{"bandwidth_gbps", "Effective bandwidth", "GB/s", units::giga, 1e-4, 1e6, false, true,
      "What a large transfer really gets, each way and for each device."},
     &LinkType::bandwidth},
    {{"latency_us", "Latency of a DMA", "\u00b5s", units::micro, 0, 1e6, false, true,
      "Start-up time of one DMA or message."},
     &LinkType::latency},
    {{"domain", "Domain", "", 1, 1, 1000000, true, false,
      "Devices that it joins at its full rate: those of a server or a rack. More that share a model reach "
      "each other over a network switch that they are linked to as well: a collective sums up inside the "
      "domains first, then between them. Not set: any number."},
     &LinkType::domain},
    {{"energy_pj", "Energy of a byte carried", "pJ/B", 1e-12, 0, 1e6, false, false,
      "What a GPU or NPU draws for a byte that it sends over it in collectives. Not set: that of a link "
      "within "
      "a server."},
     &LinkType::energy},
    {{"peer", "Peer-to-peer", "", 1, 0, 1, true, false,
      "PCIe: 1 where cards reach each other, as switch, driver and host allow; 0 where they go through the "
      "host's memory, as GeForce cards do: a message takes two DMAs, and four cards get a fifth of what two "
      "do, as on the measured server with L40S. Not set: one DMA, and collectives as measured: PCIe 4 "
      "through "
      "the host, PCIe 5 as peers."},
     &LinkType::peer},
}};

} // namespace

std::span<const Field<LinkType>> linkTypeFields() {
    return kLinkTypeFields;
}

bool isPcie(const LinkType& type) {
    return std::string_view(type.id).starts_with("pcie");
}

LinkType readLinkType(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    LinkType type;
    type.id = readId(object, "id");
    type.name = object.text("name");
    type.memoryChannel = object.boolean("memory_channel", false);
    readFields(type, linkTypeFields(), object, readDefaultSource(object));
    object.finish();
    return type;
}

Json writeLinkType(const LinkType& type) {
    Json json = {{"id", type.id}, {"name", type.name}};
    if (type.memoryChannel)
        json["memory_channel"] = true;
    writeFields(type, linkTypeFields(), json);
    return json;
}

} // namespace heteroscape::engine
