// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/settings/settings.h"

#include <QFileInfo>
#include <QStandardPaths>

namespace heteroscape::widgets {

namespace {

const auto kTheme = QStringLiteral("window/theme");
const auto kRecentlyUsed = QStringLiteral("palette/recent");
const auto kStripSteady = QStringLiteral("strip/steady");
const auto kStripSimulated = QStringLiteral("strip/simulated");

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

QStringList Settings::recentParts() const {
    return m_store.value(kRecentlyUsed).toStringList().mid(0, kRecentParts);
}

void Settings::addRecentPart(const QString& key) {
    m_store.setValue(kRecentlyUsed, headed(recentParts(), key, kRecentParts));
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
