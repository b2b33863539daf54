// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/painted_icon.h"

#include <QIconEngine>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

namespace {

using Paint = std::function<void(QPainter&, const QRectF&)>;

class PaintedIconEngine : public QIconEngine {
public:
    explicit PaintedIconEngine(Paint paint) : m_paint(std::move(paint)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override {
        const double side = std::min(rect.width(), rect.height());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        m_paint(*painter, QRectF(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2,
                                 side, side));
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, pixmap.rect(), mode, state);
        return pixmap;
    }
    /// On a finer screen what is painted in logical px is as large as elsewhere.
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.scale(scale, scale);
        paint(&painter, QRect(QPoint(), (QSizeF(size) / scale).toSize()), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new PaintedIconEngine(m_paint); }

private:
    Paint m_paint;
};

} // namespace

QIcon paintedIcon(Paint paint) {
    return QIcon(new PaintedIconEngine(std::move(paint)));
}

} // namespace heteroscape::widgets
