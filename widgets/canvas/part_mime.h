// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"

#include <QString>

#include <memory>
#include <optional>
#include <string>

class QMimeData;

namespace heteroscape::widgets {

/// What a palette offers. Layout: how a node's devices hold the model, see layoutIds().
enum class PartKind { Device, Model, Workload, Runtime, Technique, Layout, Preset };

/// One thing of the palette, as it is dragged: a kind and an id of the catalogue.
struct PartRef {
    PartKind kind = PartKind::Device;
    std::string id;
    bool operator==(const PartRef&) const = default;
};

/// What is dragged: {"device": "<catalogue id>"} under "application/x-heteroscape.device;version=1", and the
/// like for the other kinds; nothing else.
QString partMimeType(PartKind kind);

/// One copy of the model over all devices of a node, or one on each.
inline constexpr const char* kTensorParallel = "tensor_parallel";
inline constexpr const char* kReplicated = "replicated";

std::unique_ptr<QMimeData> encodePart(const PartRef& part);

/// The dragged part, or nothing; then `reason` says in one line what is wrong and what to do. Strict: another
/// type, anything but one JSON object of at most 256 bytes with that one key, and an id that the catalogue
/// does not have are all refused. Presets are not looked up.
std::optional<PartRef> decodePart(const QMimeData& data, const engine::Catalog& catalog,
                                  QString* reason = nullptr);

/// The catalogue's device of that id; null when there is none.
const engine::Device* findDevice(const engine::Catalog& catalog, const std::string& id);

} // namespace heteroscape::widgets
