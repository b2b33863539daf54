// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QPushButton;
class QTableView;

namespace heteroscape::widgets {

class NoticeBar;

inline constexpr int kTileGutter = 10;

/// Columns as wide as they need, the first at most `first` px, the others at most `other`.
void fitColumns(QTableView* table, int first, int other);
/// Puts a text on the clipboard and says so.
QPushButton* copyButton(const QString& accessibleName, NoticeBar* notice, std::function<QString()> text);

} // namespace heteroscape::widgets
