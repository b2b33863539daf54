// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <vector>

class QAbstractItemModel;
class QComboBox;
class QMimeData;
class QTableView;
class QWidget;

namespace heteroscape::widgets {

class TextLabel;

/// A tile with a heading, a note beside it (may be null), tools at the right and what it is about.
QWidget* measuredTile(const QString& heading, TextLabel* note, const std::vector<QWidget*>& tools,
                      QWidget* content);

/// A table of whole rows as the tiles have them.
QTableView* measuredTable(QAbstractItemModel* model, const QString& name);

/// All keys that rows are told apart by, in their order.
QComboBox* measuredKeyCombo(const QString& accessibleName);

/// The one CSV on this machine that is dragged; empty: it is none.
QString droppedCsv(const QMimeData* data);

/// Asks for a CSV without blocking; `take` is called when one was chosen.
void askMeasuredCsv(QWidget* parent, const std::function<void(const QString& path)>& take);

} // namespace heteroscape::widgets
