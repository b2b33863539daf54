// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <vector>

class QAbstractTableModel;
class QPushButton;
class QTableView;
class QWidget;

namespace heteroscape::widgets {

class NoticeBar;
class TextLabel;

inline constexpr int kTileGutter = 10;
inline constexpr int kTileRow = 25;

/// A tile: heading, a note (or none), what stands at the right of the heading, and its content.
QWidget* makeTile(const QString& heading, TextLabel* note, const std::vector<QWidget*>& tools,
                  QWidget* content);
/// A table within a tile.
QTableView* makeTileTable(QAbstractTableModel* model, const QString& name);
/// Columns as wide as they need, the first at most `first` px, the others at most `other`.
void fitColumns(QTableView* table, int first, int other);
/// Puts a text on the clipboard and says so.
QPushButton* copyButton(const QString& accessibleName, NoticeBar* notice, std::function<QString()> text);

} // namespace heteroscape::widgets
