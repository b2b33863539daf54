// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart_export.h"

#include <functional>

class QPainter;

namespace heteroscape::widgets {

/// A picture of `logical` px (96 a inch) as a file's bytes: `paint` draws it on white. UI thread.
QByteArray renderPicture(ImageFormat format, const ImageSize& size, const QString& title, QSize logical,
                         const std::function<void(QPainter&)>& paint);
/// The width that a picture so many mm wide is laid out for, logical px.
double pictureWidth(double widthMm);
/// A picture's bytes into a file, replaced atomically. Throws Error (Io) naming the path.
void writePicture(const QString& path, const QByteArray& bytes);

} // namespace heteroscape::widgets
