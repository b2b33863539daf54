// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/simulation_runner.h"

#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"

namespace heteroscape::widgets {

namespace {

constexpr int kDelay = 120; // ms without an edit before a run begins

} // namespace

SimulationRunner::SimulationRunner(Document* document) : QObject(document), m_document(document) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelay);
    connect(&m_delay, &QTimer::timeout, this, &SimulationRunner::start);
    connect(document, &Document::reset, this, [this] { m_run.reset(); }); // of another design
    connect(document, &Document::changed, this, &SimulationRunner::follow);
    connect(document, &Document::evaluated, this, &SimulationRunner::follow);
    connect(&m_job, &Job::failed, this, [this](const QString& message) {
        m_busy = false;
        m_run.reset();
        m_reason = tr("The simulation broke off: %1").arg(message);
        emit finished();
    });
    follow();
}

bool SimulationRunner::isSteady() const {
    return !m_document->scenario().serving.isSimulated();
}

void SimulationRunner::follow() {
    m_job.drop();
    m_reason.clear();
    if (isSteady())
        m_reason = tr("Arrivals are %1: the metrics are those of a system that always has another "
                      "request waiting.")
                       .arg(words(m_document->scenario().serving.arrivals->id()));
    for (const auto& diagnostic : m_document->diagnostics())
        if (m_reason.isEmpty() && diagnostic.severity == engine::Severity::Error)
            m_reason = QString::fromStdString(diagnostic.message + ". " + diagnostic.remedy + ".");
    if (m_reason.isEmpty()) {
        if (m_document->isEvaluating())
            m_delay.stop(); // until evaluated()
        if (!m_busy) {
            m_busy = true;
            emit started();
        }
        if (!m_document->isEvaluating())
            m_delay.start();
        return;
    }
    m_delay.stop();
    m_run.reset();
    m_busy = false;
    emit finished();
}

void SimulationRunner::start() {
    auto run = std::make_shared<SimulationRun>();
    run->scenario = m_document->results().scenario;
    run->evaluation = m_document->evaluation();
    m_job.start([this, run = std::move(run)](JobRun& job) -> Job::Show {
        engine::SimulationOptions options;
        options.recorded = kRecorded;
        options.stop = job.stop();
        options.progress = [this, &job](std::uint64_t done, std::uint64_t size) {
            job.progress([this, done, size] { emit progressed(done, size); });
        };
        run->serving = engine::simulate(run->scenario, run->evaluation, options);
        if (job.isStopped())
            return {};
        engine::setServingMetrics(run->serving, run->evaluation);
        return [this, run] { take(run); };
    });
}

void SimulationRunner::take(std::shared_ptr<const SimulationRun> run) {
    m_busy = false;
    m_reason = QString::fromStdString(run->serving.reason);
    if (run->serving.ran())
        m_run = std::move(run);
    else
        m_run.reset();
    emit finished();
}

} // namespace heteroscape::widgets

#include "moc_simulation_runner.cpp"
