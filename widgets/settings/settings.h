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

    /// On the canvas; true at first.
    bool snapsToGrid() const { return m_store.value(kSnaps, true).toBool(); }
    void setSnapsToGrid(bool snaps) { m_store.setValue(kSnaps, snaps); }
    /// Of a design larger than the canvas; true at first.
    bool showsMiniMap() const { return m_store.value(kMiniMap, true).toBool(); }
    void setShowsMiniMap(bool shows) { m_store.setValue(kMiniMap, shows); }

    QByteArray geometry() const { return m_store.value(kGeometry).toByteArray(); }
    void setGeometry(const QByteArray& geometry) { m_store.setValue(kGeometry, geometry); }
    QByteArray dockState() const { return m_store.value(kDocks).toByteArray(); }
    void setDockState(const QByteArray& state) { m_store.setValue(kDocks, state); }

    /// Files opened or saved lately, newest first, at most kRecentFiles.
    QStringList recentFiles() const;
    void addRecentFile(const QString& path);
    void forgetRecentFile(const QString& path);
    void clearRecentFiles() { m_store.setValue(kRecent, QStringList()); }
    static constexpr int kRecentFiles = 8;

    /// When the program starts without a file; yes at first.
    bool showsStartPage() const { return m_store.value(kStartPage, true).toBool(); }
    void setShowsStartPage(bool on) { m_store.setValue(kStartPage, on); }
    /// Whether the user was asked to take the tour.
    bool wasTourOffered() const { return m_store.value(kTour, false).toBool(); }
    void setTourOffered() { m_store.setValue(kTour, true); }
    /// Parts as the palette names them ("device/u280"): favourites in the order they were marked; what was
    /// placed or used lately, newest first, at most kRecentParts; and the sections that are folded.
    QStringList favouriteParts() const { return m_store.value(kFavourites).toStringList(); }
    void setFavouriteParts(const QStringList& keys) { m_store.setValue(kFavourites, keys); }
    QStringList recentParts() const;
    void addRecentPart(const QString& key);
    /// `fallback`: until one is folded.
    QStringList foldedSections(const QStringList& fallback) const {
        return m_store.value(kFolded, fallback).toStringList();
    }
    void setFoldedSections(const QStringList& sections) { m_store.setValue(kFolded, sections); }
    static constexpr int kRecentParts = 8;

    /// What was run lately from the list of commands, newest first.
    QStringList recentCommands() const { return m_store.value(kCommands).toStringList(); }
    void addRecentCommand(const QString& key);

    /// Keys of the metrics that the strip shows, of simulated requests or of the steady state; empty at
    /// first.
    QStringList stripMetrics(bool simulated) const;
    void setStripMetrics(bool simulated, const QStringList& keys);

    QString lastFolder() const; ///< where the last file was; the documents folder at first

private:
    static constexpr const char* kGeometry = "window/geometry";
    static constexpr const char* kDocks = "window/docks";
    static constexpr const char* kSnaps = "canvas/snapToGrid";
    static constexpr const char* kMiniMap = "canvas/miniMap";
    static constexpr const char* kRecent = "files/recent";
    static constexpr const char* kStartPage = "window/startPage";
    static constexpr const char* kTour = "window/tourOffered";
    static constexpr const char* kFavourites = "palette/favourites";
    static constexpr const char* kFolded = "palette/folded";
    static constexpr const char* kCommands = "commands/recent";
    mutable QSettings m_store;
};

} // namespace heteroscape::widgets
