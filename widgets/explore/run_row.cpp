// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/run_row.h"

#include "engine/units/number_text.h"
#include "widgets/explore/run_words.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QProgressBar>
#include <QPushButton>

namespace heteroscape::widgets {

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
