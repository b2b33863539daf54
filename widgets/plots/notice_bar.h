// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace heteroscape::widgets {

/// A line across a view that says what happened, until it is closed or replaced. Hidden while empty.
class NoticeBar : public QFrame {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);

    void showError(const QString& message);
    void showDone(const QString& message);
    QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void present(const QString& message, bool error);
    void restyle();

    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_close;
    bool m_error = false;
};

} // namespace heteroscape::widgets
