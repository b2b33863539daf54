// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/part_mime.h"

#include "engine/base/error.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/technique.h"
#include "widgets/canvas/canvas_metrics.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <algorithm>
#include <array>

namespace heteroscape::widgets {

namespace {

constexpr qsizetype kMaxPropertyBytes = 512;
const QString kKey = QStringLiteral("property");

} // namespace

QString propertyMimeType() {
    return QStringLiteral("application/x-heteroscape.property;version=1");
}

std::unique_ptr<QMimeData> encodeProperty(const std::string& path) {
    auto data = std::make_unique<QMimeData>();
    const QJsonObject object{{kKey, QString::fromStdString(path)}};
    data->setData(propertyMimeType(), QJsonDocument(object).toJson(QJsonDocument::Compact));
    return data;
}

std::optional<std::string> decodeProperty(const QMimeData& data, const engine::Scenario& scenario,
                                          const engine::Catalog& catalog, QString* reason) {
    const auto refuse = [reason](const QString& why) -> std::optional<std::string> {
        if (reason)
            *reason = why;
        return std::nullopt;
    };
    if (!data.hasFormat(propertyMimeType()))
        return refuse(tr("Only properties of the design can be dropped here. Drag one from the inspector."));
    const auto payload = data.data(propertyMimeType());
    const auto object =
        payload.size() > kMaxPropertyBytes ? QJsonObject() : QJsonDocument::fromJson(payload).object();
    if (object.size() != 1 || !object.value(kKey).isString())
        return refuse(tr("The dragged property cannot be read. Drag it from this window's inspector."));
    auto path = object.value(kKey).toString().toStdString();
    try {
        engine::findParameter(scenario, catalog, path);
    } catch (const engine::Error&) {
        return refuse(tr("This design has no \"%1\". Drag a property of this window's inspector.")
                          .arg(QString::fromStdString(path).left(80)));
    }
    return path;
}

namespace {

constexpr qsizetype kMaxBytes = 256;
constexpr auto kContext = "heteroscape::widgets::PartKind";

#define WORDS(text) QT_TRANSLATE_NOOP("heteroscape::widgets::PartKind", text)
constexpr std::array<PartKindWords, kPartKinds> kWords{{
    {"group", "grid", WORDS("Place on the canvas"), WORDS("Place %1"), true, false},
    {"device", "gpu", WORDS("Place on the canvas"), WORDS("Place %1"), true, true},
    {"model", "book", WORDS("Serve it"), WORDS("Serve %1"), false, false},
    {"workload", "table", WORDS("Serve it"), WORDS("Serve %1"), false, true},
    {"runtime", "play", WORDS("Give to the selected nodes"), WORDS("Run %1"), false, false},
    {"technique", "bulb", WORDS("Switch on or off"), WORDS("Switch %1"), false, false},
    {"layout", "grid", WORDS("Give to the selected nodes"), WORDS("Lay out: %1"), false, false},
    {"preset", "design", WORDS("Open"), WORDS("Open %1"), false, false},
}};
#undef WORDS

QString nameOf(PartKind kind) {
    return QLatin1String(partKindWords(kind).key);
}

/// The id inside the payload, empty when the payload is not exactly of its form.
std::string idOf(const QByteArray& payload, const QString& key) {
    if (payload.size() > kMaxBytes)
        return {};
    const auto object = QJsonDocument::fromJson(payload).object();
    if (object.size() != 1 || !object.value(key).isString())
        return {};
    return object.value(key).toString().toStdString();
}

template <class Parts>
bool has(const Parts& parts, const std::string& id) {
    return std::any_of(parts.begin(), parts.end(), [&](const auto& part) { return part.id == id; });
}

bool isKnown(const PartRef& part, const engine::Catalog& catalog) {
    switch (part.kind) {
    case PartKind::Group:
        return std::find(catalog.groups.begin(), catalog.groups.end(), part.id) != catalog.groups.end();
    case PartKind::Device:
        return has(catalog.devices, part.id);
    case PartKind::Model:
        return has(catalog.models, part.id);
    case PartKind::Workload:
        return has(catalog.workloads, part.id);
    case PartKind::Runtime:
        return catalog.findRuntime(part.id) != nullptr;
    case PartKind::Technique:
        return engine::techniqueKinds().find(part.id) != nullptr;
    case PartKind::Layout:
        return part.id == kTensorParallel || part.id == kReplicated;
    case PartKind::Preset:
        break;
    }
    return !part.id.empty();
}

} // namespace

const PartKindWords& partKindWords(PartKind kind) {
    return kWords[static_cast<std::size_t>(kind)];
}

QString partKindText(const char* english) {
    return QCoreApplication::translate(kContext, english);
}

QString partMimeType(PartKind kind) {
    return QStringLiteral("application/x-heteroscape.%1;version=1").arg(nameOf(kind));
}

std::unique_ptr<QMimeData> encodePart(const PartRef& part) {
    auto data = std::make_unique<QMimeData>();
    const QJsonObject object{{nameOf(part.kind), QString::fromStdString(part.id)}};
    data->setData(partMimeType(part.kind), QJsonDocument(object).toJson(QJsonDocument::Compact));
    return data;
}

std::optional<PartRef> decodePart(const QMimeData& data, const engine::Catalog& catalog, QString* reason) {
    const auto refuse = [reason](const QString& why) -> std::optional<PartRef> {
        if (reason)
            *reason = why;
        return std::nullopt;
    };
    std::size_t kind = 0;
    while (kind < kPartKinds && !data.hasFormat(partMimeType(static_cast<PartKind>(kind))))
        ++kind;
    if (kind == kPartKinds)
        return refuse(
            tr("Only parts of the palette can be dropped here. Drag one from the list on the left."));
    PartRef part{static_cast<PartKind>(kind), {}};
    part.id = idOf(data.data(partMimeType(part.kind)), nameOf(part.kind));
    if (part.id.empty())
        return refuse(
            tr("The dragged %1 cannot be read. Drag it from this window's palette.").arg(nameOf(part.kind)));
    if (!isKnown(part, catalog))
        return refuse(tr("The catalogue has no %1 \"%2\". Drag one from this window's palette.")
                          .arg(nameOf(part.kind), QString::fromStdString(part.id).left(80)));
    return part;
}

const engine::Device* findDevice(const engine::Catalog& catalog, const std::string& id) {
    const auto found = std::find_if(catalog.devices.begin(), catalog.devices.end(),
                                    [&id](const auto& device) { return device.id == id; });
    return found == catalog.devices.end() ? nullptr : &*found;
}

} // namespace heteroscape::widgets
