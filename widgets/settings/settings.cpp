// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/settings/settings.h"

#include <QFileInfo>
#include <QStandardPaths>

namespace heteroscape::widgets {

namespace {

const auto kTheme = QStringLiteral("window/theme");
const auto kGeometry = QStringLiteral("window/geometry");
const auto kDocks = QStringLiteral("window/docks");
const auto kSnaps = QStringLiteral("canvas/snapToGrid");
const auto kMiniMap = QStringLiteral("canvas/miniMap");
const auto kRecent = QStringLiteral("files/recent");
const auto kStartPage = QStringLiteral("window/startPage");
const auto kFavourites = QStringLiteral("palette/favourites");
const auto kRecentlyUsed = QStringLiteral("palette/recent");
const auto kFolded = QStringLiteral("palette/folded");
const auto kStripSteady = QStringLiteral("strip/steady");
const auto kStripSimulated = QStringLiteral("strip/simulated");
const auto kCommands = QStringLiteral("commands/recent");

/// The list with `entry` at its head, at most `most` long.
QStringList headed(QStringList list, const QString& entry, int most) {
    list.removeAll(entry);
    list.prepend(entry);
    return list.mid(0, most);
}

const QStringList& themeNames() {
    static const QStringList names{QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")};
    return names;
}

} // namespace

Settings::Settings()
    : m_store(QSettings::IniFormat, QSettings::UserScope, QStringLiteral("heteroscape"),
              QStringLiteral("heteroscape")) {}

Settings::Settings(const QString& iniFile) : m_store(iniFile, QSettings::IniFormat) {}

ThemeMode Settings::themeMode() const {
    const auto index = themeNames().indexOf(m_store.value(kTheme).toString());
    return index < 0 ? ThemeMode::System : static_cast<ThemeMode>(index);
}

void Settings::setThemeMode(ThemeMode mode) {
    m_store.setValue(kTheme, themeNames().at(static_cast<int>(mode)));
}

bool Settings::snapsToGrid() const {
    return m_store.value(kSnaps, true).toBool();
}

void Settings::setSnapsToGrid(bool snaps) {
    m_store.setValue(kSnaps, snaps);
}

bool Settings::showsMiniMap() const {
    return m_store.value(kMiniMap, true).toBool();
}

void Settings::setShowsMiniMap(bool shows) {
    m_store.setValue(kMiniMap, shows);
}

QByteArray Settings::geometry() const {
    return m_store.value(kGeometry).toByteArray();
}

void Settings::setGeometry(const QByteArray& geometry) {
    m_store.setValue(kGeometry, geometry);
}

QByteArray Settings::dockState() const {
    return m_store.value(kDocks).toByteArray();
}

void Settings::setDockState(const QByteArray& state) {
    m_store.setValue(kDocks, state);
}

QStringList Settings::recentFiles() const {
    return m_store.value(kRecent).toStringList().mid(0, kRecentFiles);
}

void Settings::addRecentFile(const QString& path) {
    m_store.setValue(kRecent, headed(recentFiles(), QFileInfo(path).absoluteFilePath(), kRecentFiles));
}

void Settings::forgetRecentFile(const QString& path) {
    auto files = recentFiles();
    files.removeAll(QFileInfo(path).absoluteFilePath());
    m_store.setValue(kRecent, files);
}

void Settings::clearRecentFiles() {
    m_store.setValue(kRecent, QStringList());
}

bool Settings::showsStartPage() const {
    return m_store.value(kStartPage, true).toBool();
}

void Settings::setShowsStartPage(bool on) {
    m_store.setValue(kStartPage, on);
}

QStringList Settings::favouriteParts() const {
    return m_store.value(kFavourites).toStringList();
}

void Settings::setFavouriteParts(const QStringList& keys) {
    m_store.setValue(kFavourites, keys);
}

QStringList Settings::recentParts() const {
    return m_store.value(kRecentlyUsed).toStringList().mid(0, kRecentParts);
}

void Settings::addRecentPart(const QString& key) {
    m_store.setValue(kRecentlyUsed, headed(recentParts(), key, kRecentParts));
}

QStringList Settings::foldedSections(const QStringList& fallback) const {
    return m_store.value(kFolded, fallback).toStringList();
}

void Settings::setFoldedSections(const QStringList& sections) {
    m_store.setValue(kFolded, sections);
}

QStringList Settings::recentCommands() const {
    return m_store.value(kCommands).toStringList();
}

void Settings::addRecentCommand(const QString& key) {
    m_store.setValue(kCommands, headed(recentCommands(), key, kRecentParts));
}

QStringList Settings::stripMetrics(bool simulated) const {
    return m_store.value(simulated ? kStripSimulated : kStripSteady).toStringList();
}

void Settings::setStripMetrics(bool simulated, const QStringList& keys) {
    m_store.setValue(simulated ? kStripSimulated : kStripSteady, keys);
}

QString Settings::lastFolder() const {
    const auto files = recentFiles();
    return files.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
                           : QFileInfo(files.first()).absolutePath();
}

} // namespace heteroscape::widgets
