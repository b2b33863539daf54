// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_forecaster.h"

#include "engine/base/error.h"

#include <QTimer>

#include <chrono>
#include <filesystem>

namespace heteroscape::widgets {

namespace {
constexpr std::chrono::milliseconds kDelay{200}; ///< while one types, only the last text counts
} // namespace

StudyForecaster::StudyForecaster(QObject* parent) : QObject(parent), m_delay(new QTimer(this)) {
    m_delay->setSingleShot(true);
    m_delay->setInterval(kDelay);
    connect(m_delay, &QTimer::timeout, this, &StudyForecaster::hand);
    connect(&m_job, &Job::failed, this, &StudyForecaster::failed);
}

void StudyForecaster::setStorePath(const QString& path) {
    m_storePath = path.toStdString();
}

void StudyForecaster::ask(const engine::Study& study) {
    m_job.drop(); // what is being answered is out of date
    m_next = study;
    m_delay->start();
}

void StudyForecaster::drop() {
    m_job.drop();
    m_next.reset();
    m_delay->stop();
}

void StudyForecaster::hand() {
    if (!m_next)
        return;
    m_job.start([this, study = std::move(*m_next), path = m_storePath](JobRun& run) -> Job::Show {
        std::optional<engine::Store> store;
        if (!path.empty() && std::filesystem::exists(path)) // looking must not make the file
            store.emplace(path);
        const auto forecast = engine::forecastStudy(study, store ? &*store : nullptr, run.stop());
        if (run.isStopped())
            return {};
        return [this, forecast] { emit told(forecast); };
    });
    m_next.reset();
}

} // namespace heteroscape::widgets
