// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"

#include <QString>

namespace heteroscape::widgets {

/// What a choice at a parameter's path is called: the catalogue's name of a model, workload, device, runtime
/// or link type, the name of a shipped design, a role, an allreduce convention, arrivals or batching in
/// words, "off" and "on" of a switch; else the id itself.
QString choiceName(const engine::Catalog& catalog, const std::string& path, const std::string& id);

} // namespace heteroscape::widgets
