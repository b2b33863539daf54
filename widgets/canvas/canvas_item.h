// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QGraphicsItem>
#include <QPainter>
#include <QPixmap>
#include <QPointF>
#include <cmath>

namespace heteroscape::widgets {

/// What items look like, so that a pan or a drag beside them copies pixels. A picture is of use at the very
/// scale and place between pixels for which it was made: what is shown does not differ from painting anew.
/// Holds at most 64 MiB; what was not used for long goes first. UI thread.
class CardCache {
public:
    /// While the zoom glides over many items, pictures of another scale are stretched instead of painted
    /// anew.
    void setGliding(bool gliding) { m_gliding = gliding; }
    void forget(const void* item) { m_pictures.remove(item); }
    void clear() { m_pictures.clear(); }

    /// Shows an item whose coordinates the painter has now, from its picture, which `paintItem(QPainter&)`
    /// makes where it is missing. False, and nothing is done, when no picture can be used: a turned painter,
    /// or an item of more than kLargest device pixels.
    template <class Paint>
    bool paint(QPainter& painter, const void* item, const QRectF& bounds, double devicePixelRatio,
               Paint paintItem) {
        const auto world = painter.worldTransform();
        if (world.type() > QTransform::TxScale || world.m11() != world.m22())
            return false;
        const auto scale = world.m11() * devicePixelRatio;
        if (bounds.width() * bounds.height() * scale * scale > kLargest)
            return false;
        const auto corner = world.map(bounds.topLeft()) * devicePixelRatio;
        const QPointF pixel(std::floor(corner.x()), std::floor(corner.y()));
        const auto phase = corner - pixel;
        const auto* picture = m_pictures.object(item);
        const bool fits = picture && picture->bounds == bounds && picture->ratio == devicePixelRatio;
        const bool exact =
            fits && picture->scale == scale && (picture->phase - phase).manhattanLength() < 1e-3;
        if (fits && !exact && m_gliding) {
            // The picture begins its phase before the bounds.
            painter.setRenderHint(QPainter::SmoothPixmapTransform);
            painter.drawPixmap(
                QRectF(bounds.topLeft() - picture->phase / picture->scale,
                       QSizeF(picture->pixmap.width(), picture->pixmap.height()) / picture->scale),
                picture->pixmap, QRectF(picture->pixmap.rect()));
            painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
            return true;
        }
        if (!exact)
            picture = insert(item, bounds, scale, phase, devicePixelRatio, paintItem);
        painter.setWorldTransform({});
        painter.drawPixmap(pixel / devicePixelRatio, picture->pixmap);
        painter.setWorldTransform(world);
        return true;
    }

private:
    static constexpr double kLargest = 2e6; ///< a picture of 8 MB, so that several fit

    struct Picture {
        QPixmap pixmap;
        QRectF bounds;
        double scale = 1.0; ///< device px per scene px
        QPointF phase;      ///< of the corner between device pixels, 0..1
        double ratio = 1.0;
    };

    template <class Paint>
    const Picture* insert(const void* item, const QRectF& bounds, double scale, QPointF phase, double ratio,
                          Paint paintItem) {
        const auto size = bounds.size() * scale;
        QPixmap pixmap(static_cast<int>(std::ceil(size.width() + phase.x())) + 1,
                       static_cast<int>(std::ceil(size.height() + phase.y())) + 1);
        pixmap.fill(Qt::transparent);
        pixmap.setDevicePixelRatio(ratio); // icons are drawn for it
        QPainter into(&pixmap);
        into.translate(phase / ratio);
        into.scale(scale / ratio, scale / ratio);
        into.translate(-bounds.topLeft());
        paintItem(into);
        into.end();
        const auto bytes = qsizetype{pixmap.width()} * pixmap.height() * 4;
        m_pictures.insert(item, new Picture{std::move(pixmap), bounds, scale, phase, ratio}, bytes);
        return m_pictures.object(item);
    }

    QCache<const void*, Picture> m_pictures{qsizetype{64} << 20};
    bool m_gliding = false;
};

class CanvasScene;

/// What stands on the canvas and can be selected and hovered, which is shown at once. The scene may keep a
/// picture of it.
class CanvasItem : public QGraphicsItem {
public:
    explicit CanvasItem(CanvasScene& scene) : m_scene(scene) {}
    ~CanvasItem() override;

    void setSelected(bool selected) { put(selectedMark(), selected); }
    void setHovered(bool hovered);
    void repaint(); ///< what it looked like is of no use any more

protected:
    void put(bool& held, bool now); ///< repaints where that is new
    virtual bool& selectedMark() { return m_selected; }

    CanvasScene& m_scene;
    bool m_selected = false;
    bool m_hovered = false;
};

/// One of a kind that qgraphicsitem_cast tells from the others.
template <int kind>
class CanvasItemOfKind : public CanvasItem {
public:
    using CanvasItem::CanvasItem;
    enum { Type = UserType + kind };
    int type() const override { return Type; }
};

} // namespace heteroscape::widgets
