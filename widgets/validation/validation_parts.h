// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/csv_reader.h"

#include <QString>

#include <functional>
#include <vector>

class QComboBox;
class QWidget;

namespace heteroscape::widgets {

/// All keys that rows are told apart by, in their order.
QComboBox* measuredKeyCombo(const QString& accessibleName);

/// `take` gets the path of the one CSV on this machine that is dropped on a widget; all else is refused.
void takeDroppedCsv(QWidget* target, std::function<void(const QString& path)> take);

/// Asks for a CSV without blocking; `take` is called when one was chosen.
void askMeasuredCsv(QWidget* parent, const std::function<void(const QString& path)>& take);

/// "2 rows of mine.csv cannot be read and are left out, the first in line 7."
QString leftOutText(const QString& source, const std::vector<engine::UnreadRow>& rows);
/// Lists them, each with its line and why, without blocking.
void showLeftOut(QWidget* parent, const QString& source, const std::vector<engine::UnreadRow>& rows);

} // namespace heteroscape::widgets
