// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <QModelIndex>

#include <functional>
#include <optional>
#include <string>

class QAbstractItemView;

namespace heteroscape::widgets {

/// A quantity of a design that can be explained.
struct ExplainTarget {
    engine::Scenario scenario;
    std::string metric; ///< key of a metric
};

/// What a cell shows; nothing where it is no such quantity.
using ExplainCell = std::function<std::optional<ExplainTarget>(const QModelIndex&)>;

/// Lets the quantities of a table or list explain themselves: key E on the current cell, and "How it comes
/// about" in its context menu; with `enter`, the keys Enter and a double click too. `cell` is called as long
/// as the view lives. UI thread.
void explainCells(QAbstractItemView* view, ExplainCell cell, bool enter);

} // namespace heteroscape::widgets
