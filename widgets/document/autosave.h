// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QTimer>

#include <memory>

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

} // namespace heteroscape::widgets
