// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/theme/theme.h"

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace heteroscape::widgets {

/// What the program remembers between two runs; the only user of QSettings. A value that cannot be read
/// is its default. UI thread.
class Settings {
public:
    Settings();                                ///< the user's own
    explicit Settings(const QString& iniFile); ///< kept in this file, for tests and pictures

    ThemeMode themeMode() const;
    void setThemeMode(ThemeMode mode);

    bool snapsToGrid() const; ///< on the canvas; true at first
    void setSnapsToGrid(bool snaps);
    bool showsMiniMap() const; ///< of a design larger than the canvas; true at first
    void setShowsMiniMap(bool shows);

    QByteArray geometry() const;
    void setGeometry(const QByteArray& geometry);
    QByteArray dockState() const;
    void setDockState(const QByteArray& state);

    /// Files opened or saved lately, newest first, at most kRecentFiles.
    QStringList recentFiles() const;
    void addRecentFile(const QString& path);
    void forgetRecentFile(const QString& path);
    void clearRecentFiles();
    static constexpr int kRecentFiles = 8;

    bool showsStartPage() const; ///< when the program starts without a file; yes at first
    void setShowsStartPage(bool on);

    QString lastFolder() const; ///< where the last file was; the documents folder at first

private:
    mutable QSettings m_store;
};

} // namespace heteroscape::widgets
