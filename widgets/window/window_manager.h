// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"

#include <QObject>
#include <QSize>
#include <QString>
#include <memory>
#include <vector>

class QWidget;

namespace heteroscape::widgets {

/// Of usual window managers, around a window: both sides together, above and below together.
inline constexpr QSize kWindowFrame(2, 32);

/// How small a window may be made on a screen with so much room: as wide as its bars want it where there is
/// room for that, never narrower than what a screen of 1024 px shows.
QSize leastWindowSize(QSize available);

/// No window is larger than its screen when it first appears, the frame around it counted, unless the screen
/// has no room for the least one.
QSize firstWindowSize(QSize wanted, QSize available);

/// Makes a window that was not shown yet as small as its screen wants it.
void fitToScreen(QWidget& window);

class MainWindow;
class RecoveryStore;
struct RecoveryEntry;

/// The windows of the program, all in one process, each with a design of its own; theme, settings, studies
/// and the store of autosaved designs are shared. As in other drawing tools:
/// - File > New window opens an empty design beside the others.
/// - File > Open, a recent or a dropped file: the window that shows the file already comes forward; else an
/// empty
///   untouched design gives way to it; else it gets a window of its own.
/// - File > New design and presets replace the design of their window, which asks about unsaved changes.
/// - Closing a window asks about its own changes; quitting, and the end of the session, asks about each
/// window's
///   before any closes, and Cancel keeps them all. The program ends with its last window.
/// UI thread.
class WindowManager : public QObject {
    Q_OBJECT
public:
    struct Options {
        QString storePath;                         ///< SQLite file of the studies
        QString settingsFile{};                    ///< instead of the user's own settings
        std::shared_ptr<RecoveryStore> recovery{}; ///< null: nothing is autosaved or recovered
    };
    WindowManager(std::shared_ptr<const engine::Catalog> catalog, Options options, QObject* parent = nullptr);
    ~WindowManager() override; ///< windows that are still there go without a question

    const std::vector<MainWindow*>& windows() const { return m_windows; }
    RecoveryStore* recovery() const { return m_options.recovery.get(); }

    MainWindow* makeWindow(); ///< with an empty design; not shown yet
    MainWindow* newWindow();  ///< shown and in front, a little below and right of the present one
    MainWindow* windowOf(const QString& path) const;  ///< that shows the file; null when none does
    bool raise(const QString& path);                  ///< the window of the file, if there is one
    MainWindow* openInNewWindow(const QString& path); ///< throws engine::Error and makes none

    /// Opens an autosaved design, as changed, in `here` when that is empty and untouched, else in a new
    /// window; it is taken from the store once the program keeps it itself. Throws engine::Error and leaves
    /// it there.
    MainWindow* recover(const RecoveryEntry& entry, MainWindow* here);
    /// Tells the windows to read again what there is to recover.
    void recoveryChanged();

    bool mayCloseAll(); ///< asks about the changes of every window; false when one is cancelled
    bool quit();        ///< closes all windows, or none
    /// The session ends. When the user may be asked: whether it may; else every change is put into the store.
    bool commitSession(bool mayAsk);

private:
    void place(MainWindow* window);

    std::shared_ptr<const engine::Catalog> m_catalog;
    Options m_options;
    std::vector<MainWindow*> m_windows;
};

} // namespace heteroscape::widgets
