// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/tile_grid.h"

#include <QGridLayout>

#include <algorithm>

namespace heteroscape::widgets {

namespace {
constexpr int kColumns = 6; // two and three tiles in a row divide it
} // namespace

TileGrid::TileGrid(int gutter, QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(gutter);
    for (int column = 0; column < kColumns; ++column)
        m_grid->setColumnStretch(column, 1);
}

void TileGrid::add(QWidget* tile, std::size_t place) {
    m_tiles.insert(m_tiles.begin() + static_cast<std::ptrdiff_t>(std::min(place, m_tiles.size())), tile);
    m_maximised = nullptr;
    arrange();
    emit maximisedChanged();
}

void TileGrid::take(QWidget* tile) {
    std::erase(m_tiles, tile);
    if (m_maximised == tile)
        m_maximised = nullptr;
    m_grid->removeWidget(tile);
    tile->hide();
    tile->deleteLater();
    arrange();
    emit maximisedChanged();
}

void TileGrid::maximise(QWidget* tile) {
    m_maximised = tile;
    arrange();
    emit maximisedChanged();
}

void TileGrid::arrange() {
    const auto count = static_cast<int>(m_tiles.size());
    for (int i = 0; i < count; ++i) {
        auto* tile = m_tiles[static_cast<std::size_t>(i)];
        m_grid->removeWidget(tile);
        if (m_maximised) {
            if (tile == m_maximised)
                m_grid->addWidget(tile, 0, 0, 2, kColumns);
        } else if (count == 1) {
            m_grid->addWidget(tile, 0, 0, 2, kColumns);
        } else if (count == 3) { // one to read, two beside it
            if (i == 0)
                m_grid->addWidget(tile, 0, 0, 2, kColumns / 2);
            else
                m_grid->addWidget(tile, i - 1, kColumns / 2, 1, kColumns / 2);
        } else {
            const int upper = count <= 4 ? 2 : 3, row = i / upper;
            const int perRow = row == 0 ? upper : count - upper, span = kColumns / perRow;
            m_grid->addWidget(tile, row, (i - row * upper) * span, count == 2 ? 2 : 1, span);
        }
        tile->setVisible(!m_maximised || tile == m_maximised);
    }
    m_grid->setRowStretch(0, 1);
    m_grid->setRowStretch(1, m_maximised || count < 3 ? 0 : 1);
}

} // namespace heteroscape::widgets

#include "moc_tile_grid.cpp"
