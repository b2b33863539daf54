// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/simulation_runner.h"

#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"

#include <chrono>

namespace heteroscape::widgets {

namespace {

constexpr int kDelay = 120; // ms without an edit before a run begins
constexpr std::chrono::milliseconds kProgressEvery{50};

} // namespace

SimulationRunner::SimulationRunner(Document* document) : QObject(document), m_document(document) {
    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelay);
    connect(&m_delay, &QTimer::timeout, this, &SimulationRunner::start);
    connect(document, &Document::reset, this, [this] { m_run.reset(); }); // of another design
    connect(document, &Document::changed, this, &SimulationRunner::follow);
    connect(document, &Document::evaluated, this, &SimulationRunner::follow);
    follow();
}

SimulationRunner::~SimulationRunner() {
    stop();
}

bool SimulationRunner::isSteady() const {
    return !m_document->scenario().serving.isSimulated();
}

void SimulationRunner::stop() {
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join(); // a simulation looks for this every few thousand events
}

void SimulationRunner::follow() {
    ++m_generation;
    m_thread.request_stop();
    m_reason.clear();
    if (isSteady())
        m_reason = tr("Arrivals are %1: the figures are those of a system that always has another "
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
    stop();
    auto run = std::make_shared<SimulationRun>();
    run->scenario = m_document->evaluatedScenario();
    run->evaluation = m_document->evaluation();
    const auto post = [this, generation = m_generation](std::function<void()> call) {
        QMetaObject::invokeMethod(
            this,
            [this, generation, call = std::move(call)] {
                if (generation == m_generation)
                    call();
            },
            Qt::QueuedConnection);
    };
    m_thread = std::jthread([this, post, run = std::move(run)](std::stop_token stop) {
        using Clock = std::chrono::steady_clock;
        auto last = Clock::now();
        engine::SimulationOptions options;
        options.recorded = kRecorded;
        options.stop = stop;
        options.progress = [&](std::uint64_t done, std::uint64_t size) {
            if (Clock::now() - last < kProgressEvery)
                return;
            last = Clock::now();
            post([this, done, size] { emit progressed(done, size); });
        };
        run->serving = engine::simulate(run->scenario, run->evaluation, options);
        if (stop.stop_requested())
            return;
        engine::setServingMetrics(run->serving, run->evaluation);
        post([this, run] { take(run); });
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
