// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compared_designs.h"

#include <QString>

#include <functional>
#include <vector>

class QPushButton;
class QTableView;

namespace heteroscape::widgets {

class NoticeBar;

inline constexpr int kTileGutter = 10;
inline constexpr int kLeastNameWidth = 110; ///< px, of a design's name above its column

/// Columns as wide as they need, the first at most `first` px, the others at most `other`.
void fitColumns(QTableView* table, int first, int other);
/// The same, and what room is left goes to these columns, until their heads are `names` wide. Returns how
/// wide a name may be above each of them.
int fitNames(QTableView* table, int first, int other, const std::vector<int>& columns, int names);
/// How wide the longest name is above its column.
int longestName(const ComparedDesigns& designs);
/// A name cut in its middle: designs that are named alike differ at the end.
QString cutName(const QString& name, int width);
/// Puts a text on the clipboard and says so.
QPushButton* copyButton(const QString& accessibleName, NoticeBar* notice, std::function<QString()> text);

} // namespace heteroscape::widgets
