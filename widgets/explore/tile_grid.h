// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QGridLayout;

namespace heteroscape::widgets {

/// Tiles side by side: one, two, a large one with two beside it, else rows of two (four) or three. One of
/// them may fill the whole. Owns its tiles.
class TileGrid : public QWidget {
    Q_OBJECT
public:
    static constexpr std::size_t kMost = 6;

    explicit TileGrid(int gutter, QWidget* parent = nullptr);

    void add(QWidget* tile, std::size_t place);
    void take(QWidget* tile); ///< hides and deletes it later
    const std::vector<QWidget*>& tiles() const { return m_tiles; }
    bool isFull() const { return m_tiles.size() >= kMost; }

    void maximise(QWidget* tile); ///< null: all are shown again
    QWidget* maximised() const { return m_maximised; }

signals:
    void maximisedChanged();

private:
    void arrange();

    std::vector<QWidget*> m_tiles;
    QWidget* m_maximised = nullptr;
    QGridLayout* m_grid;
};

} // namespace heteroscape::widgets
