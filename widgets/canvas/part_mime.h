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

/// What a palette offers. Group: devices that are placed linked. Layout: how a node's devices hold the model.
enum class PartKind { Group, Device, Model, Workload, Runtime, Technique, Layout, Preset };
inline constexpr std::size_t kPartKinds = 8;

/// What is said of a kind; texts in English, to be translated in the context
/// "heteroscape::widgets::PartKind".
struct PartKindWords {
    const char* key;     ///< "device": in what is dragged and in the settings
    const char* icon;    ///< of its rows in the palette; devices have one by their own kind
    const char* use;     ///< "Place on the canvas"
    const char* command; ///< "Place %1"
    bool isPlaced;       ///< becomes cards
    bool hasEditor;
};
const PartKindWords& partKindWords(PartKind kind);
QString partKindText(const char* english); ///< `use` or `command`, translated

/// One thing of the palette, as it is dragged: a kind and an id of the catalogue.
struct PartRef {
    PartKind kind = PartKind::Device;
    std::string id;
    bool operator==(const PartRef&) const = default;
};

/// What is dragged: {"device": "<catalogue id>"} under "application/x-heteroscape.device;version=1", and the
/// like for the other kinds; nothing else.
QString partMimeType(PartKind kind);

/// One replica over all devices of a node, or one on each.
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
