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

StudyForecaster::StudyForecaster(QObject* parent)
    : QObject(parent), m_delay(new QTimer(this)), m_thread([this](std::stop_token stop) { work(stop); }) {
    m_delay->setSingleShot(true);
    m_delay->setInterval(kDelay);
    connect(m_delay, &QTimer::timeout, this, &StudyForecaster::hand);
}

StudyForecaster::~StudyForecaster() {
    drop();
    m_thread.request_stop();
    m_wake.notify_all();
}

void StudyForecaster::setStorePath(const QString& path) {
    m_storePath = path.toStdString();
}

void StudyForecaster::ask(const engine::Study& study) {
    ++m_generation;
    m_next = study;
    m_delay->start();
}

void StudyForecaster::drop() {
    ++m_generation;
    m_next.reset();
    m_delay->stop();
    const std::lock_guard lock(m_mutex);
    m_question.reset();
    m_current.request_stop();
}

void StudyForecaster::hand() {
    if (!m_next)
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_question = Question{std::move(*m_next), m_storePath, m_generation};
        m_current.request_stop(); // what is being answered is out of date
    }
    m_next.reset();
    m_wake.notify_all();
}

void StudyForecaster::work(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        Question question;
        std::stop_token current;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, stop, [this] { return m_question.has_value(); }))
                return;
            question = std::move(*m_question);
            m_question.reset();
            m_current = std::stop_source();
            current = m_current.get_token();
        }
        answer(std::move(question), current);
    }
}

void StudyForecaster::answer(Question question, const std::stop_token& stop) {
    const auto post = [this, generation = question.generation](auto call) {
        QMetaObject::invokeMethod(
            this,
            [this, generation, call] {
                if (generation == m_generation)
                    call();
            },
            Qt::QueuedConnection);
    };
    try {
        std::optional<engine::Store> store;
        // Looking must not make the file.
        if (!question.storePath.empty() && std::filesystem::exists(question.storePath))
            store.emplace(question.storePath);
        const auto forecast = engine::forecastStudy(question.study, store ? &*store : nullptr, stop);
        if (!stop.stop_requested())
            post([this, forecast] { emit told(forecast); });
    } catch (const std::exception& error) {
        post([this, message = QString::fromUtf8(error.what())] { emit failed(message); });
    }
}

} // namespace heteroscape::widgets
