// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/recovery_store.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/scenario/scenario_json.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QRandomGenerator>
#include <QSet>
#include <QStandardPaths>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

namespace heteroscape::widgets {

namespace {

const auto kDesign = QStringLiteral(".hscape");
const auto kNote = QStringLiteral(".json");
const auto kLock = QStringLiteral(".lock");

/// The sessions of this very process: a lock that names its id but none of these is from an earlier process
/// of the same id. Any thread: the last to hold a store may be a job.
class OwnSessions {
public:
    void insert(const QString& session) {
        const std::lock_guard lock(m_mutex);
        m_sessions.insert(session);
    }
    void remove(const QString& session) {
        const std::lock_guard lock(m_mutex);
        m_sessions.remove(session);
    }
    bool contains(const QString& session) const {
        const std::lock_guard lock(m_mutex);
        return m_sessions.contains(session);
    }

private:
    mutable std::mutex m_mutex;
    QSet<QString> m_sessions;
};

OwnSessions& ownSessions() {
    static OwnSessions sessions;
    return sessions;
}

QString stemOf(const QString& designFile) {
    return designFile.chopped(kDesign.size());
}

QString textOf(const engine::Json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? QString::fromStdString(found->get<std::string>())
                                                     : QString();
}

} // namespace

RecoveryStore::RecoveryStore(QString folder)
    : m_folder(std::move(folder)),
      m_session(QStringLiteral("%1-%2")
                    .arg(QCoreApplication::applicationPid())
                    .arg(QRandomGenerator::global()->generate(), 8, 16, QLatin1Char('0'))) {
    QDir().mkpath(m_folder); // where this fails, writing a design fails too, and that is told
    m_lock = std::make_unique<QLockFile>(QDir(m_folder).filePath(m_session + kLock));
    m_lock->setStaleLockTime(0); // however long the program runs
    m_lock->tryLock();
    ownSessions().insert(m_session);
}

RecoveryStore::~RecoveryStore() {
    ownSessions().remove(m_session);
}

QString RecoveryStore::defaultFolder() {
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation))
        .filePath(QStringLiteral("autosave"));
}

QString RecoveryStore::newStem() {
    return QDir(m_folder).filePath(QStringLiteral("%1-%2").arg(m_session).arg(++m_count));
}

QString RecoveryStore::designFile(const QString& stem) {
    return stem + kDesign;
}

QString RecoveryStore::noteFile(const QString& stem) {
    return stem + kNote;
}

std::string RecoveryStore::noteText(const QString& title, const QString& originalPath) {
    const engine::Json json = {
        {"formatVersion", 1}, {"title", title.toStdString()}, {"path", originalPath.toStdString()}};
    return json.dump(2, ' ', false, engine::Json::error_handler_t::replace) + "\n";
}

bool RecoveryStore::lives(const QString& session) const {
    if (ownSessions().contains(session))
        return true;
    const auto path = QDir(m_folder).filePath(session + kLock);
    if (!QFileInfo::exists(path))
        return false;
    QLockFile lock(path);
    lock.setStaleLockTime(0);
    qint64 pid = 0;
    QString host, program;
    if (lock.getLockInfo(&pid, &host, &program) && pid == QCoreApplication::applicationPid() &&
        lock.removeStaleLockFile()) // ours by number only
        return false;
    return !lock.tryLock(); // takes the lock of a dead one, and gives it up with the file
}

std::vector<RecoveryEntry> RecoveryStore::entries() const {
    std::vector<RecoveryEntry> found;
    const auto files = QDir(m_folder).entryInfoList({QLatin1Char('*') + kDesign}, QDir::Files, QDir::Name);
    for (const auto& info : files) {
        const auto name = info.completeBaseName();
        if (lives(name.left(name.lastIndexOf(QLatin1Char('-')))))
            continue;
        RecoveryEntry entry{info.absoluteFilePath(), {}, {}, info.lastModified(), 0};
        try {
            const auto note = engine::readJsonFile(noteFile(stemOf(entry.file)).toStdString());
            entry.title = textOf(note, "title");
            entry.originalPath = textOf(note, "path");
        } catch (const engine::Error&) { // the design is what counts
        }
        try {
            const auto design = engine::readJsonFile(entry.file.toStdString());
            const auto nodes = design.find("nodes");
            if (nodes == design.end() || !nodes->is_array())
                engine::throwInvalid(entry.file.toStdString(), "not a design of Heteroscape");
            entry.nodes = static_cast<int>(nodes->size());
            if (entry.title.isEmpty())
                entry.title = textOf(design, "name");
        } catch (const engine::Error& error) {
            entry.problem = QString::fromStdString(error.what());
        }
        if (entry.title.isEmpty())
            entry.title = QCoreApplication::translate("heteroscape::widgets::RecoveryStore", "Untitled");
        found.push_back(std::move(entry));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.saved > b.saved; });
    return found;
}

engine::Scenario RecoveryStore::load(const RecoveryEntry& entry, const engine::Catalog& catalog) {
    const auto file = entry.file.toStdString();
    return engine::readScenario(engine::readJsonFile(file), catalog, file);
}

void RecoveryStore::discard(const RecoveryEntry& entry) {
    const QFileInfo info(entry.file);
    QFile::remove(noteFile(stemOf(entry.file)));
    QFile::remove(entry.file);
    // What was being written when the program ended.
    auto folder = info.dir();
    for (const auto& part : folder.entryList({info.fileName() + QStringLiteral(".??????")}, QDir::Files))
        folder.remove(part);
}

} // namespace heteroscape::widgets
