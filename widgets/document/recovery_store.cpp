// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/recovery_store.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/base/json.h"
#include "engine/scenario/scenario_json.h"
#include "widgets/document/document.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QRandomGenerator>
#include <QSet>
#include <QStandardPaths>
#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>

namespace heteroscape::widgets {

/// The files of a copy, for several threads. Each thing to do has a number; what is older than the last thing
/// done is left out, so that the one that was wanted last is the one that holds.
class Autosave::Copy {
public:
    /// Holding the store keeps the session alive while there is something to do.
    explicit Copy(std::shared_ptr<RecoveryStore> store)
        : m_store(std::move(store)), m_stem(m_store->newStem()) {}

    const QString& stem() const { return m_stem; }
    std::uint64_t next() { return ++m_last; } ///< UI thread

    /// Writes the note first: a design is never there without what it is. Returns what went wrong.
    QString write(std::uint64_t number, const engine::Scenario& scenario, const std::string& note) {
        const std::lock_guard lock(m_mutex);
        if (number < m_done)
            return {};
        m_done = number;
        try {
            QDir().mkpath(QFileInfo(m_stem).path()); // it may have gone since
            engine::writeFileAtomically(RecoveryStore::noteFile(m_stem).toStdString(), note);
            engine::saveScenario(scenario, RecoveryStore::designFile(m_stem).toStdString());
            return {};
        } catch (const std::exception& error) {
            return QString::fromUtf8(error.what());
        }
    }

    void remove(std::uint64_t number) {
        const std::lock_guard lock(m_mutex);
        if (number < m_done)
            return;
        m_done = number;
        QFile::remove(RecoveryStore::designFile(m_stem));
        QFile::remove(RecoveryStore::noteFile(m_stem));
    }

private:
    const std::shared_ptr<RecoveryStore> m_store;
    const QString m_stem;
    std::uint64_t m_last = 0; ///< number given; UI thread
    std::mutex m_mutex;
    std::uint64_t m_done = 0; ///< number of what was done last; under the mutex
};

Autosave::Autosave(Document* document, std::shared_ptr<RecoveryStore> store, QObject* parent)
    : QObject(parent), m_document(document), m_copy(std::make_shared<Copy>(std::move(store))) {
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::start);
    connect(document, &Document::changed, this, &Autosave::documentChanged);
    connect(document, &Document::titleChanged, this, &Autosave::documentChanged);
    connect(&m_writer, &Job::failed, this, &Autosave::written);
}

Autosave::~Autosave() = default;

QString Autosave::file() const {
    return RecoveryStore::designFile(m_copy->stem());
}

void Autosave::documentChanged() {
    if (m_givenUp)
        return;
    if (!m_document->isModified())
        remove(); // saved, undone to what is saved, or another design
    else if (!m_timer.isActive())
        m_timer.start(); // from the first change on: later ones do not put it off
}

void Autosave::start() {
    if (m_givenUp || !m_document->isModified())
        return;
    if (m_writer.isBusy()) { // a slow disk: once more when it is done
        m_timer.start();
        return;
    }
    const auto note = RecoveryStore::noteText(m_document->title(), m_document->path());
    const auto noteKey = QString::fromStdString(note);
    if (m_exists && m_document->scenario() == m_copied && noteKey == m_note)
        return;
    m_copied = m_document->scenario();
    m_note = noteKey;
    m_exists = true;
    m_writer.start([this, copy = m_copy, number = m_copy->next(), scenario = m_copied, note](JobRun&) {
        const auto problem = copy->write(number, scenario, note);
        return [this, problem] { written(problem); };
    });
}

bool Autosave::saveNow() {
    if (m_givenUp || !m_document->isModified())
        return true;
    m_timer.stop();
    m_writer.drop(); // what is written here is newer
    const auto note = RecoveryStore::noteText(m_document->title(), m_document->path());
    const auto problem = m_copy->write(m_copy->next(), m_document->scenario(), note);
    m_copied = m_document->scenario();
    m_note = QString::fromStdString(note);
    m_exists = true;
    written(problem);
    return problem.isEmpty();
}

void Autosave::written(const QString& problem) {
    if (problem.isEmpty()) {
        m_failing = false;
        return;
    }
    m_exists = m_exists && QFileInfo::exists(file()); // an older copy may still be there
    m_note.clear();                                   // whatever it holds, it is not the design as it is
    if (!std::exchange(m_failing, true))
        emit failed(problem);
}

void Autosave::giveUp() {
    m_givenUp = true;
    remove();
}

void Autosave::remove() {
    m_timer.stop();
    if (!m_exists)
        return;
    m_exists = false;
    m_writer.drop();
    m_writer.start([copy = m_copy, number = m_copy->next()](JobRun&) -> Job::Show {
        copy->remove(number);
        return {};
    });
}

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

#include "moc_recovery_store.cpp"
