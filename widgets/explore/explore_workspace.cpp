// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/explore_workspace.h"

#include "engine/base/error.h"
#include "widgets/explore/frontier/frontier_setup.h"
#include "widgets/explore/page_switch.h"
#include "widgets/explore/run_row.h"
#include "widgets/explore/scrub_panel.h"
#include "widgets/explore/selected_panel.h"
#include "widgets/explore/source_forms.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_setup.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"

#include <QScrollArea>
#include <QShortcut>
#include <QStackedWidget>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kColumnGutter = 10;

/// What scrolls beside the plots, empty.
QWidget* makeSidebar(QWidget* page) {
    constexpr int kWidth = 252;
    auto* inner = new Surface(ColorRole::Panel, false);
    auto* scroll = new QScrollArea(page);
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(kWidth);
    scroll->setFocusPolicy(Qt::NoFocus);
    makeRow(page)->addWidget(scroll);
    return inner;
}

} // namespace

ExploreWorkspace::ExploreWorkspace(Document* document, const QString& storePath, QWidget* parent)
    : QWidget(parent), m_document(document), m_storePath(storePath), m_marks(new StudyMarks(this)),
      m_switch(new PageSwitch(this)), m_studies(new QWidget(m_switch->room())),
      m_side(makeSidebar(m_studies)), m_setup(new StudySetup(document, m_side)),
      m_frontier(new FrontierSetup(document, m_side)), m_forms(new SourceForms(m_switch, m_studies, this)),
      m_list(new StudyList(storePath, m_side)), m_pages(new QStackedWidget(m_studies)),
      m_empty(new EmptyStudyPage), m_notice(new NoticeBar(m_studies)),
      m_selected(new SelectedPanel(m_marks, m_side)), m_board(new StudyBoard(m_marks, *document)),
      m_scrub(new ScrubPanel(m_board, document->sharedCatalog(), m_side)),
      m_runner(new StudyRunner(storePath, document->sharedCatalog(), this)) {
    layOut();
    connectForms();
    connectList();
    connectBoard();
    connectRunner();
    addShortcuts();
    m_setup->setStorePath(storePath);
    connect(m_marks, &StudyMarks::limitsChanged, this, &ExploreWorkspace::keepLimits);
    connect(m_marks, &StudyMarks::limitsTried, this,
            [this] { m_forms->shown()->setLimits(m_marks->limits()); });
    connect(m_empty, &EmptyStudyPage::runRequested, this, &ExploreWorkspace::run);
    connect(document, &Document::changed, this, &ExploreWorkspace::tellState);
    const auto chooseArrivals = [this] { emit quantityRequested("serving.arrivals"); };
    connect(m_setup, &StudySetup::arrivalsRequested, this, chooseArrivals);
    connect(m_board, &StudyBoard::arrivalsRequested, this, chooseArrivals);
    for (const auto& problem : m_figures.read(document->sharedCatalog()))
        m_notice->showError(problem);
    showPoint();
    showEmpty();
}

void ExploreWorkspace::addShortcuts() {
    const auto add = [this](const QKeySequence& keys, auto action) {
        auto* shortcut = new QShortcut(keys, m_studies);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    add(Qt::Key_B, [this] {
        if (const auto row = m_board->point())
            pinRow(*row);
    });
    add(Qt::SHIFT | Qt::Key_B, [this] { unpin(); });
}

void ExploreWorkspace::layOut() {
    auto* side = makeColumn(m_side, {12, 12, 12, 12}, 16);
    side->addWidget(m_selected);
    side->addWidget(m_setup);
    side->addWidget(m_frontier);
    side->addWidget(m_scrub);
    side->addWidget(m_list, 1);
    auto* back = new Surface(ColorRole::Window, false, m_studies);
    qobject_cast<QHBoxLayout*>(m_studies->layout())->addWidget(back, 1);
    auto* right =
        makeColumn(back, {kColumnGutter, kColumnGutter, kColumnGutter, kColumnGutter}, kColumnGutter);
    m_notice->setObjectName(QStringLiteral("studyNotice")); // the other pages have their own
    floatOver(m_notice, back, Qt::BottomEdge);
    right->addWidget(m_pages, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_board);
    m_forms->add(m_setup, tr("Study"));
    m_forms->add(m_frontier, tr("Frontier"), m_frontier->tools());
    makeColumn(this)->addWidget(m_switch);
}

void ExploreWorkspace::connectBoard() {
    connect(m_board, &StudyBoard::rowActivated, this, &ExploreWorkspace::openRow);
    connect(m_board, &StudyBoard::scenarioActivated, this, &ExploreWorkspace::openScenario);
    connect(m_board, &StudyBoard::pointChanged, this, &ExploreWorkspace::showPoint);
    connect(m_board, &StudyBoard::plotsChanged, this, &ExploreWorkspace::showPoint);
    connect(m_board, &StudyBoard::drawn, this, &ExploreWorkspace::tellState);
    connect(m_board, &StudyBoard::sweepRequested, this, &ExploreWorkspace::addAxis);
    connect(m_board, &StudyBoard::unpinRequested, this, &ExploreWorkspace::unpin);
    connect(m_board, &StudyBoard::plotClosed, this, [this](const QString& title) {
        if (!title.isEmpty())
            m_notice->showOffer(tr("Closed: %1").arg(title), tr("Bring it back"));
        else if (m_notice->isOffering())
            m_notice->hide();
    });
    connect(m_notice, &NoticeBar::acted, m_board, &StudyBoard::bringBack);
    connect(m_notice, &NoticeBar::acted, m_notice, &QWidget::hide);
    connect(m_board, &StudyBoard::done, m_notice, &NoticeBar::showDone);
    connect(m_board, &StudyBoard::failed, m_notice, &NoticeBar::showError);
    connect(m_scrub, &ScrubPanel::failed, m_notice, &NoticeBar::showError);
    connect(m_marks, &StudyMarks::baselineChanged, this, &ExploreWorkspace::showPoint);
    connect(m_selected, &SelectedPanel::openRequested, this, [this] {
        if (const auto row = m_board->point())
            openRow(*row);
    });
    const auto pin = [this] {
        if (const auto row = m_board->point())
            pinRow(*row);
    };
    connect(m_selected, &SelectedPanel::pinRequested, this, pin);
    connect(m_selected, &SelectedPanel::pinDesignRequested, this, &ExploreWorkspace::pinDesign);
    connect(m_selected, &SelectedPanel::unpinRequested, this, &ExploreWorkspace::unpin);
}

void ExploreWorkspace::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    tellState();
    if (m_study || m_runner->isBusy() || m_forms->shown() != m_setup)
        return;
    if (const auto id = m_list->newestOf(m_document->scenario(), m_document->catalog()))
        open(*id);
}

void ExploreWorkspace::open(qint64 id) {
    withStore([&](engine::Store& store) {
        const auto axes = store.study(id).axes; // its design is not read for this
        const bool frontier = !axes.empty() && engine::isPointPath(axes.front().path);
        m_forms->await(frontier ? static_cast<SourceForm*>(m_frontier) : m_setup);
    });
    // Copies only: it is asked on the runner's thread.
    m_runner->open(id, [shown = m_board->metrics(), figures = m_figures](const engine::StudyInfo& info) {
        auto wanted = figures.metricsOf(info.axes);
        wanted.insert(wanted.begin(), shown.begin(), shown.end());
        for (const auto& limit : info.limits)
            if (engine::findMetric(limit.column))
                wanted.push_back(limit.column);
        return wanted;
    });
}

std::vector<engine::StudyPlot> ExploreWorkspace::shownPlots() const {
    std::vector<engine::StudyPlot> plots;
    if (!m_study || m_study->table.partial)
        return plots;
    const auto open = engine::scenarioKey(m_document->scenario());
    if (m_forms->shown()->isCurrent(*m_study) || open == m_opened)
        for (const auto* tile : m_board->plots())
            plots.push_back(tile->plot());
    return plots;
}

void ExploreWorkspace::addAxis(const QString& path) {
    m_forms->show(m_setup);
    m_setup->addAxis(path);
}

void ExploreWorkspace::openFigure(const engine::FigureStudy& figure) {
    m_forms->show(m_setup);
    m_setup->takeAxes(figure.study.axes);
    run();
    setFocus(); // on nothing in particular: Tab leads to the axes
}

void ExploreWorkspace::run() {
    auto study = m_forms->shown()->study();
    if (!study)
        return;
    for (const auto& figure : m_figures.all()) // a figure keeps its name in the list of studies
        if (figure.study.axes == study->axes &&
            engine::scenarioKey(figure.study.base) == engine::scenarioKey(study->base)) {
            study->name = figure.name;
            study->nodeMetrics = figure.study.nodeMetrics;
        }
    start(std::move(*study));
}

void ExploreWorkspace::keepLimits() {
    const auto& limits = m_marks->limits();
    m_forms->shown()->keepLimits(limits);
    if (m_started && m_forms->running()->runRow()->isRunning())
        m_started->limits = limits;
    if (m_study && m_study->table.info.id > 0)
        withStore([&](engine::Store& store) { store.setLimits(m_study->table.info.id, limits); });
}

void ExploreWorkspace::cancel() {
    m_runner->cancel();
    m_forms->running()->runRow()->showStatus(tr("Stopping"));
}

void ExploreWorkspace::showStudy(const std::shared_ptr<const LoadedStudy>& study) {
    const bool another = !study || !m_study || m_study->table.info.id != study->table.info.id;
    const bool alike = study && m_study && m_forms->shown()->makes(m_study->definition);
    auto* sidebar = m_side;
    auto* field = fieldInSight(sidebar);
    m_study = study;
    if (study)
        m_forms->shown()->showsStudy(*study);
    m_drawing = true;
    if (another)
        m_opened.clear();
    m_marks->setStudy(study);
    if (another && study && study->table.info.id > 0)
        m_unkept.clear();
    if (another && study) {
        // They may be newer than the run.
        if (m_started && m_forms->running() == m_forms->shown() && m_forms->shown()->runRow()->isRunning())
            m_marks->setLimits(m_started->limits);
        m_forms->shown()->setLimits(m_marks->limits());
    }
    const auto* figure = another && study ? m_figures.of(study->definition) : nullptr;
    auto plots = figure ? figure->plots : std::vector<engine::StudyPlot>();
    if (another && study && !figure)
        plots = m_forms->shown()->plots(study->definition);
    if (alike && !figure && !plots.empty()) // as they are, of other points
        plots = m_board->shownPlots();
    m_board->showStudy(plots, another);
    m_scrub->showStudy(study);
    // The page that comes would give the focus to its first field.
    if (m_pages->currentIndex() != (study ? 1 : 0) && m_pages->isAncestorOf(window()->focusWidget()))
        setFocus();
    m_pages->setCurrentIndex(study ? 1 : 0);
    showPoint();
    layOutScrolled(sidebar, field);
    tellState();
}

void ExploreWorkspace::tellState() {
    if (!m_study || !isVisible())
        return;
    const auto& info = m_study->table.info;
    const auto wanted = m_forms->shown()->study();
    const auto open = engine::scenarioKey(m_document->scenario());
    const auto tiles = m_board->plots();
    // Only until this table is drawn, not whenever a picture changes.
    m_drawing =
        m_drawing && std::any_of(tiles.begin(), tiles.end(), [](auto* tile) { return tile->isBusy(); });
    const bool stale = !m_forms->shown()->isCurrent(*m_study) && open != m_opened;
    const auto done = countText(m_study->table.rows()), all = countText(info.points);
    if (m_study->table.rows() < info.points)
        m_board->showState(
            stale ? tr("%1 of %2 points so far, of another state of the design than the open one")
                        .arg(done, all)
                  : tr("%1 of %2 points so far").arg(done, all));
    else if (m_drawing)
        m_board->showState(tr("%1 points are there, the plots are being drawn").arg(all));
    else if (stale)
        m_board->showState(tr("Drawn of another state of the design than the open one: run it again to see "
                              "the open one"));
    else if (open != m_opened && wanted && wanted->axes != m_study->definition.axes)
        m_board->showState(tr("The axes on the left are others than those drawn: run them to see them"));
    else
        m_board->showState({});
}

void ExploreWorkspace::showPoint() {
    const auto point = m_board->point();
    m_selected->showPoint(point, point && point == m_board->bestPoint(), m_board->metrics());
}

bool ExploreWorkspace::isBusy() const {
    const auto tiles = m_board->plots();
    return isRunning() || m_forms->shown()->isBusy() ||
           std::any_of(tiles.begin(), tiles.end(), [](const auto* tile) { return tile->isBusy(); });
}

void ExploreWorkspace::selectRow(std::size_t row) {
    if (m_study && row < m_study->table.rows())
        m_marks->select(row);
}

void ExploreWorkspace::openRow(std::size_t row) {
    if (!m_study || row >= m_study->table.rows())
        return;
    selectRow(row);
    openScenario(m_study->scenarioOf(row));
}

void ExploreWorkspace::openScenario(const engine::Scenario& scenario) {
    auto opened = scenario;
    opened.takeKept(m_document->scenario()); // of the design that is left
    m_document->replaceScenario(opened, tr("Open a point of a study"));
    m_opened = engine::scenarioKey(scenario);
    emit designOpened();
}

void ExploreWorkspace::pinRow(std::size_t row) {
    if (!m_study || row >= m_study->table.rows())
        return;
    m_marks->setBaseline(baselineOf(*m_study, row, m_study->nameOf(row)));
    Pins::Values metrics;
    for (const auto& spec : engine::metricSpecs()) {
        const auto* column = m_study->table.find(std::string(spec.key));
        metrics[static_cast<std::size_t>(spec.metric)] =
            column ? engine::feasibleValue(m_study->table, *column, row) * spec.scale : engine::kUnset;
    }
    m_document->pins().add(m_study->nameOf(row), m_study->scenarioOf(row), metrics);
}

void ExploreWorkspace::pinDesign() {
    m_marks->setBaseline(baselineOf(m_document->evaluation(), m_document->title()));
}

void ExploreWorkspace::unpin() {
    m_marks->setBaseline(nullptr);
}

} // namespace heteroscape::widgets

#include "moc_explore_workspace.cpp"
