// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <QString>
#include <span>
#include <vector>

namespace heteroscape::widgets {

/// What tells designs from each other, for their names: "batch 32", "L2 prefetch off", "H200 SXM". One text a
/// design; all are empty where they differ in more than `most` properties or in none. What comes with another
/// device, model, runtime or link, or with a technique that is switched, is no property of its own here.
std::vector<QString> differenceNames(std::span<const engine::Scenario> designs, std::size_t most = 1);

/// What a choice at a parameter's path is called: the catalogue's name of a model, workload, device, runtime
/// or link type, the name of a shipped design, a role, an allreduce convention, arrivals or batching in
/// words, "off" and "on" of a switch; else the id itself.
QString choiceName(const engine::Catalog& catalog, const std::string& path, const std::string& id);

} // namespace heteroscape::widgets
