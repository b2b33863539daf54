// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

class QAbstractItemModel;
class QTableView;
class QWidget;

namespace heteroscape::widgets {

class TextLabel;

inline constexpr int kTileRow = 25; ///< px, of a table in a tile

/// A tile: heading, a note beside it (may be null), what stands at the right of them, and its content.
QWidget* headedTile(const QString& heading, TextLabel* note, const std::vector<QWidget*>& tools,
                    QWidget* content);
/// A table within a tile, at least so many rows high.
QTableView* tileTable(QAbstractItemModel* model, const QString& name, int leastRows);

} // namespace heteroscape::widgets
