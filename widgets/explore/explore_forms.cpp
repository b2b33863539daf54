// SPDX-License-Identifier: GPL-3.0-or-later
// Where the page's points come from: its forms, and what runs their studies.
#include "widgets/explore/explore_workspace.h"

#include "widgets/explore/frontier/frontier_setup.h"
#include "widgets/explore/page_switch.h"
#include "widgets/explore/run_row.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_setup.h"
#include "widgets/plots/notice_bar.h"

namespace heteroscape::widgets {

void ExploreWorkspace::connectForm(SourceForm* form) {
    connect(form->runRow(), &RunRow::runRequested, this, &ExploreWorkspace::runOrResume);
    connect(form->runRow(), &RunRow::cancelRequested, this, &ExploreWorkspace::cancel);
    connect(form->runRow(), &RunRow::pauseRequested, m_runner, &StudyRunner::cancel);
    connect(form, &SourceForm::limitsChanged, this, [this, form] {
        if (form == m_form)
            m_marks->setLimits(form->limits());
    });
    connect(form, &SourceForm::changed, this, [this, form] {
        if (form != m_form)
            return;
        showEmpty();
        tellState();
    });
    connect(form, &SourceForm::wanted, this, [this, form] {
        if (form == m_form)
            run();
    });
    connect(form, &SourceForm::plotsChanged, this, [this, form] {
        if (form == m_form && m_study && form->makes(m_study->definition))
            m_board->setPlots(form->plots(m_study->definition));
    });
    connect(form, &SourceForm::refused, m_notice, &NoticeBar::showError);
}

SourceForm* ExploreWorkspace::formOf(const engine::Study& study) const {
    return m_frontier->makes(study) ? static_cast<SourceForm*>(m_frontier) : m_setup;
}

void ExploreWorkspace::awaitIn(SourceForm* form) {
    form->awaitStudy();
    m_switch->setPage(form == m_frontier ? m_frontierPage : 0);
}

void ExploreWorkspace::showEmpty() {
    m_empty->showForm(*m_form, m_runner->isBusy());
}

void ExploreWorkspace::useForm(SourceForm* form) {
    if (form == m_form)
        return;
    m_form = form;
    m_setup->setVisible(form == m_setup);
    m_frontier->setVisible(form == m_frontier);
    const auto before = m_shown.find(form);
    showStudy(before == m_shown.end() ? nullptr : before->second);
    showEmpty();
}

void ExploreWorkspace::take(const std::shared_ptr<const LoadedStudy>& study) {
    auto* form = formOf(study->definition);
    if (form == m_form)
        showStudy(study);
    else
        m_shown[form] = study;
}

void ExploreWorkspace::connectRunner() {
    connect(m_runner, &StudyRunner::progressed, this,
            [this](const engine::StudyProgress& progress) { m_runs->runRow()->showProgress(progress); });
    connect(m_runner, &StudyRunner::tableRead, this, &ExploreWorkspace::take);
    connect(m_runner, &StudyRunner::ran, this,
            [this](const engine::StudyRun& run) { m_runs->runRow()->showDone(run); });
    connect(m_runner, &StudyRunner::damaged, m_notice, &NoticeBar::showError);
    connect(m_runner, &StudyRunner::failed, this, [this](const QString& message) {
        m_notice->showError(message);
        m_runs->runRow()->showStatus({});
    });
    connect(m_runner, &StudyRunner::notKept, this, [this](const QString& message) {
        m_unkept = tr("%1. The points are shown, but not kept.").arg(message);
        m_notice->showError(m_unkept);
        m_runs->runRow()->showStatus({});
    });
    connect(m_runner, &StudyRunner::brokenOff, this,
            [this](const QString& message, std::size_t done, std::size_t total) {
                m_unkept =
                    done > 0 ? tr("%1. The %2 of %3 points stored before that are shown.")
                                   .arg(message, countText(done), countText(total))
                             : tr("%1. None of the %2 points is shown: more than %3 are not held in memory.")
                                   .arg(message, countText(total), countText(StudyRunner::kMostInMemory));
                m_notice->showError(m_unkept);
                m_runs->runRow()->showStatus({});
            });
    connect(m_runner, &StudyRunner::finished, this, [this] {
        m_runs->setRunning(false);
        m_list->setDeletable(true);
        m_list->refresh();
        if (m_study)
            m_list->setCurrent(m_study->table.info.id);
        showEmpty();
    });
}

} // namespace heteroscape::widgets
