// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

namespace heteroscape::widgets {

/// Where something dragged would land: a dashed frame with what would come of it, or why it cannot land.
class DropSlot : public QWidget {
    Q_OBJECT
public:
    explicit DropSlot(QWidget* parent);

    void offer(const QString& text);  ///< shows it
    void refuse(const QString& text); ///< shows it
    QString text() const { return m_text; }

    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void take(const QString& text, bool refused);

    QString m_text;
    bool m_refused = false;
};

} // namespace heteroscape::widgets
