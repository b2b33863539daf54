// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_export.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <string>
#include <vector>

namespace heteroscape::widgets {

/// Something that can be drawn into a file without a window, and its numbers. UI thread, with a QApplication.
struct Picture {
    QString id;    ///< names it on the command line and in file names: "timeline-decode", "1"
    QString title; ///< "Decode step of 8 × Ascend 910B"
    std::function<QByteArray(ImageFormat, const ImageSize&)> render;
    std::function<QString()> csv;
};

/// Writes a picture, or its numbers where the suffix is .csv; replaced atomically. Throws Error (InvalidInput
/// for another suffix, Io) naming the path.
void writePicture(const Picture& picture, const QString& path, const ImageSize& size = {});

/// A chart as a picture.
Picture chartPicture(const QString& id, const QString& title, Chart chart);

/// The one of an id; throws Error (NotFound) naming `where` and the ids that there are.
const Picture& findPicture(const std::vector<Picture>& pictures, const QString& id, const std::string& where);

} // namespace heteroscape::widgets
