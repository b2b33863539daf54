// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/picture.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/catalog/named.h"

#include <QFileInfo>

#include <algorithm>

namespace heteroscape::widgets {

void writePicture(const Picture& picture, const QString& path, const ImageSize& size) {
    if (QFileInfo(path).suffix().toLower() == QLatin1String("csv")) {
        exportText(picture.csv(), path);
        return;
    }
    const auto bytes = picture.render(imageFormatOf(path), size);
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

Picture chartPicture(const QString& id, const QString& title, Chart chart) {
    const auto shared = std::make_shared<const Chart>(std::move(chart));
    return {
        id, title,
        [shared](ImageFormat format, const ImageSize& size) { return renderChart(*shared, format, size); },
        [shared] { return chartCsv(*shared); }};
}

const Picture& findPicture(const std::vector<Picture>& pictures, const QString& id,
                           const std::string& where) {
    const auto found =
        std::find_if(pictures.begin(), pictures.end(), [&](const auto& one) { return one.id == id; });
    if (found != pictures.end())
        return *found;
    std::vector<std::string> ids;
    ids.reserve(pictures.size());
    for (const auto& one : pictures)
        ids.push_back(one.id.toStdString());
    throw engine::Error(engine::ErrorCode::NotFound, where,
                        "there is no plot \"" + id.toStdString().substr(0, 80) + "\"",
                        "There are: " + engine::joined(ids));
}

} // namespace heteroscape::widgets
