// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCache>
#include <QPixmap>
#include <QPointF>

namespace heteroscape::widgets {

/// What cards look like, so that a pan or a drag beside them copies pixels. A picture is of use at the very
/// scale and place between pixels for which it was made: what is shown does not differ from painting anew.
/// Holds at most 64 MiB; what was not used for long goes first. UI thread.
class CardCache {
public:
    struct Picture {
        QPixmap pixmap;
        double scale = 1.0; ///< device px per scene px
        QPointF phase;      ///< of the card's corner between device pixels, 0..1
    };

    const Picture* find(const void* card, double scale, QPointF phase) const {
        const auto* found = m_pictures.object(card);
        return found && found->scale == scale && (found->phase - phase).manhattanLength() < 1e-3 ? found
                                                                                                 : nullptr;
    }
    /// Null when it is larger than all that may be kept.
    const Picture* insert(const void* card, Picture picture) {
        const auto bytes = qsizetype{picture.pixmap.width()} * picture.pixmap.height() * 4;
        return m_pictures.insert(card, new Picture(std::move(picture)), bytes) ? m_pictures.object(card)
                                                                               : nullptr;
    }
    void forget(const void* card) { m_pictures.remove(card); }
    void clear() { m_pictures.clear(); }

private:
    QCache<const void*, Picture> m_pictures{qsizetype{64} << 20};
};

} // namespace heteroscape::widgets
