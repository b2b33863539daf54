// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/run_row.h"

#include "engine/base/error.h"
#include "engine/plotting/ticks.h"
#include "engine/units/number_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QCoreApplication>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>
#include <array>
#include <chrono>
#include <cmath>
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

namespace {

struct RunWordsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::RunWords)
};

QString digitsOf(double value, int digits) {
    return QString::fromStdString(engine::plainText(value, digits));
}

/// "12 s", "3 min", "2 h", "3 days", from one second on.
QString roughTime(double seconds) {
    if (seconds < 90)
        return RunWordsText::tr("%1 s").arg(digitsOf(std::round(seconds), 2));
    if (seconds < 90 * 60)
        return RunWordsText::tr("%1 min").arg(digitsOf(std::round(seconds / 60), 2));
    if (seconds < 48 * 3600)
        return RunWordsText::tr("%1 h").arg(digitsOf(std::round(seconds / 3600), 2));
    return RunWordsText::tr("%1 days").arg(digitsOf(std::round(seconds / 86400), 3));
}

} // namespace

QString countText(std::size_t count) {
    return QString::fromStdString(engine::tickText(static_cast<double>(count)));
}

QString timeWords(double seconds) {
    if (std::isnan(seconds))
        return {};
    return seconds < 1 ? RunWordsText::tr("under a second")
                       : RunWordsText::tr("about %1").arg(roughTime(seconds));
}

QString timeLeftWords(double seconds) {
    if (std::isnan(seconds))
        return {};
    return seconds < 1 ? RunWordsText::tr("under a second left")
                       : RunWordsText::tr("%1 left").arg(roughTime(seconds));
}

QString pointRateText(double perSecond) {
    return digitsOf(perSecond, 2);
}

QString fileSizeText(std::size_t bytes) {
    constexpr std::array units{"kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes) / 1000;
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return digitsOf(value, value < 10 ? 2 : 3) + u' ' + QLatin1String(units[unit]);
}

namespace {
constexpr int kBarSteps = 1000;
} // namespace

RunRow::RunRow(QWidget* parent)
    : QWidget(parent), m_run(new QPushButton(tr("Run"), this)), m_pause(new QPushButton(tr("Pause"), this)),
      m_cancel(new QPushButton(tr("Cancel"), this)), m_bar(new QProgressBar(this)),
      m_status(new TextLabel({}, TextSize::Caption, ColorRole::Muted, this)) {
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    buttons->addWidget(m_run, 1);
    buttons->addWidget(m_pause, 1);
    buttons->addWidget(m_cancel, 1);
    auto* column = makeColumn(this, {}, 6);
    column->addLayout(buttons);
    column->addWidget(m_bar);
    column->addWidget(m_status);
    m_status->setWordWrap(true);
    m_run->setProperty("primary", true);
    m_run->setObjectName(QStringLiteral("run"));
    m_pause->setObjectName(QStringLiteral("pause"));
    m_pause->setToolTip(tr("Stops and keeps what is stored; Resume goes on from there"));
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_bar->setRange(0, kBarSteps);
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the study"));
    m_status->hide();
    connect(m_run, &QPushButton::clicked, this, &RunRow::runRequested);
    connect(m_pause, &QPushButton::clicked, this, &RunRow::pause);
    connect(m_cancel, &QPushButton::clicked, this, &RunRow::cancel);
    enter(State::Idle);
}

void RunRow::enter(State state) {
    const bool hadFocus = m_run->hasFocus() || m_pause->hasFocus() || m_cancel->hasFocus();
    m_state = state;
    m_run->setText(state == State::Paused ? tr("Resume") : tr("Run"));
    m_run->setVisible(!isRunning());
    m_run->setEnabled(m_runnable);
    m_pause->setVisible(isRunning());
    m_pause->setEnabled(state == State::Running);
    m_cancel->setVisible(state != State::Idle);
    m_bar->setVisible(state != State::Idle);
    if (hadFocus)
        (isRunning() ? m_cancel : m_run)->setFocus();
}

void RunRow::setRunnable(bool runnable) {
    m_runnable = runnable;
    m_run->setEnabled(runnable);
}

void RunRow::setRunning(bool running) {
    if (running) {
        if (m_state != State::Paused) { // what was done before is done still
            m_bar->setValue(0);
            m_done = m_total = 0;
        }
        enter(State::Running);
        showStatus(tr("Starting"));
    } else if (m_state == State::Pausing && (m_total == 0 || m_done < m_total))
        showPaused(m_done, m_total);
    else if (isRunning())
        enter(State::Idle);
}

void RunRow::showPaused(std::size_t done, std::size_t total) {
    m_done = done;
    m_total = total;
    enter(State::Paused);
    m_bar->setValue(
        total == 0 ? 0
                   : static_cast<int>(kBarSteps * static_cast<double>(done) / static_cast<double>(total)));
    showStatus(total == 0 ? tr("Paused") : tr("Paused: %1 of %2").arg(countText(done), countText(total)));
}

void RunRow::reset() {
    if (m_state != State::Paused)
        return;
    enter(State::Idle);
    showStatus({});
}

void RunRow::pause() {
    if (m_state != State::Running)
        return;
    enter(State::Pausing);
    showStatus(tr("Pausing"));
    emit pauseRequested();
}

void RunRow::cancel() {
    if (m_state == State::Paused) {
        reset();
        return;
    }
    m_state = State::Running; // a pause that has not come about yet is none any more
    emit cancelRequested();
}

void RunRow::showProgress(const engine::StudyProgress& progress) {
    m_done = progress.done;
    m_total = progress.total;
    if (m_total > 0)
        m_bar->setValue(
            static_cast<int>(kBarSteps * static_cast<double>(m_done) / static_cast<double>(m_total)));
    if (m_state == State::Pausing)
        return;
    auto text = tr("%1 of %2 points").arg(countText(m_done), countText(m_total));
    if (progress.rate() > 0 && m_done < m_total)
        text += tr(", %1 points/s, %2")
                    .arg(pointRateText(progress.rate()), timeLeftWords(progress.secondsLeft()));
    showStatus(text);
}

void RunRow::showDone(const engine::StudyRun& run) {
    if (run.cancelled && m_state == State::Pausing)
        return; // setRunning() says where it waits
    const auto computed = countText(run.computed), reused = countText(run.reused);
    const auto seconds = QString::fromStdString(engine::shortText(run.seconds, 3));
    showStatus(run.cancelled
                   ? tr("Cancelled: %1 computed, %2 reused. Run goes on from there.").arg(computed, reused)
                   : tr("%1 computed, %2 reused, %3 s").arg(computed, reused, seconds));
}

void RunRow::showStatus(const QString& text) {
    m_status->setText(text);
    m_status->setVisible(!text.isEmpty());
}

} // namespace heteroscape::widgets

#include "moc_run_row.cpp"
