// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <QString>

#include <functional>

class QMenu;

namespace heteroscape::widgets {

class Document;

using TakeDesign = std::function<void(const QString& name, const engine::Scenario& design)>;

/// Entries of a menu that offers designs: the open one as it is now, then what is pinned. None of the open
/// one while it is empty.
void addOpenDesigns(QMenu* menu, Document* document, const TakeDesign& take);

/// The presets, each with what it is about; `take` gets the id.
void addPresets(QMenu* menu, const engine::Catalog& catalog,
                const std::function<void(const std::string&)>& take);

} // namespace heteroscape::widgets
