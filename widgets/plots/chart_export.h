// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/chart.h"

#include <QByteArray>
#include <QSize>
#include <QString>
#include <functional>

class QPaintDevice;
class QPainter;

namespace heteroscape::widgets {

enum class ImageFormat { Png, Svg, Pdf };

/// The paper size of an exported figure.
struct ImageSize {
    double widthMm = 178.0; ///< presets: 85 (one column) and 178 (two columns)
    double heightMm = 0.0;  ///< 0: in proportion to the width
    double dpi = 300.0;     ///< PNG only
};

/// The format that a file's suffix (.png, .svg, .pdf) names; throws Error (InvalidInput) naming the path for
/// another.
ImageFormat imageFormatOf(const QString& path);

inline constexpr double kOneColumnMm = 85.0;
inline constexpr double kTwoColumnMm = 178.0;

/// A chart as a file's bytes: light palette on white, 9 pt type, no chrome, whatever is shown; SVG and PDF
/// keep text as text. Needs a QApplication, but no window. UI thread.
QByteArray renderChart(const Chart& chart, ImageFormat format, const ImageSize& size);

/// The same into a file, whose suffix (.png, .svg, .pdf) names the format; replaced atomically. Throws Error
/// (InvalidInput for another suffix, Io) naming the path.
void exportChart(const Chart& chart, const QString& path, const ImageSize& size = {});

/// An SVG or PDF of what `paint` draws: a page of `mm`, to be drawn in logical px (96 a inch) with the
/// painter's window at {0, 0, logical}. Needs a QApplication. UI thread.
QByteArray vectorPicture(ImageFormat format, const QString& title, QSize logical, QSizeF mm,
                         const std::function<void(QPaintDevice&)>& paint);

/// Text into a file, atomically. Throws Error (Io) naming the path.
void exportText(const QString& text, const QString& path);

/// A picture of `logical` px (96 a inch) as a file's bytes: `paint` draws it on white. UI thread.
QByteArray renderPicture(ImageFormat format, const ImageSize& size, const QString& title, QSize logical,
                         const std::function<void(QPainter&)>& paint);
/// The width that a picture so many mm wide is laid out for, logical px.
double pictureWidth(double widthMm);
/// A picture's bytes into a file, replaced atomically. Throws Error (Io) naming the path.
void writePicture(const QString& path, const QByteArray& bytes);

} // namespace heteroscape::widgets
