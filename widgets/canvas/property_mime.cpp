// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/property_mime.h"

#include "widgets/canvas/canvas_words.h"

#include "engine/base/error.h"
#include "engine/scenario/parameters.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>

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

} // namespace heteroscape::widgets
