// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/find_page.h"

#include "engine/base/error.h"
#include "engine/base/json.h"
#include "engine/base/parallel.h"
#include "engine/study/truths.h"
#include "widgets/document/document.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/run_row.h"
#include "widgets/find/cluster_card.h"
#include "widgets/find/find_charts.h"
#include "widgets/find/find_setup.h"
#include "widgets/find/found_card.h"
#include "widgets/find/seek_panel.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_lines.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QSpinBox>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace heteroscape::widgets {

void FindPage::connectRunner() {
    connect(m_bar, &SearchBar::runRequested, this, &FindPage::search);
    connect(m_bar, &SearchBar::pauseRequested, this, &FindPage::pause);
    connect(m_bar, &SearchBar::cancelRequested, this, &FindPage::cancel);
    connect(m_bar, &SearchBar::keepRequested, this, &FindPage::keep);
    connect(m_bar, &SearchBar::keptChosen, this, &FindPage::openKept);
    connect(m_bar, &SearchBar::removeRequested, this, &FindPage::removeKept);
    connect(m_runner, &SearchRunner::progressed, this, [this](const engine::SearchProgress& progress) {
        m_bar->showProgress(progress, m_begunAt);
        const auto fresh = progress.done - std::min(m_begunAt, progress.done);
        if (fresh > 0)
            m_secondsOfAll = progress.seconds / static_cast<double>(fresh) *
                             static_cast<double>(progress.total) * engine::coreCount();
    });
    connect(m_runner, &SearchRunner::found, this, &FindPage::take);
    connect(m_runner, &SearchRunner::failed, m_notice, &NoticeBar::showError);
    connect(m_runner, &SearchRunner::notKept, this, [this](const QString& message) {
        m_notice->showError(tr("%1. The search runs, but a kill would lose it.").arg(message));
    });
    connect(m_runner, &SearchRunner::finished, this, &FindPage::ended);
    connect(m_runner, &SearchRunner::cutOff, this, [this](const std::shared_ptr<const FoundSearch>& part) {
        if (m_runner->isBusy() || m_found)
            return;
        m_cutOff = part;
        m_notice->showWarning(tr("A search of this design was stopped after %1 of %2 points.")
                                  .arg(countText(part->record.state->done), countText(part->record.total())),
                              tr("Go on"));
    });
    connect(m_notice, &NoticeBar::acted, this, [this] {
        m_notice->hide();
        if (!m_cutOff)
            return;
        m_running = m_cutOff->record;
        m_setup->setProblem(m_running->problem);
        take(std::exchange(m_cutOff, nullptr));
        m_bar->setState(SearchBar::State::Paused);
        search();
    });
    connect(m_cluster, &ClusterCard::told, m_notice, &NoticeBar::showDone);
    connect(m_cluster, &ClusterCard::failed, m_notice, &NoticeBar::showError);
    connect(m_cluster->job(), &ClusterJob::merged, this, [this](const auto& whole) {
        m_keptName.clear();
        take(whole);
        m_notice->showDone(tr("The pieces are merged: %1 points.").arg(countText(whole->tally().points())));
    });
    connect(&m_facts, &Job::failed, m_notice, &NoticeBar::showError);
    connect(&m_reading, &Job::failed, m_notice, &NoticeBar::showError);
    m_notice->follow(*m_export);
}

void FindPage::connectCards() {
    for (auto* card : m_cards) {
        connect(card, &FoundCard::chosen, this, [this, card] { choose(card->facts().ordinal); });
        connect(card, &FoundCard::openRequested, this, [this, card] { openFound(card->facts()); });
        connect(card, &FoundCard::pinRequested, this, [this, card] { pin(card->facts()); });
        connect(card, &FoundCard::compareRequested, this,
                [this, card] { emit compareRequested(card->facts().name, card->facts().design); });
    }
    const auto ordinalAt = [this](ChartPoint point) -> std::optional<std::uint64_t> {
        const auto at = static_cast<std::size_t>(point.index);
        if (!m_found || point.kind != ChartPoint::Kind::Cloud || at >= m_found->cloud.size())
            return std::nullopt;
        return m_found->cloud[at].ordinal;
    };
    connect(m_plot, &PlotView::pointClicked, this, [this, ordinalAt](ChartPoint point) {
        if (const auto ordinal = ordinalAt(point))
            choose(*ordinal);
    });
    connect(m_plot, &PlotView::pointActivated, this, [this, ordinalAt](ChartPoint point) {
        if (const auto ordinal = ordinalAt(point))
            openFound(foundFacts(*m_found, *ordinal, {}));
    });
    const auto& lines = m_plot->pointer().lines();
    connect(&lines, &PlotLines::moving, this, [this](int line, double at) { moveLimit(line, at, false); });
    connect(&lines, &PlotLines::moved, this, [this](int line, double at) { moveLimit(line, at, true); });
    connect(m_unmet, &UnmetNote::relaxRequested, this, &FindPage::relax);
    connect(m_setup->seek(), &SeekPanel::setRequested, this,
            [this](const QString& what, const engine::Scenario& design) {
                FoundFacts facts;
                facts.name = what;
                facts.design = design;
                openFound(facts);
            });
}

/// The field of a limit follows its line; it is set once the line is let go.
void FindPage::moveLimit(int line, double at, bool done) {
    const auto limits = m_setup->limits()->limits();
    const auto lines = m_found ? limitLines(*m_found, limits) : std::vector<LimitLine>();
    if (line < 0 || static_cast<std::size_t>(line) >= lines.size())
        return;
    const auto& moved = lines[static_cast<std::size_t>(line)];
    auto limit = limits[moved.limit];
    (moved.isMost ? limit.most : limit.least) = at;
    if (limit.least > limit.most)
        return;
    m_setup->limits()->setLimit(moved.limit, limit, done);
    showFront(true);
}

void FindPage::searchLikeForLike() {
    m_setup->limits()->add(engine::likeForLike(m_found->truths));
    search();
}

void FindPage::relax(const std::vector<engine::Limit>& relaxed) {
    for (const auto& limit : relaxed) {
        const auto now = m_setup->limits()->limits();
        for (std::size_t i = 0; i < now.size(); ++i)
            if (now[i].column == limit.column)
                m_setup->limits()->setLimit(i, limit, true);
    }
}

engine::SearchRecord FindPage::asked() const {
    engine::SearchRecord record;
    record.problem = *m_setup->problem();
    record.method = &engine::searchMethods().at(m_method->currentData().toString().toStdString(), "method");
    record.evaluations = static_cast<std::uint64_t>(m_evaluations->value());
    return record;
}

bool FindPage::isBusy() const {
    return m_runner->isBusy() || m_facts.isBusy() || m_reading.isBusy() || m_setup->seek()->isBusy();
}

void FindPage::follow() {
    const auto& problem = m_setup->problem();
    if (m_found) {
        m_setup->showBroken(&m_found->tally(), m_found->problem().study.limits);
        showFront(true); // its lines are where the limits are set
    }
    const bool exhaustive = m_method->currentData() == QStringLiteral("exhaustive");
    m_evaluations->setEnabled(!exhaustive);
    m_bar->setRunnable(problem.has_value());
    if (!m_runner->isBusy() && m_bar->state() == SearchBar::State::Paused && problem && m_running) {
        auto other = asked();
        const auto question = [](engine::SearchRecord record) {
            record.state = nullptr;
            return engine::writeSearch(record);
        };
        if (question(other) != question(*m_running))
            m_bar->setState(SearchBar::State::Idle); // its file stays: the same search goes on from there
    }
    if (problem) {
        const auto record = asked();
        const bool same = m_found && m_found->record.total() == record.total() && m_secondsOfAll > 0.0;
        m_cluster->setSearch(&record, same ? m_secondsOfAll : std::numeric_limits<double>::quiet_NaN());
    } else {
        m_cluster->setSearch(nullptr, std::numeric_limits<double>::quiet_NaN());
    }
}

void FindPage::search() {
    if (m_runner->isBusy())
        return;
    const bool goesOn = m_bar->state() == SearchBar::State::Paused && m_running;
    if (!goesOn) {
        if (!m_setup->problem())
            return;
        m_running = asked();
        m_growth.clear();
        m_chosen.reset();
        m_found.reset();
    }
    m_keptName.clear();
    m_cancelled = false;
    m_notice->hide();
    m_begunAt = m_running->state ? m_running->state->done : 0;
    m_bar->setState(SearchBar::State::Running);
    m_bar->showPlace(m_begunAt, m_running->total());
    showKept();
    m_runner->run(*m_running);
}

void FindPage::pause() {
    m_runner->pause();
}

void FindPage::cancel() {
    m_cancelled = true;
    if (m_runner->isBusy())
        m_runner->pause();
    else
        ended();
}

void FindPage::ended() {
    const bool done = m_found && m_found->isDone();
    if (m_cancelled && m_running)
        m_runner->forget(*m_running);
    if (m_running && m_found && m_found->record.state)
        m_running->state = m_cancelled ? nullptr : m_found->record.state;
    m_bar->setState(done || m_cancelled || !m_running || !m_running->state ? SearchBar::State::Idle
                                                                           : SearchBar::State::Paused);
    if (!m_found)
        m_bar->showPlace(0, 0);
    follow();
}

void FindPage::take(const std::shared_ptr<const FoundSearch>& found) {
    m_found = found;
    const auto done = found->record.state->done;
    if (!m_growth.empty() && done < m_growth.back().first)
        m_growth.clear();
    m_growth.emplace_back(done, found->front.size());
    if (!m_runner->isBusy() || found->isDone())
        m_bar->showPlace(done, found->record.total());
    present();
    showKept();
}

void FindPage::choose(std::uint64_t ordinal) {
    m_chosen = ordinal;
    presentCards();
}

void FindPage::openFound(const FoundFacts& facts) {
    auto design = facts.design;
    design.takeKept(m_document->scenario()); // it stays with what is open
    m_document->replaceScenario(design, tr("Open a found design: %1").arg(facts.name));
    emit designOpened();
}

void FindPage::pin(const FoundFacts& facts) {
    m_document->pins().add(facts.name, facts.design, facts.metrics);
    m_notice->showDone(tr("%1 is pinned.").arg(facts.name));
}

void FindPage::keep() {
    if (!m_found)
        return;
    auto design = m_document->scenario();
    const auto wanted = searchName(m_found->problem());
    auto name = wanted;
    const auto isTaken = [&] {
        return std::any_of(design.searches.begin(), design.searches.end(),
                           [&](const auto& kept) { return kept.name == name.toStdString(); });
    };
    for (int i = 2; isTaken(); ++i)
        name = tr("%1 (%2)").arg(wanted).arg(i);
    if (design.searches.size() >= engine::kMaxSearches) {
        m_notice->showError(tr("The design keeps %1 searches: remove one first.").arg(engine::kMaxSearches));
        return;
    }
    design.searches.push_back({name.toStdString(), std::make_shared<const std::string>(
                                                       engine::writeSearch(m_found->record).dump())});
    m_keptName = name;
    m_document->replaceScenario(design, tr("Keep the search “%1”").arg(name));
    showKept();
}

void FindPage::removeKept() {
    auto design = m_document->scenario();
    const auto name = std::exchange(m_keptName, {});
    std::erase_if(design.searches, [&](const auto& kept) { return kept.name == name.toStdString(); });
    m_document->replaceScenario(design, tr("Remove the search “%1”").arg(name));
    showKept();
}

void FindPage::openKept(int index) {
    const auto& searches = m_document->scenario().searches;
    if (m_runner->isBusy() || index < 0 || static_cast<std::size_t>(index) >= searches.size()) {
        showKept();
        return;
    }
    const auto kept = searches[static_cast<std::size_t>(index)];
    m_reading.start([this, kept, catalog = m_document->sharedCatalog()](JobRun&) -> Job::Show {
        auto record = engine::readSearch(engine::parseJson(*kept.found, kept.name), *catalog,
                                         "search \"" + kept.name + "\"");
        return
            [this, name = QString::fromStdString(kept.name), read = foundSearch(std::move(record), catalog)] {
                m_growth.clear();
                m_chosen.reset();
                m_keptName = name;
                m_method->setCurrentIndex(m_method->findData(QString::fromUtf8(read->record.method->id())));
                m_evaluations->setValue(
                    static_cast<int>(std::min<std::uint64_t>(read->record.evaluations, INT_MAX)));
                m_setup->setProblem(read->problem());
                m_running = read->record;
                take(read);
                m_bar->setState(read->isDone() ? SearchBar::State::Idle : SearchBar::State::Paused);
                if (!read->record.isCurrent)
                    m_notice->showWarning(
                        tr("This was found by another version of the equations: its figures may "
                           "differ. Search again to be sure."),
                        QString());
            };
    });
}

void FindPage::showKept() {
    QStringList names;
    int current = -1;
    for (const auto& kept : m_document->scenario().searches) {
        if (!m_keptName.isEmpty() && kept.name == m_keptName.toStdString())
            current = static_cast<int>(names.size());
        names << QString::fromStdString(kept.name);
    }
    m_bar->setKept(names, current);
    m_bar->setKeepable(m_found && current < 0);
}

void FindPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (std::exchange(m_looked, true) || m_found || m_runner->isBusy())
        return;
    const auto& searches = m_document->scenario().searches;
    if (!searches.empty())
        openKept(static_cast<int>(searches.size()) - 1);
    else
        m_runner->lookForCutOff(m_document->scenario());
}

} // namespace heteroscape::widgets

#include "moc_find_page.cpp"
