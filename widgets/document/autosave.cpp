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

namespace heteroscape::widgets {

namespace {

/// Writes the note first: a design is never there without what it is. Returns what went wrong.
QString writeCopy(const QString& stem, const engine::Scenario& scenario, const std::string& note) {
    try {
        QDir().mkpath(QFileInfo(stem).path()); // it may have gone since
        engine::writeFileAtomically(RecoveryStore::noteFile(stem).toStdString(), note);
        engine::saveScenario(scenario, RecoveryStore::designFile(stem).toStdString());
        return {};
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
}

} // namespace

Autosave::Autosave(Document* document, std::shared_ptr<RecoveryStore> store, QObject* parent)
    : QObject(parent), m_document(document), m_store(std::move(store)), m_stem(m_store->newStem()) {
    m_thread.setMaxThreadCount(1);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::start);
    connect(document, &Document::changed, this, &Autosave::documentChanged);
    connect(document, &Document::titleChanged, this, &Autosave::documentChanged);
}

Autosave::~Autosave() {
    m_timer.stop();
    m_thread.waitForDone();
}

QString Autosave::file() const {
    return RecoveryStore::designFile(m_stem);
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
    if (m_writing) { // a slow disk: once more when it is done
        m_timer.start();
        return;
    }
    const auto note = RecoveryStore::noteText(m_document->title(), m_document->path());
    const auto noteKey = QString::fromStdString(note);
    if (m_exists && m_document->scenario() == m_copied && noteKey == m_note)
        return;
    m_copied = m_document->scenario();
    m_note = noteKey;
    m_exists = m_writing = true;
    m_thread.start([this, stem = m_stem, scenario = m_copied, note] {
        const auto problem = writeCopy(stem, scenario, note);
        QMetaObject::invokeMethod(
            this, [this, problem] { written(problem); }, Qt::QueuedConnection);
    });
}

bool Autosave::saveNow() {
    if (m_givenUp || !m_document->isModified())
        return true;
    m_timer.stop();
    m_thread.waitForDone();
    const auto note = RecoveryStore::noteText(m_document->title(), m_document->path());
    const auto problem = writeCopy(m_stem, m_document->scenario(), note);
    m_copied = m_document->scenario();
    m_note = QString::fromStdString(note);
    m_exists = true;
    written(problem);
    return problem.isEmpty();
}

void Autosave::written(const QString& problem) {
    m_writing = false;
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
    m_thread.waitForDone();
    QFile::remove(RecoveryStore::designFile(m_stem));
    QFile::remove(RecoveryStore::noteFile(m_stem));
    m_exists = false;
}

} // namespace heteroscape::widgets
