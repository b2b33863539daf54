// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QFrame>

class QLabel;
class QPushButton;
class QTimer;
class QToolButton;

namespace heteroscape::widgets {

class ExportButton;

/// A line across a view that says what happened, until it is closed or replaced; what is only done goes by
/// itself after a while, unless the mouse is on it. Hidden while empty.
class NoticeBar : public QFrame {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);

    void showError(const QString& message);
    void showDone(const QString& message);
    /// With a button that does something about it: acted().
    void showWarning(const QString& message, const QString& action);
    void showOffer(const QString& message, const QString& action); ///< of what is done; stays
    void follow(const ExportButton& button);                       ///< tells what it wrote, or why not
    QString text() const;
    bool isOffering() const; ///< its button is there

signals:
    void acted();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Look {
        const char* icon;
        ColorRole ink;
        ColorRole ground;
    };
    static const Look kError, kWarning, kDone;
    void present(const QString& message, const Look& look);
    void restyle();

    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    QToolButton* m_close;
    QTimer* m_leave; ///< of what is done
    Look m_look;
};

} // namespace heteroscape::widgets
