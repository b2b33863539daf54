// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme_icons.h"

#include "engine/plotting/label_placement.h"
#include "widgets/theme/theme.h"
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>
#include <QtMath>
#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

namespace {

/// The stroke is 1.5 logical px from 18 px up and thins in proportion below, as a fixed share of the grid.
QByteArray strokeWidth(double logicalSize) {
    const auto width = logicalSize < 18.0 ? 1.5 * 20.0 / 18.0 : 1.5 * 20.0 / logicalSize;
    return QByteArray::number(width, 'f', 3);
}

QByteArray iconSource(const QString& name) {
    static QHash<QString, QByteArray> sources;
    const auto known = sources.constFind(name);
    if (known != sources.constEnd())
        return *known;
    QFile file(QStringLiteral(":/heteroscape/icons/%1.svg").arg(name));
    QByteArray source;
    if (file.open(QIODevice::ReadOnly))
        source = file.readAll();
    else
        qWarning("No icon \"%s\" in the resources", qUtf8Printable(name));
    return *sources.insert(name, source);
}

QPixmap render(const QString& name, const QColor& color, QSize pixels, double scale) {
    using Key = QPair<QString, QPair<QRgb, QPair<int, int>>>;
    static QHash<Key, QPixmap> cache;
    const auto side = qMin(pixels.width(), pixels.height());
    const auto stroke = strokeWidth(side / scale);
    const auto& theme = Theme::instance();
    const auto logo = name == QLatin1String("logo");
    const Key key{
        name + QLatin1String(stroke),
        {logo ? theme.color(ColorRole::Accent).rgba() : color.rgba(), {pixels.width(), pixels.height()}}};
    if (const auto known = cache.constFind(key); known != cache.constEnd())
        return *known;

    auto source = iconSource(name);
    if (source.isEmpty() || side <= 0)
        return {};
    source.replace("currentColor", color.name().toLatin1());
    source.replace("stroke-width=\"1.5\"", "stroke-width=\"" + stroke + '"');
    if (logo) {
        source.replace("logoPeak", theme.color(ColorRole::Accent).name().toLatin1());
        source.replace("logoDevice", theme.series(4).name().toLatin1());
        source.replace("logoOptimum", theme.series(2).name().toLatin1());
    }
    QPixmap pixmap(pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setOpacity(color.alphaF());
    const QRectF square((pixels.width() - side) / 2.0, (pixels.height() - side) / 2.0, side, side);
    QSvgRenderer(source).render(&painter, square);
    painter.end();
    cache.insert(key, pixmap);
    return pixmap;
}

} // namespace

QColor ThemeIconEngine::color(QIcon::Mode mode, QIcon::State state) const {
    const auto& theme = Theme::instance();
    if (mode == QIcon::Disabled)
        return theme.color(ColorRole::BorderControl);
    const auto plain = m_role == ColorRole::Text2 || m_role == ColorRole::Muted || m_role == ColorRole::Text;
    return theme.color(state == QIcon::On && plain ? ColorRole::Accent : m_role);
}

void ThemeIconEngine::paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) {
    const auto ratio = painter->device() ? painter->device()->devicePixelRatioF() : 1.0;
    painter->drawPixmap(rect,
                        render(m_name, color(mode, state), (QSizeF(rect.size()) * ratio).toSize(), ratio));
}

QPixmap ThemeIconEngine::pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) {
    return render(m_name, color(mode, state), size, 1.0);
}

QPixmap ThemeIconEngine::scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) {
    return render(m_name, color(mode, state), size, scale);
}

QPixmap Theme::pixmap(const QString& name, const QColor& color, int size, double devicePixelRatio) const {
    const auto pixels = qCeil(size * devicePixelRatio);
    auto pixmap = render(name, color, QSize(pixels, pixels), devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

QIcon Theme::icon(const QString& name, ColorRole role) const {
    return QIcon(new ThemeIconEngine(name, role));
}

QPixmap Theme::provenanceMark(engine::Provenance provenance, double devicePixelRatio) const {
    constexpr double size = 11.0;
    const auto pixels = qCeil(size * devicePixelRatio);
    QPixmap pixmap(pixels, pixels);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(size / 12.0, size / 12.0); // drawn on a grid of 12
    const QPointF middle(6.0, 6.0);
    constexpr double radius = 4.2;
    const QRectF circle(middle.x() - radius, middle.y() - radius, 2 * radius, 2 * radius);
    painter.setPen(Qt::NoPen);
    switch (provenance) {
    case engine::Provenance::Datasheet:
        painter.setBrush(series(0));
        painter.drawEllipse(circle);
        break;
    case engine::Provenance::Paper:
        painter.setBrush(series(3));
        painter.drawPolygon(QPolygonF({{6, 0.8}, {11.2, 6}, {6, 11.2}, {0.8, 6}}));
        break;
    case engine::Provenance::Calibrated: {
        const auto hue = kind(engine::DeviceKind::Gpu);
        painter.setBrush(hue);
        painter.drawPie(circle, -90 * 16, 180 * 16);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(hue, 1.5));
        painter.drawEllipse(circle);
        break;
    }
    case engine::Provenance::Assumed: {
        QPen pen(color(ColorRole::Warning), 1.5);
        pen.setDashPattern({2.2 / 1.5, 1.0});
        pen.setCapStyle(Qt::FlatCap);
        painter.setPen(pen);
        painter.drawEllipse(circle);
        break;
    }
    case engine::Provenance::User:
        painter.setBrush(color(ColorRole::Text2));
        painter.drawRoundedRect(QRectF(2, 2, 8, 8), 1, 1);
        break;
    }
    return pixmap;
}

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
