// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/autosave.h"

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scenario/scenario_json.h"
#include "widgets/document/document.h"
#include "widgets/document/recovery_store.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <mutex>

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

} // namespace heteroscape::widgets
