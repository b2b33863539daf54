// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"
#include "widgets/window/window_pieces.h"

#include <QObject>

class QMenu;
class QWidget;

namespace heteroscape::widgets {

class CommandRegistry;

/// The keys of every command, and those of the canvas and of the fields. Blocks until it is closed. UI
/// thread.
void showShortcuts(const CommandRegistry& commands, QWidget* parent);

/// Name, version, licence. Blocks until it is closed. UI thread.
void showAbout(QWidget* parent);

/// Every command of a window with its key, the menus that hold them, and which of them can be given now. UI
/// thread.
class WindowCommands : public QObject {
    Q_OBJECT
public:
    explicit WindowCommands(const WindowPieces& window);

    void makeMenus(); ///< of the top bar
    void refresh();

private:
    void makeFileCommands();
    void makeEditCommands();
    void makeArrangeCommands();
    void makeViewCommands();
    void makeHelpCommands();
    void setThemeMode(ThemeMode mode);
    void fillRecentMenu(QMenu* menu);
    void fillBaselineMenu(QMenu* menu); ///< what the open design is read against

    const WindowPieces& m_window;
};

} // namespace heteroscape::widgets
