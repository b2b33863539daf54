// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/catalog/link_type.h"
#include "engine/catalog/model.h"
#include "engine/catalog/runtime.h"
#include "engine/catalog/server.h"
#include "engine/catalog/workload.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// A folder of designs, one file each; in claims.json lies what a paper states of them (claims/claims.h).
struct PaperFolder {
    std::string id; ///< "glitches": the first part of its designs' ids
    std::string path;
};

/// The parts that designs are made of, sorted by id; read once, then only read.
/// The find functions throw Error (NotFound) naming `where`, the id, and the ids there are.
struct Catalog {
    std::string folder; ///< where it was read from
    std::vector<Device> devices;
    std::vector<Model> models;
    std::vector<RuntimeEntry> runtimes;
    std::vector<Server> servers;
    std::vector<Workload> workloads;
    std::vector<LinkType> linkTypes;
    std::vector<PaperFolder> papers;
    std::vector<std::string> systems; ///< ids of their designs: "glitches/a100-7u280"
    std::vector<std::string> groups;  ///< ids of the shipped ready groups: "hgx-h100"

    const Device& device(const std::string& id, const std::string& where) const;
    const Model& model(const std::string& id, const std::string& where) const;
    const RuntimeEntry& runtime(const std::string& id, const std::string& where) const;
    const Server& server(const std::string& id, const std::string& where) const;
    const Workload& workload(const std::string& id, const std::string& where) const;
    const LinkType& linkType(const std::string& id, const std::string& where) const;

    const PaperFolder& paper(const std::string& id, const std::string& where) const;
    /// The file of one of `systems`: only ids that are listed become paths.
    std::string designFile(const std::string& id, const std::string& where) const;

    const RuntimeEntry* findRuntime(const std::string& id) const; ///< null when there is none

    /// The runtime a freshly placed device gets: the one it names, else the first that runs on its kind, one
    /// by the rule of its class before others; null when there is none.
    const RuntimeEntry* defaultRuntime(const Device& device) const;
    /// The type of a new link between two devices: of the ports that both have the fastest; when they have
    /// none in common the slower of each end's best, unless an end cannot take it and there is one that both
    /// can (see linkOffers()): then the fastest of these. Null when either has no port for the other: none at
    /// all, or memory channels only where both are of one kind.
    const LinkType* defaultLink(const Device& a, const Device& b) const;
    /// The types of link that both devices can use (`ports` and `morePorts`), fastest first, then by id;
    /// empty when they have none in common.
    std::vector<const LinkType*> linkOffers(const Device& a, const Device& b) const;
};

/// Reads <presets>/devices, models, runtimes, servers, workloads and links, and lists papers/* and groups/*.
/// Throws Error naming file and key.
Catalog loadCatalog(const std::string& presetsFolder);

/// Adds a paper's folder, which may lie anywhere, and gives its id, which its claims.json states. Designs are
/// its *.json and *.hscape but claims.json. Parts of its own lie in devices/, models/, runtimes/, servers/,
/// workloads/ and links/, as those of the presets do. Where an id is there already, of a part or of a paper,
/// the folder's takes its place. Throws Error naming file and key, or what the folder lacks.
std::string addPaper(Catalog& catalog, const std::string& folder);

/// The catalogue with more parts, sorted again; where an id is there already, the added part takes its place.
Catalog withParts(Catalog catalog, const std::vector<Device>& devices, const std::vector<Model>& models,
                  const std::vector<Workload>& workloads);

/// The presets folder of this installation: $HETEROSCAPE_PRESETS, else share/heteroscape/presets or presets
/// in a folder above the program's, or the module's, own file, the nearest first; else the one known when it
/// was built. Throws Error when none is there.
std::string findPresetsFolder();

} // namespace heteroscape::engine
