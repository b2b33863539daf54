// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/explore_workspace.h"

#include "engine/base/error.h"
#include "engine/plotting/ticks.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/study_list.h"
#include "widgets/explore/study_setup.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/text_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {
constexpr int kSidebarWidth = 252;
constexpr int kGutter = 10;
} // namespace

ExploreWorkspace::ExploreWorkspace(Document* document, const QString& storePath, QWidget* parent)
    : QWidget(parent), m_document(document), m_storePath(storePath), m_setup(new StudySetup(document, this)),
      m_list(new StudyList(storePath, this)), m_pages(new QStackedWidget(this)),
      m_notice(new NoticeBar(this)), m_left(new StudyTile(QStringLiteral("throughput_tok_s"), this)),
      m_right(new StudyTile(QStringLiteral("tok_s_per_usd"), this)), m_table(new PointsTable(this)),
      m_runner(new StudyRunner(storePath, document->sharedCatalog(), this)) {
    auto* back = new Surface(ColorRole::Window, false, this);
    auto* right = new QVBoxLayout(back);
    right->setContentsMargins(kGutter, kGutter, kGutter, kGutter);
    right->setSpacing(kGutter);
    right->addWidget(m_notice);
    right->addWidget(m_pages, 1);
    m_pages->addWidget(makeEmptyPage());
    m_pages->addWidget(makeResults());
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(makeSidebar());
    row->addWidget(back, 1);

    connect(m_setup, &StudySetup::runRequested, this, &ExploreWorkspace::run);
    connect(m_setup, &StudySetup::cancelRequested, this, &ExploreWorkspace::cancel);
    connect(m_setup, &StudySetup::changed, this, &ExploreWorkspace::updateEmptyPage);
    const auto chooseArrivals = [this] { emit figureRequested("serving.arrivals"); };
    connect(m_setup, &StudySetup::arrivalsRequested, this, chooseArrivals);
    connect(m_list, &StudyList::openRequested, this, [this](qint64 id) {
        if (m_study && m_study->table.info.id == id)
            return;
        m_runner->open(id);
    });
    connect(m_list, &StudyList::removed, this, [this](qint64 id) {
        if (m_study && m_study->table.info.id == id)
            showStudy(nullptr);
    });
    connect(m_list, &StudyList::failed, m_notice, &NoticeBar::showError);
    for (auto* tile : {m_left, m_right}) {
        connect(tile, &StudyTile::rowClicked, this, &ExploreWorkspace::selectRow);
        connect(tile, &StudyTile::rowActivated, this, &ExploreWorkspace::openRow);
        connect(tile, &StudyTile::arrivalsRequested, this, chooseArrivals);
        connect(tile->exportButton(), &ExportButton::failed, m_notice, &NoticeBar::showError);
        connect(tile->exportButton(), &ExportButton::exported, this,
                [this](const QString& path) { m_notice->showDone(tr("Written: %1").arg(path)); });
    }
    connect(m_left, &StudyTile::metricChanged, this,
            [this] { m_table->sortBestFirst(m_left->query().metric); });
    connectRunner();
    readFigures();
    updateEmptyPage();
}

void ExploreWorkspace::readFigures() {
    const auto& catalog = m_document->catalog();
    std::vector<std::string> ids;
    const auto attempt = [this](const auto& work) {
        try {
            work();
        } catch (const engine::Error& error) {
            m_notice->showError(QString::fromUtf8(error.what()));
        }
    };
    attempt([&] { ids = engine::listStudies(catalog); });
    for (const auto& id : ids) // one that cannot be read does not hide the others
        attempt([&] { m_figures.push_back(engine::loadStudy(catalog, id, "study")); });
}

QWidget* ExploreWorkspace::makeSidebar() {
    auto* inner = new Surface(ColorRole::Panel, false);
    auto* column = new QVBoxLayout(inner);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(16);
    column->addWidget(m_setup);
    column->addWidget(m_list, 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(inner);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(kSidebarWidth);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

QWidget* ExploreWorkspace::makeEmptyPage() {
    auto* page = new Surface(ColorRole::Surface, true);
    auto* column = new QVBoxLayout(page);
    column->setSpacing(8);
    auto* icon = new QLabel(page);
    const auto restyle = [icon] {
        const auto& theme = Theme::instance();
        icon->setPixmap(theme.pixmap(QStringLiteral("sweep"), theme.color(ColorRole::Accent), 40,
                                     icon->devicePixelRatioF()));
    };
    connect(&Theme::instance(), &Theme::changed, icon, restyle);
    restyle();
    icon->setAlignment(Qt::AlignCenter);
    auto* heading = new TextLabel(tr("Sweep any parameter of this design"), TextSize::Heading,
                                  ColorRole::Text, QFont::DemiBold, page);
    heading->setAlignment(Qt::AlignCenter);
    m_emptyText = new TextLabel({}, TextSize::Body, ColorRole::Text2, QFont::Normal, page);
    m_emptyText->setAlignment(Qt::AlignCenter);
    m_emptyText->setWordWrap(true);
    auto* centred = new QHBoxLayout;
    centred->addStretch(1);
    centred->addWidget(m_emptyText, 4);
    centred->addStretch(1);
    m_emptyRun = new QPushButton(tr("Run"), page);
    m_emptyRun->setProperty("primary", true);
    m_emptyRun->setObjectName(QStringLiteral("emptyRun"));
    connect(m_emptyRun, &QPushButton::clicked, this, &ExploreWorkspace::run);
    column->addStretch(2);
    column->addWidget(icon);
    column->addWidget(heading);
    column->addLayout(centred);
    column->addSpacing(8);
    column->addWidget(m_emptyRun, 0, Qt::AlignHCenter);
    column->addStretch(3);
    return page;
}

QWidget* ExploreWorkspace::makeResults() {
    auto* tiles = new QWidget;
    auto* row = new QHBoxLayout(tiles);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGutter);
    row->addWidget(m_left, 1);
    row->addWidget(m_right, 1);

    connect(m_table, &PointsTable::rowChosen, this, [this](std::size_t chosen) {
        if (m_row != chosen)
            selectRow(chosen);
    });
    connect(m_table, &PointsTable::rowActivated, this, &ExploreWorkspace::openRow);
    connect(m_table, &PointsTable::done, m_notice, &NoticeBar::showDone);
    connect(m_table, &PointsTable::failed, m_notice, &NoticeBar::showError);

    auto* split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(kGutter);
    split->addWidget(tiles);
    split->addWidget(m_table);
    split->setStretchFactor(0, 7);
    split->setStretchFactor(1, 4);
    split->setSizes({460, 240});
    // The gutter itself is the handle; a line in it would look like a third border.
    split->setStyleSheet(QStringLiteral("QSplitter::handle { background: transparent; }"));
    return split;
}

void ExploreWorkspace::connectRunner() {
    connect(m_runner, &StudyRunner::progressed, m_setup, &StudySetup::showProgress);
    connect(m_runner, &StudyRunner::tableRead, this, &ExploreWorkspace::showStudy);
    connect(m_runner, &StudyRunner::ran, m_setup, &StudySetup::showDone);
    connect(m_runner, &StudyRunner::failed, this, [this](const QString& message) {
        m_notice->showError(message);
        m_setup->showStatus({});
    });
    connect(m_runner, &StudyRunner::finished, this, [this] {
        m_setup->setRunning(false);
        m_list->setDeletable(true);
        m_list->refresh();
        if (m_study)
            m_list->setCurrent(m_study->table.info.id);
        updateEmptyPage();
    });
}

void ExploreWorkspace::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_study || m_runner->isBusy())
        return;
    if (const auto id = m_list->newestOf(m_document->scenario(), m_document->catalog()))
        m_runner->open(*id);
}

void ExploreWorkspace::addAxis(const QString& path) {
    m_setup->addAxis(path);
}

void ExploreWorkspace::showDone(const QString& message) {
    m_notice->showDone(message);
}

void ExploreWorkspace::openFigure(const engine::FigureStudy& figure) {
    m_setup->takeAxes(figure.study.axes);
    run();
    setFocus(); // on nothing in particular: Tab leads to the axes
}

std::vector<engine::StudyPlot> ExploreWorkspace::figurePlots(const LoadedStudy& study) const {
    const auto key = engine::scenarioKey(study.definition.base);
    for (const auto& figure : m_figures)
        if (figure.study.axes == study.definition.axes && engine::scenarioKey(figure.study.base) == key)
            return figure.plots;
    return {};
}

void ExploreWorkspace::run() {
    auto study = m_setup->study();
    if (!study)
        return;
    for (const auto& figure : m_figures) // a figure keeps its name in the list of studies
        if (figure.study.axes == study->axes &&
            engine::scenarioKey(figure.study.base) == engine::scenarioKey(study->base))
            study->name = figure.name;
    m_notice->hide();
    m_runner->run(std::move(*study));
    m_setup->setRunning(true);
    m_list->setDeletable(false);
    updateEmptyPage();
}

void ExploreWorkspace::cancel() {
    m_runner->cancel();
    m_setup->showStatus(tr("Stopping"));
}

void ExploreWorkspace::showStudy(const std::shared_ptr<const LoadedStudy>& study) {
    const bool another = !study || !m_study || m_study->table.info.id != study->table.info.id;
    std::optional<std::size_t> row;
    if (!another)
        row = m_row;
    m_study = study;
    m_row.reset();
    m_left->setStudy(study);
    m_right->setStudy(study);
    if (another && study) {
        const auto plots = figurePlots(*study);
        for (std::size_t i = 0; i < plots.size() && i < 2; ++i)
            (i == 0 ? m_left : m_right)->setPlot(plots[i]);
    }
    if (another) {
        m_leading.clear();
        for (const auto* tile : {m_left, m_right})
            for (const auto* metrics : {&tile->plot().metrics, &tile->plot().rightMetrics})
                m_leading.insert(m_leading.end(), metrics->begin(), metrics->end());
    }
    m_table->setStudy(study, m_leading);
    // The page that comes would give the focus to its first field.
    if (m_pages->currentIndex() != (study ? 1 : 0) && m_pages->isAncestorOf(window()->focusWidget()))
        setFocus();
    m_pages->setCurrentIndex(study ? 1 : 0);
    if (!study)
        return;
    m_table->sortBestFirst(m_left->query().metric);
    if (row && *row < study->table.rows())
        selectRow(*row);
}

void ExploreWorkspace::selectRow(std::size_t row) {
    if (!m_study || row >= m_study->table.rows())
        return;
    m_row = row;
    m_left->selectRow(row);
    m_right->selectRow(row);
    m_table->selectRow(row);
}

void ExploreWorkspace::openRow(std::size_t row) {
    if (!m_study || row >= m_study->table.rows())
        return;
    selectRow(row);
    m_document->replaceScenario(m_study->scenarioOf(row), tr("Open a point of a study"));
    emit designOpened();
}

void ExploreWorkspace::updateEmptyPage() {
    const auto study = m_setup->study();
    m_emptyRun->setEnabled(study && !m_runner->isBusy());
    if (study) {
        const auto points =
            QString::fromStdString(engine::tickText(static_cast<double>(study->pointCount())));
        m_emptyRun->setText(tr("Run %1 points").arg(points));
        m_emptyText->setText(
            tr("Each axis on the left is a parameter of the design and the values it takes; every "
               "combination is evaluated once, kept, and drawn here."));
    } else {
        m_emptyRun->setText(tr("Run"));
        m_emptyText->setText(
            tr("Add an axis on the left: any parameter of the design, and the values it shall take."));
    }
}

} // namespace heteroscape::widgets
