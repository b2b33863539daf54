// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/clip.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// Devices as they are sold or racked together, linked: what is placed as one.
struct ReadyGroup {
    std::string id;
    std::string name; ///< "HGX H100, 8 GPUs"
    std::string about;
    Clip clip; ///< its first node stands at the origin
};

/// A shipped group of Catalog::groups: <presets>/groups/<id>.json, with "nodes" and "links" as a design has
/// them; accelerators that state no runtime get their usual one. Throws Error naming file and key (NotFound
/// for an id that is none).
ReadyGroup loadGroup(const Catalog& catalog, const std::string& id);
std::vector<ReadyGroup> loadGroups(const Catalog& catalog);

} // namespace heteroscape::engine
