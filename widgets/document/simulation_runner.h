// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/simulate.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>
#include <memory>

namespace heteroscape::widgets {

class Document;

/// A finished simulation with what it was made from: values, for any thread.
struct SimulationRun {
    engine::Scenario scenario;
    engine::Evaluation evaluation; ///< with the metrics of the simulation
    engine::ServingEvaluation serving;
};

/// Simulates the open design whenever it changes and its arrivals are not steady, on a thread of its own. An
/// edit ends the run under way and starts another a moment later. Only values come back, as signals on the UI
/// thread; what an older run still sends is dropped. UI thread.
class SimulationRunner : public QObject {
    Q_OBJECT
public:
    /// Requests whose segments are kept for the timeline.
    static constexpr std::uint64_t kRecorded = 200000;

    explicit SimulationRunner(Document* document);

    /// The last finished run; of an older state of the design while isBusy(). Null: there is none.
    std::shared_ptr<const SimulationRun> run() const { return m_run; }
    /// Why there is none, for people: steady arrivals, a design with errors, no memory, a run that broke
    /// off. Empty: there is one, or one is under way.
    QString reason() const { return m_reason; }
    bool isBusy() const { return m_busy; }
    bool isSteady() const; ///< arrivals are steady: nothing is simulated

signals:
    void started();
    void progressed(std::uint64_t done, std::uint64_t size); ///< at most 20 times a second
    void finished(); ///< run() or reason() changed, and nothing is under way

private:
    void follow();
    void start();
    void take(std::shared_ptr<const SimulationRun> run);

    Document* m_document;
    QTimer m_delay;
    std::shared_ptr<const SimulationRun> m_run;
    QString m_reason;
    bool m_busy = false; ///< also while the delay runs
    Job m_job;
};

} // namespace heteroscape::widgets
