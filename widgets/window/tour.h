// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>

class QPushButton;

namespace heteroscape::widgets {

class TextLabel;
struct WindowPieces;

/// Ten steps over a shipped design: a card that points at a part of the window, which goes on working; Esc or
/// a click leaves at any time. UI thread.
class Tour : public QFrame {
    Q_OBJECT
public:
    static constexpr int kSteps = 10;

    explicit Tour(const WindowPieces& window);

    void offer(); ///< once for a user: asks whether to begin, until an answer or the user's own first step
    void begin(); ///< opens the design; nothing where its changes are not to be given up
    void leave();
    int step() const { return m_step; }          ///< from 0; -1: asks whether to begin
    QWidget* target() const { return m_target; } ///< what the step points at; null: nothing

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void showStep(int step);
    void place(); ///< beside what it points at

    const WindowPieces& m_window;
    QWidget* m_ring; ///< around it
    TextLabel* m_title;
    TextLabel* m_text;
    TextLabel* m_count;
    QPushButton* m_leave;
    QPushButton* m_back;
    QPushButton* m_next;
    QPointer<QWidget> m_target;
    int m_step = -1;
};

} // namespace heteroscape::widgets
