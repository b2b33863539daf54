// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"
#include "widgets/jobs/job.h"

#include <QDateTime>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <vector>

class QLockFile;

namespace heteroscape::widgets {

class Document;
class RecoveryStore;

/// Keeps a copy of an open design in the recovery store while it has changes that are in no file: written 1 s
/// after the first change, at most once a second, on a thread of its own and only when something differs; it
/// goes when the design is saved, replaced or given up. What was begun, writing or removing, is brought to
/// its end also when this is destroyed. UI thread.
class Autosave : public QObject {
    Q_OBJECT
public:
    static constexpr int kDelayMs = 1000;

    Autosave(Document* document, std::shared_ptr<RecoveryStore> store, QObject* parent = nullptr);
    ~Autosave() override; ///< leaves the copy where it is

    QString file() const; ///< of the copy

    /// At once, on this thread; true when the copy holds the design as it is. Waits for a file that is just
    /// being written.
    bool saveNow();
    void giveUp(); ///< the user does not want the changes: the copy goes, and none is written any more

signals:
    /// The copy cannot be written; told once until it can be written again.
    void failed(const QString& reason);

private:
    class Copy;
    void documentChanged();
    void start();                         ///< hands the design to the thread
    void written(const QString& problem); ///< back on the UI thread
    void remove();

    Document* m_document;
    std::shared_ptr<Copy> m_copy; ///< its files; shared with what writes them
    QTimer m_timer;
    Job m_writer{Job::Order::EachToTheEnd};
    engine::Scenario m_copied; ///< what the copy holds, or will
    QString m_note;            ///< title and path that stand beside it
    bool m_exists = false;     ///< a copy is there, or being written
    bool m_failing = false;
    bool m_givenUp = false;
};

/// A design that a program left behind when it ended without a word.
struct RecoveryEntry {
    QString file;         ///< the autosaved design
    QString title;        ///< as its window showed it
    QString originalPath; ///< empty: never saved
    QDateTime saved;
    int nodes = 0;
    QString problem{}; ///< why it cannot be read; empty: it can
};

/// The folder of autosaved designs, shared by every running program. Each program is a session with a lock
/// file of its own, so that the files of one that lives are left alone and those of one that was killed are
/// found:
///   <session>.lock   <session>-<n>.hscape (a design)   <session>-<n>.json (its title and original path)
/// A file goes only when it is discarded here. UI thread; files may be written by other threads.
class RecoveryStore {
public:
    explicit RecoveryStore(QString folder = defaultFolder());
    ~RecoveryStore(); ///< ends the session; files that are still there are found by the next one

    static QString defaultFolder(); ///< "autosave" where the program keeps its local data
    const QString& folder() const { return m_folder; }

    QString newStem(); ///< path of another design of this session, without its suffix

    /// What programs that are no longer there have left, newest first. What cannot be read says why.
    std::vector<RecoveryEntry> entries() const;

    /// The design of an entry; throws engine::Error and leaves the file as it is.
    static engine::Scenario load(const RecoveryEntry& entry, const engine::Catalog& catalog);
    static void discard(const RecoveryEntry& entry); ///< deletes it

    static QString designFile(const QString& stem);
    static QString noteFile(const QString& stem);
    /// The text of a note: title and original path.
    static std::string noteText(const QString& title, const QString& originalPath);

private:
    bool lives(const QString& session) const;

    QString m_folder;
    QString m_session;
    std::unique_ptr<QLockFile> m_lock;
    int m_count = 0;
};

} // namespace heteroscape::widgets
