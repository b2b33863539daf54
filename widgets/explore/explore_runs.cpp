// SPDX-License-Identifier: GPL-3.0-or-later
// Where the page's points come from: its forms, stored studies, and what runs them.
#include "widgets/explore/explore_workspace.h"

#include "engine/base/error.h"
#include "widgets/explore/frontier/frontier_setup.h"
#include "widgets/explore/page_switch.h"
#include "widgets/explore/run_row.h"
#include "widgets/explore/source_forms.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_export.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_setup.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"

#include <QDir>

namespace heteroscape::widgets {

void ExploreWorkspace::connectForms() {
    connect(m_forms, &SourceForms::runRequested, this, [this] {
        if (!m_forms->shown()->runRow()->isPaused() || !m_started)
            return run();
        auto study = *m_started; // the set-up may be another one's by now
        start(std::move(study));
    });
    connect(m_forms, &SourceForms::cancelRequested, this, &ExploreWorkspace::cancel);
    connect(m_forms, &SourceForms::pauseRequested, m_runner, &StudyRunner::cancel);
    connect(m_forms, &SourceForms::limitsChanged, this,
            [this] { m_marks->setLimits(m_forms->shown()->limits()); });
    connect(m_forms, &SourceForms::changed, this, &ExploreWorkspace::showEmpty);
    connect(m_forms, &SourceForms::changed, this, &ExploreWorkspace::tellState);
    connect(m_forms, &SourceForms::wanted, this, &ExploreWorkspace::run);
    connect(m_forms, &SourceForms::plotsChanged, this, [this] {
        if (m_study && m_forms->shown()->makes(m_study->definition))
            m_board->setPlots(m_forms->shown()->plots(m_study->definition));
    });
    connect(m_forms, &SourceForms::refused, m_notice, &NoticeBar::showError);
    connect(m_forms, &SourceForms::shownChanged, this, [this] {
        showStudy(m_forms->last());
        showEmpty();
    });
}

void ExploreWorkspace::connectList() {
    connect(m_list, &StudyList::openRequested, this, [this](qint64 id) {
        if (m_study && m_study->table.info.id == id)
            return;
        if (m_forms->running()->runRow()->isRunning()) { // one thread reads and runs
            m_forms->running()->runRow()->pause();
            m_notice->showDone(
                tr("The study that was running is paused: its points are kept, Resume goes on."));
        }
        open(id);
    });
    connect(m_list, &StudyList::removed, this, [this](qint64 id) {
        m_forms->forgetLast(id);
        if (m_study && m_study->table.info.id == id)
            showStudy(nullptr);
    });
    connect(m_list, &StudyList::failed, this, [this](const QString& message) {
        // What cannot be listed is a smaller loss than what cannot be kept.
        m_notice->showError(m_unkept.isEmpty() ? message : m_unkept);
    });
    connect(m_list, &StudyList::extendRequested, this, [this](qint64 id) {
        withStore([&](engine::Store& store) {
            const auto study = store.definition(id, m_document->catalog());
            auto* form = m_forms->of(study);
            m_forms->await(form);
            form->takeStudy(study);
        });
    });
    connect(m_list, &StudyList::resumeRequested, this, [this](qint64 id) {
        withStore([&](engine::Store& store) {
            auto study = store.definition(id, m_document->catalog());
            m_forms->await(m_forms->of(study));
            start(std::move(study));
        });
    });
    connect(m_list, &StudyList::exportRequested, this, &ExploreWorkspace::exportStored);
}

void ExploreWorkspace::exportStored(qint64 id, const QString& format) {
    withStore([&](engine::Store& store) {
        const auto path =
            askSavePath(this, tr("Export a study"),
                        QDir::home().filePath(QString::fromStdString(store.study(id).view) + u'.' + format),
                        tr("Study"), format);
        if (path.isEmpty())
            return;
        exportStudy(m_storePath, id, format, path, *m_document->sharedCatalog());
        m_notice->showDone(tr("Written: %1").arg(path));
    });
}

void ExploreWorkspace::withStore(const std::function<void(engine::Store&)>& work) {
    try {
        engine::Store store(m_storePath.toStdString());
        work(store);
    } catch (const engine::Error& error) {
        m_notice->showError(QString::fromStdString(error.what()));
    }
}

void ExploreWorkspace::showEmpty() {
    m_empty->showForm(*m_forms->shown(), m_runner->isBusy());
}

void ExploreWorkspace::start(engine::Study study) {
    m_notice->hide();
    auto* before = m_forms->running();
    if (before->runRow()->isRunning() && before != m_frontier) // which is run anew at each change
        m_notice->showDone(
            tr("The study that was running is stopped: its points are kept, running it again goes on."));
    auto* form = m_forms->of(study);
    m_unkept.clear();
    m_started = study;
    m_runner->run(std::move(study));
    m_forms->setRunning(form);
    m_list->setDeletable(false);
    showEmpty();
}

void ExploreWorkspace::connectRunner() {
    const auto row = [this] { return m_forms->running()->runRow(); };
    connect(m_runner, &StudyRunner::progressed, this,
            [row](const engine::StudyProgress& progress) { row()->showProgress(progress); });
    connect(m_runner, &StudyRunner::tableRead, this, [this](const std::shared_ptr<const LoadedStudy>& study) {
        m_forms->keepLast(study);
        if (m_forms->of(study->definition) == m_forms->shown())
            showStudy(study);
    });
    connect(m_runner, &StudyRunner::ran, this, [row](const engine::StudyRun& run) { row()->showDone(run); });
    connect(m_runner, &StudyRunner::damaged, m_notice, &NoticeBar::showError);
    connect(m_runner, &StudyRunner::failed, this, [this, row](const QString& message) {
        m_notice->showError(message);
        row()->showStatus({});
    });
    connect(m_runner, &StudyRunner::notKept, this, [this, row](const QString& message) {
        m_unkept = tr("%1. The points are shown, but not kept.").arg(message);
        m_notice->showError(m_unkept);
        row()->showStatus({});
    });
    connect(m_runner, &StudyRunner::brokenOff, this,
            [this, row](const QString& message, std::size_t done, std::size_t total) {
                m_unkept =
                    done > 0 ? tr("%1. The %2 of %3 points stored before that are shown.")
                                   .arg(message, countText(done), countText(total))
                             : tr("%1. None of the %2 points is shown: more than %3 are not held in memory.")
                                   .arg(message, countText(total), countText(StudyRunner::kMostInMemory));
                m_notice->showError(m_unkept);
                row()->showStatus({});
            });
    connect(m_runner, &StudyRunner::finished, this, [this] {
        m_forms->running()->setRunning(false);
        m_list->setDeletable(true);
        m_list->refresh();
        if (m_study)
            m_list->setCurrent(m_study->table.info.id);
        showEmpty();
    });
}

} // namespace heteroscape::widgets
