// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHBoxLayout>
#include <QMargins>
#include <QVBoxLayout>

namespace heteroscape::widgets {

/// The layout of a widget: from top to bottom, with these margins and this gap, px.
inline QVBoxLayout* makeColumn(QWidget* parent, const QMargins& margins = {}, int gap = 0) {
    auto* column = new QVBoxLayout(parent);
    column->setContentsMargins(margins);
    column->setSpacing(gap);
    return column;
}

/// The same from left to right.
inline QHBoxLayout* makeRow(QWidget* parent, const QMargins& margins = {}, int gap = 0) {
    auto* row = new QHBoxLayout(parent);
    row->setContentsMargins(margins);
    row->setSpacing(gap);
    return row;
}

} // namespace heteroscape::widgets
