// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/device_mime.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr qsizetype kMaxBytes = 256;

QString text(const char* message) {
    return QCoreApplication::translate("DeviceMime", message);
}

/// The id inside the payload, empty when the payload is not exactly of its form.
std::string deviceIdOf(const QByteArray& payload) {
    if (payload.size() > kMaxBytes)
        return {};
    const auto object = QJsonDocument::fromJson(payload).object();
    if (object.size() != 1 || !object.value(QLatin1String("device")).isString())
        return {};
    return object.value(QLatin1String("device")).toString().toStdString();
}

} // namespace

std::unique_ptr<QMimeData> encodeDevice(const std::string& deviceId) {
    auto data = std::make_unique<QMimeData>();
    const QJsonObject object{{QStringLiteral("device"), QString::fromStdString(deviceId)}};
    data->setData(QLatin1String(kDeviceMimeType), QJsonDocument(object).toJson(QJsonDocument::Compact));
    return data;
}

const engine::Device* decodeDevice(const QMimeData& data, const engine::Catalog& catalog, QString* reason) {
    const auto refuse = [reason](const QString& why) -> const engine::Device* {
        if (reason)
            *reason = why;
        return nullptr;
    };
    if (!data.hasFormat(QLatin1String(kDeviceMimeType)))
        return refuse(
            text("Only devices of the palette can be dropped here. Drag one from the list on the left."));
    const auto id = deviceIdOf(data.data(QLatin1String(kDeviceMimeType)));
    if (id.empty())
        return refuse(text("The dragged device cannot be read. Drag it from this window's palette."));
    const auto found = std::find_if(catalog.devices.begin(), catalog.devices.end(),
                                    [&id](const auto& device) { return device.id == id; });
    if (found == catalog.devices.end())
        return refuse(text("The catalogue has no device \"%1\". Drag one from this window's palette.")
                          .arg(QString::fromStdString(id).left(80)));
    return &*found;
}

} // namespace heteroscape::widgets
