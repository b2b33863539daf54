// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>

class QComboBox;
class QMimeData;
class QWidget;

namespace heteroscape::widgets {

/// All keys that rows are told apart by, in their order.
QComboBox* measuredKeyCombo(const QString& accessibleName);

/// The one CSV on this machine that is dragged; empty: it is none.
QString droppedCsv(const QMimeData* data);

/// Asks for a CSV without blocking; `take` is called when one was chosen.
void askMeasuredCsv(QWidget* parent, const std::function<void(const QString& path)>& take);

} // namespace heteroscape::widgets
