// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/study_run/run_study.h"
#include "widgets/explore/loaded_study.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>

namespace heteroscape::widgets {

/// Runs and reads studies on a thread of its own with a Store of its own; only values come back, as signals
/// on the UI thread. One task at a time: a newer one stops the older, whose stored points stay and whose
/// signals end, and waits on the thread for its end. A study that cannot be stored (the file is
/// full, locked, read-only, damaged or newer) is evaluated in memory when it is not too large; its id is
/// below zero then. Of a larger one what was stored before is read. Destroying it cancels: the thread stores
/// what it was about to store and ends.
class StudyRunner : public QObject {
    Q_OBJECT
public:
    StudyRunner(QString storePath, std::shared_ptr<const engine::Catalog> catalog, QObject* parent = nullptr);

    static constexpr std::size_t kMostInMemory = 200'000; ///< points of a study that is not stored

    /// The metrics of a study that are wanted first; called on the runner's thread.
    using Wanted = std::function<std::vector<std::string>(const engine::StudyInfo&)>;

    void run(engine::Study study); ///< then reads it
    /// Reads it; a large one first with the metrics wanted alone, then with all of them.
    void open(std::int64_t study, const Wanted& wanted = {});
    void cancel(); ///< what is stored stays; finished() follows
    bool isBusy() const { return m_job.isBusy(); }

signals:
    void progressed(const heteroscape::engine::StudyProgress& progress);
    /// Some (while it runs) or all of the study's points.
    void tableRead(const std::shared_ptr<const heteroscape::widgets::LoadedStudy>& study);
    void ran(const heteroscape::engine::StudyRun& run);
    void failed(const QString& message);
    void damaged(const QString& message); ///< what of the study that tableRead() brought cannot be read
    void notKept(const QString& message); ///< why the study that tableRead() brought is not stored
    /// Why a study that is too large for memory has only `done` of its points stored: those that tableRead()
    /// brought, if any.
    void brokenOff(const QString& message, std::size_t done, std::size_t total);
    void finished(); ///< after every task that no newer one has ended, whatever its own end

private:
    QString m_storePath;
    std::shared_ptr<const engine::Catalog> m_catalog;
    Job m_job;
};

} // namespace heteroscape::widgets
