// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QLabel>

namespace heteroscape::widgets {

/// A label in a size of the type scale and a colour role; follows the theme. With elision it may be narrower
/// than its text, shows an ellipsis and tells the whole text as its tool tip. UI thread.
class TextLabel : public QLabel {
    Q_OBJECT
public:
    TextLabel(TextSize size, ColorRole role, QWidget* parent = nullptr, QFont::Weight weight = QFont::Normal);
    TextLabel(const QString& text, TextSize size, ColorRole role, QFont::Weight weight,
              QWidget* parent = nullptr);
    TextLabel(const QString& text, TextSize size, ColorRole role, QWidget* parent = nullptr)
        : TextLabel(text, size, role, QFont::Normal, parent) {}

    void setRole(ColorRole role);
    void setElided(bool elided);
    bool isElided() const { return m_elided; }

    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override; ///< keeps its margins when it is styled
    void paintEvent(QPaintEvent* event) override;

private:
    ColorRole m_role;
    bool m_elided = false;
};

} // namespace heteroscape::widgets
