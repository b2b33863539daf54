// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"

#include <QDateTime>
#include <QString>

#include <memory>
#include <vector>

class QLockFile;

namespace heteroscape::widgets {

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
