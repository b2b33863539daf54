// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QWidget>

namespace heteroscape::widgets {

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
