// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/painted_icon.h"

#include "engine/plotting/label_placement.h"
#include "widgets/theme/theme.h"

#include <QIconEngine>
#include <QPainter>
#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

void paintTip(QPainter& painter, const QRectF& box, const QString& text, const QFont& font) {
    const auto& theme = Theme::instance();
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(ColorRole::Tooltip));
    painter.drawRoundedRect(box, 4, 4);
    painter.setFont(font);
    painter.setPen(theme.color(ColorRole::TooltipText));
    painter.drawText(box, Qt::AlignCenter, text);
}

void strokeHatch(QPainter& painter, const QRectF& area, const QPen& pen, double spacing) {
    painter.setPen(pen);
    for (const auto& s : engine::hatchLines({area.left(), area.top(), area.width(), area.height()}, spacing))
        painter.drawLine(QLineF(s.x1, s.y1, s.x2, s.y2));
}

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
