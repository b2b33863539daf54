// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/picture.h"

#include "engine/base/file.h"
#include "widgets/theme/theme.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>

#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kPictureMmPerInch = 25.4;
constexpr double kPictureDpi = 96.0; // of the layout's px: 9 pt = 12 px

} // namespace

double pictureWidth(double widthMm) {
    return std::round(widthMm / kPictureMmPerInch * kPictureDpi);
}

QByteArray renderPicture(ImageFormat format, const ImageSize& size, const QString& title, QSize logical,
                         const std::function<void(QPainter&)>& paint) {
    const auto draw = [&](QPaintDevice& device) {
        QPainter painter(&device);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setWindow(QRect(QPoint(), logical));
        painter.fillRect(QRect(QPoint(), logical), Theme::lightColor(ColorRole::Surface));
        paint(painter);
    };
    if (format != ImageFormat::Png)
        return vectorPicture(format, title, logical, QSizeF(logical) / kPictureDpi * kPictureMmPerInch, draw);
    QImage image((QSizeF(logical) * size.dpi / kPictureDpi).toSize(), QImage::Format_RGB32);
    const int dotsPerMeter = static_cast<int>(std::lround(size.dpi / kPictureMmPerInch * 1000));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    draw(image);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

void writePicture(const QString& path, const QByteArray& bytes) {
    engine::writeFileAtomically(path.toStdString(),
                                {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

} // namespace heteroscape::widgets
