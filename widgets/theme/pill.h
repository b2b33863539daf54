// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

} // namespace heteroscape::widgets
