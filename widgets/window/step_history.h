// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/window_pieces.h"

#include <QFrame>
#include <QObject>

class QListWidget;
class QUndoStack;

namespace heteroscape::widgets {

/// Every step of the design by its name, the oldest first, the present state marked, what was undone below it
/// and dim. A click, or Up, Down and Enter, goes to the state after a step. Stays open until Esc or a click
/// elsewhere. UI thread.
class HistoryPopup : public QFrame {
    Q_OBJECT
public:
    HistoryPopup(QUndoStack* stack, QWidget* parent);

signals:
    void stepChosen(int index); ///< of the stack: so many steps done

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void fill();
    void mark(); ///< the present state

    QUndoStack* m_stack;
    QListWidget* m_list;
};

} // namespace heteroscape::widgets

namespace heteroscape::engine {
struct Scenario;
}

namespace heteroscape::widgets {

/// Undo, redo and the list of all steps: what a step changed is selected. UI thread.
class StepHistory : public QObject {
    Q_OBJECT
public:
    explicit StepHistory(const WindowPieces& window);

    void goTo(int index); ///< of the undo stack; nothing where there is no such step
    void showAll();

private:
    void selectChanged(const engine::Scenario& before);

    const WindowPieces& m_window;
};

} // namespace heteroscape::widgets
