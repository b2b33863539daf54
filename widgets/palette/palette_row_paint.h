// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/palette/palette_rows.h"

#include <QRect>
#include <QStyle>

class QPainter;

namespace heteroscape::widgets {

constexpr int kPaletteTile = 28; ///< side of a row's icon tile

/// How a row is shown just now.
struct PaletteRowLook {
    bool compact = false;
    bool first = false;       ///< the topmost row
    bool starHovered = false; ///< the pointer is on the star
    QStyle::State state;
    double devicePixelRatio = 1.0;
};

int paletteRowHeight(const PaletteRow& row, bool compact);
QRect paletteStarRect(const QRect& rect); ///< where the star of a row stands
void paintPaletteTile(QPainter& painter, const QRect& tile, const PaletteRow& row, double devicePixelRatio);
void paintPaletteRow(QPainter& painter, const QRect& rect, const PaletteRow& row, const PaletteRowLook& look);

} // namespace heteroscape::widgets
