// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/window_manager.h"

#include "widgets/document/document.h"
#include "widgets/document/recovery_store.h"
#include "widgets/window/file_flow.h"
#include "widgets/window/main_window.h"

#include <QApplication>
#include <QFileInfo>
#include <QScreen>
#include <QWidget>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kBarsWidth = 1100; ///< in which the bars have all their words
constexpr int kLeastScreen = 1024;
constexpr int kLeastHeight = 640;

} // namespace

QSize leastWindowSize(QSize available) {
    const int frame = kWindowFrame.width();
    return {std::clamp(available.width() - frame, kLeastScreen - frame, kBarsWidth), kLeastHeight};
}

QSize firstWindowSize(QSize wanted, QSize available) {
    return wanted.boundedTo(available - kWindowFrame).expandedTo(leastWindowSize(available));
}

void fitToScreen(QWidget& window) {
    window.resize(firstWindowSize(window.size(), window.screen()->availableSize()));
}

namespace {

constexpr int kCascade = 28; ///< from window to window, px

/// One name for a file however it is reached; for one that is not there, its absolute path.
QString realPath(const QString& path) {
    const QFileInfo info(path);
    const auto real = info.canonicalFilePath();
    return real.isEmpty() ? info.absoluteFilePath() : real;
}

void bringForward(MainWindow* window) {
    window->setWindowState(window->windowState() & ~Qt::WindowMinimized);
    window->show();
    window->raise();
    window->activateWindow();
}

} // namespace

WindowManager::WindowManager(std::shared_ptr<const engine::Catalog> catalog, Options options, QObject* parent)
    : QObject(parent), m_catalog(std::move(catalog)), m_options(std::move(options)) {}

WindowManager::~WindowManager() {
    for (auto* window : std::exchange(m_windows, {})) {
        window->disconnect(this);
        delete window;
    }
}

MainWindow* WindowManager::makeWindow() {
    auto* window =
        new MainWindow(m_catalog, {m_options.storePath, m_options.settingsFile, m_options.recovery, this});
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->files()->setOtherWindows({[this](const QString& path) { return raise(path); },
                                      [this](const QString& path) { openInNewWindow(path); }});
    const auto forget = [this, window] { std::erase(m_windows, window); };
    connect(window, &MainWindow::closed, this, forget); // it goes a little later
    connect(window, &QObject::destroyed, this, forget);
    m_windows.push_back(window);
    return window;
}

void WindowManager::place(MainWindow* window) {
    fitToScreen(*window);
    const auto* before = qobject_cast<MainWindow*>(QApplication::activeWindow());
    if (!before && m_windows.size() > 1)
        before = m_windows[m_windows.size() - 2];
    if (before && before != window && !before->isMaximized() && !before->isFullScreen()) {
        auto corner = before->pos() + QPoint(kCascade, kCascade);
        const auto room = before->screen()->availableGeometry();
        const bool fits = room.contains(QRect(corner, window->size()));
        const bool canFit = window->width() <= room.width() && window->height() <= room.height();
        const QRect start(room.topLeft(), room.size() / 2); // for windows larger than the screen
        if (canFit ? !fits : !start.contains(corner))
            corner = room.topLeft();
        window->move(corner);
    }
    bringForward(window);
}

MainWindow* WindowManager::newWindow() {
    auto* window = makeWindow();
    place(window);
    return window;
}

MainWindow* WindowManager::windowOf(const QString& path) const {
    const auto wanted = realPath(path);
    for (auto* window : m_windows)
        if (const auto own = window->document()->path(); !own.isEmpty() && realPath(own) == wanted)
            return window;
    return nullptr;
}

bool WindowManager::raise(const QString& path) {
    auto* window = windowOf(path);
    if (!window)
        return false;
    window->leaveStartPage();
    bringForward(window);
    return true;
}

MainWindow* WindowManager::openInNewWindow(const QString& path) {
    auto* window = makeWindow();
    try {
        window->openFile(path);
    } catch (...) {
        delete window;
        throw;
    }
    place(window);
    return window;
}

MainWindow* WindowManager::recover(const RecoveryEntry& entry, MainWindow* here) {
    auto scenario = RecoveryStore::load(entry, *m_catalog);
    auto* window = here && here->files()->isUntouched() ? here : makeWindow();
    window->document()->openRecovered(std::move(scenario), entry.originalPath);
    if (!window->autosave() || window->autosave()->saveNow())
        RecoveryStore::discard(entry); // it is in the store again, as this program's own
    if (window == here)
        bringForward(window);
    else
        place(window);
    recoveryChanged();
    return window;
}

void WindowManager::recoveryChanged() {
    for (auto* window : m_windows)
        window->start().refresh();
}

bool WindowManager::mayCloseAll() {
    const auto windows = m_windows; // saving may take a while, in which others come and go
    for (auto* window : windows) {
        if (!window->document()->isModified())
            continue;
        bringForward(window); // so that it is seen whose changes are asked about
        if (!window->files()->mayDiscard())
            return false;
    }
    return true;
}

bool WindowManager::quit() {
    if (!mayCloseAll())
        return false;
    const auto windows = m_windows;
    for (auto* window : windows)
        window->closeWithoutAsking();
    return true;
}

bool WindowManager::commitSession(bool mayAsk) {
    if (mayAsk)
        return mayCloseAll();
    bool kept = true;
    for (auto* window : m_windows)
        if (auto* autosave = window->autosave())
            kept = autosave->saveNow() && kept;
    return kept;
}

} // namespace heteroscape::widgets

#include "moc_window_manager.cpp"
