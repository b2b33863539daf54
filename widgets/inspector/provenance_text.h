// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"

#include <QString>

namespace heteroscape::widgets {

/// "Datasheet value", "Paper value", ...: the kind of a quantity's source in words.
QString provenanceLabel(engine::Provenance provenance);

/// The tool tip of a quantity: its exact value, the kind and name of its source, what it is, what is allowed.
QString quantityToolTip(const engine::FieldSpec& spec, const engine::Quantity& quantity);

} // namespace heteroscape::widgets
