// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/store/run_study.h"
#include "widgets/explore/loaded_study.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <thread>

namespace heteroscape::widgets {

/// Runs and reads studies on a thread of its own with a Store of its own; only values come back, as signals
/// on the UI thread. What an older task still sends is dropped. Destroying it cancels and joins.
class StudyRunner : public QObject {
    Q_OBJECT
public:
    StudyRunner(QString storePath, std::shared_ptr<const engine::Catalog> catalog, QObject* parent = nullptr);
    ~StudyRunner() override;

    void run(engine::Study study); ///< then reads it
    void open(std::int64_t study); ///< reads it
    void cancel();                 ///< what is stored stays; finished() follows
    bool isBusy() const { return m_busy; }

signals:
    void progressed(const heteroscape::engine::StudyProgress& progress);
    /// Some (while it runs) or all of the study's points.
    void tableRead(const std::shared_ptr<const heteroscape::widgets::LoadedStudy>& study);
    void ran(const heteroscape::engine::StudyRun& run);
    void failed(const QString& message);
    void finished(); ///< after every task, whatever its end

private:
    using Post = std::function<void(std::function<void()>)>; ///< calls on the UI thread, unless out of date
    void start(std::function<void(std::stop_token, const Post&)> task);

    QString m_storePath;
    std::shared_ptr<const engine::Catalog> m_catalog;
    std::uint64_t m_generation = 0; ///< UI thread only
    bool m_busy = false;
    std::jthread m_thread;
};

} // namespace heteroscape::widgets
