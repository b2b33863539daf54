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
    /// Parts as the palette names them ("device/u280"): favourites in the order they were marked; what was
    /// placed or used lately, newest first, at most kRecentParts; and the sections that are folded.
    QStringList favouriteParts() const;
    void setFavouriteParts(const QStringList& keys);
    QStringList recentParts() const;
    void addRecentPart(const QString& key);
    QStringList foldedSections(const QStringList& fallback) const; ///< `fallback`: until one is folded
    void setFoldedSections(const QStringList& sections);
    static constexpr int kRecentParts = 8;

    /// What was run lately from the list of commands, newest first.
    QStringList recentCommands() const;
    void addRecentCommand(const QString& key);

    /// Keys of the metrics that the strip shows, of simulated requests or of the steady state; empty at
    /// first.
    QStringList stripMetrics(bool simulated) const;
    void setStripMetrics(bool simulated, const QStringList& keys);

    QString lastFolder() const; ///< where the last file was; the documents folder at first

private:
    mutable QSettings m_store;
};

} // namespace heteroscape::widgets
