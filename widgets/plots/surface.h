// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QLabel>
#include <QString>
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

/// A label in a text size and colour role that follows the theme.
class RoleLabel : public QLabel {
    Q_OBJECT
public:
    RoleLabel(const QString& text, TextSize size, ColorRole role, QFont::Weight weight = QFont::Normal,
              QWidget* parent = nullptr);
    void setRole(ColorRole role);

private:
    void restyle();
    ColorRole m_role;
};

} // namespace heteroscape::widgets
