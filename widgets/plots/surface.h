// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QString>
#include <QWidget>
#include <vector>

class QAbstractItemModel;
class QScrollArea;
class QTableView;

namespace heteroscape::widgets {

/// Content that scrolls up and down in as much room as there is, without a frame and a focus of its own.
QScrollArea* scrolled(QWidget* content, QWidget* parent = nullptr);

/// The field within the content of a scroll area that has the keyboard; null when it cannot be seen.
QWidget* fieldInSight(const QWidget* content);

/// Lays such content out after parts of it came or grew, at once, and keeps a field of it in sight.
void layOutScrolled(QWidget* content, QWidget* field);

class TextLabel;

inline constexpr int kTileRow = 25; ///< px, of a table in a tile

/// A tile: heading, a note beside it (may be null), what stands at the right of them, and its content.
QWidget* headedTile(const QString& heading, TextLabel* note, const std::vector<QWidget*>& tools,
                    QWidget* content);
/// A table within a tile, at least so many rows high.
QTableView* tileTable(QAbstractItemModel* model, const QString& name, int leastRows);

/// A widget filled with a colour role; with a border and rounded corners it is a tile. Follows the theme.
class Surface : public QWidget {
    Q_OBJECT
public:
    explicit Surface(ColorRole fill, bool tile, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ColorRole m_fill;
    bool m_tile;
};

} // namespace heteroscape::widgets
