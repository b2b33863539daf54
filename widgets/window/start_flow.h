// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/window_pieces.h"

#include <QObject>

#include <vector>

namespace heteroscape::widgets {

class StartPage;
struct RecoveryEntry;

/// The page before there is a design, and what becomes of designs that were left unsaved. UI thread.
class StartFlow : public QObject {
    Q_OBJECT
public:
    StartFlow(const WindowPieces& window, StartPage* page);

    StartPage* page() const { return m_page; }
    void show();
    void refresh();       ///< what there is to recover, and recent files
    void offerRecovery(); ///< asks in a dialog what shall become of designs that were left unsaved

private:
    void recover(const std::vector<RecoveryEntry>& entries);
    void discard(const std::vector<RecoveryEntry>& entries);

    const WindowPieces& m_window;
    StartPage* m_page;
};

} // namespace heteroscape::widgets
