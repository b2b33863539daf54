// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QLabel>
#include <QPoint>
#include <QString>
#include <QWidget>

class QPainter;

namespace heteroscape::widgets {

/// A few words on a ground of their own: what to know before one believes the number beside them.
int pillWidth(const QString& text);
void drawPill(QPainter& painter, QPoint corner, const QString& text);

/// The same as a widget, as large as its words. Follows the theme. UI thread.
class Pill : public QWidget {
    Q_OBJECT
public:
    explicit Pill(const QString& text, QWidget* parent = nullptr);

    const QString& text() const { return m_text; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
};

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
    ColorRole role() const { return m_role; }
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
