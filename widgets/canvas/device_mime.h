// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"

#include <QString>

#include <memory>

class QMimeData;

namespace heteroscape::widgets {

/// What is dragged from the palette: {"device":"<catalogue id>"} under this type, and nothing else.
inline constexpr auto kDeviceMimeType = "application/x-heteroscape.device;version=1";

std::unique_ptr<QMimeData> encodeDevice(const std::string& deviceId);

/// The catalogue's device that the data names, or null and, in `reason`, one line that says why it is
/// refused. Strict: the exact type, one JSON object of at most 256 bytes with the one key "device", an id of
/// the catalogue.
const engine::Device* decodeDevice(const QMimeData& data, const engine::Catalog& catalog,
                                   QString* reason = nullptr);

} // namespace heteroscape::widgets
