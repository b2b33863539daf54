// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/window_pieces.h"

#include <QObject>

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
