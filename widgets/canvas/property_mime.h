// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>

class QMimeData;

namespace heteroscape::widgets {

/// What is dragged of a property of the design: {"property": "<parameter path>"} under
/// "application/x-heteroscape.property;version=1"; nothing else.
QString propertyMimeType();

std::unique_ptr<QMimeData> encodeProperty(const std::string& path);

/// The dragged property's path, or nothing; then `reason` says in one line what is wrong and what to do.
/// Strict: another type, anything but one JSON object of at most 512 bytes with that one key, and a path that
/// the design does not have are all refused.
std::optional<std::string> decodeProperty(const QMimeData& data, const engine::Scenario& scenario,
                                          const engine::Catalog& catalog, QString* reason = nullptr);

} // namespace heteroscape::widgets
