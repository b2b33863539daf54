// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_board.h"

#include "widgets/explore/plots/plot_form.h"
#include "widgets/explore/points_table.h"
#include "widgets/explore/study_tile.h"
#include "widgets/explore/tile_grid.h"
#include "widgets/explore/tornado_tile.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QWidget>
#include <algorithm>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

namespace {
constexpr int kGutter = 10;
} // namespace

StudyBoard::StudyBoard(StudyMarks* marks, Document& document, QWidget* parent)
    : QWidget(parent), m_marks(marks), m_document(document), m_grid(new TileGrid(kGutter)),
      m_table(new PointsTable(marks)), m_add(new QPushButton(tr("Plot"), this)), m_kinds(new QMenu(this)),
      m_state(new TextLabel({}, TextSize::Dense, ColorRole::Warning, this)),
      m_baseline(new TextLabel({}, TextSize::Dense, ColorRole::Text2, this)),
      m_brush(new QPushButton(tr("Brush"), this)), m_unpin(new QPushButton(tr("Unpin"), this)) {
    auto* split = new QSplitter(Qt::Vertical);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(kGutter);
    split->addWidget(m_grid);
    split->addWidget(m_table);
    split->setStretchFactor(0, 7);
    split->setStretchFactor(1, 4);
    split->setSizes({460, 240});
    // The gutter itself is the handle; a line in it would look like a third border.
    split->setProperty("bare", true);
    auto* column = makeColumn(this, {}, 8);
    column->addWidget(makeBar());
    column->addWidget(split, 1);

    connect(m_table, &PointsTable::rowActivated, this, &StudyBoard::rowActivated);
    connect(m_table, &PointsTable::bestChanged, this, &StudyBoard::showPoint);
    connect(m_table, &PointsTable::done, this, &StudyBoard::done);
    connect(m_table, &PointsTable::failed, this, &StudyBoard::failed);
    connect(m_grid, &TileGrid::maximisedChanged, this, &StudyBoard::followTiles);
    connect(marks, &StudyMarks::selectedChanged, this, &StudyBoard::showPoint);
    const auto showBaseline = [this] {
        const auto& baseline = m_marks->baseline();
        m_baseline->setText(baseline ? tr("Read as × of %1").arg(QString::fromStdString(baseline->name))
                                     : QString());
        m_baseline->setVisible(baseline != nullptr); // else it takes half the room of the state
        m_unpin->setVisible(baseline != nullptr);
    };
    connect(marks, &StudyMarks::baselineChanged, this, showBaseline);
    showBaseline();
    addTile(makeTile(QStringLiteral("throughput_tok_s")));
    addTile(makeTile(QStringLiteral("tok_s_per_usd")));
}

QWidget* StudyBoard::makeBar() {
    auto* bar = new QWidget(this);
    m_state->setElided(true);
    m_state->setObjectName(QStringLiteral("studyState"));
    m_state->hide();
    m_baseline->setElided(true);
    m_unpin->setObjectName(QStringLiteral("unpinBar"));
    connect(m_unpin, &QPushButton::clicked, this, &StudyBoard::unpinRequested);
    m_add->setObjectName(QStringLiteral("addPlot"));
    m_add->setAccessibleName(tr("Add a plot"));
    m_brush->setObjectName(QStringLiteral("brushTool"));
    m_brush->setCheckable(true);
    m_brush->setToolTip(
        plainTip(tr("Dragging in a plot selects points: all others are filtered out, here and in "
                    "the table. Ctrl+Shift and a drag does so at any time.")));
    connect(m_brush, &QPushButton::toggled, this, [this](bool on) {
        for (auto* tile : m_grid->findChildren<StudyTile*>())
            tile->view()->setBrushing(on);
    });
    Theme::instance().follow(this, [this] {
        m_add->setIcon(Theme::instance().icon(QStringLiteral("plus")));
        m_brush->setIcon(Theme::instance().icon(QStringLiteral("select")));
    });
    for (const auto& [kind, form] : plotForms())
        m_kinds->addAction(PlotForm::words(form->entry ? form->entry : form->label), this,
                           [this, wanted = kind] { addPlot(wanted); });
    m_kinds->addSeparator();
    m_kinds->addAction(tr("Sensitivity"), this, [this] { addSensitivity(); });
    connect(m_add, &QPushButton::clicked, this,
            [this] { m_kinds->popup(m_add->mapToGlobal(QPoint(0, m_add->height() + 2))); });
    auto* row = makeRow(bar, {2, 0, 0, 0}, 8);
    row->addWidget(m_state, 1);
    row->addWidget(m_baseline, 1);
    row->addWidget(m_unpin);
    row->addStretch(0);
    row->addWidget(m_brush);
    row->addWidget(m_add);
    return bar;
}

void StudyBoard::showState(const QString& state) {
    m_state->setText(state);
    m_state->setToolTip(plainTip(state));
    m_state->setVisible(!state.isEmpty());
}

StudyTile* StudyBoard::makeTile(const QString& metric) {
    auto* tile = new StudyTile(metric, m_marks, m_grid);
    connect(tile, &StudyTile::rowActivated, this, &StudyBoard::rowActivated);
    connect(tile, &StudyTile::scenarioActivated, this, &StudyBoard::scenarioActivated);
    connect(tile, &StudyTile::arrivalsRequested, this, &StudyBoard::arrivalsRequested);
    connect(tile, &StudyTile::metricChanged, this, [this, tile] {
        if (!plots().empty() && plots().front() == tile)
            sortTable();
        emit plotsChanged();
    });
    tile->view()->notes().keepIn(m_document);
    tile->view()->setBrushing(m_brush->isChecked());
    connect(tile->view(), &PlotView::brushingChanged, m_brush, &QPushButton::setChecked);
    return tile;
}

void StudyBoard::addTile(PlotTile* tile) {
    addTile(tile, m_grid->tiles().size());
}

void StudyBoard::addTile(PlotTile* tile, std::size_t place) {
    connect(tile, &PlotTile::maximiseRequested, this,
            [this, tile] { m_grid->maximise(m_grid->maximised() == tile ? nullptr : tile); });
    connect(tile, &PlotTile::drawn, this, &StudyBoard::drawn);
    connect(tile, &PlotTile::closeRequested, this, [this, tile] {
        const auto& tiles = m_grid->tiles();
        if (const auto* plot = qobject_cast<StudyTile*>(tile); plot && m_marks->study()) {
            m_closed = {plot->plot(), static_cast<std::size_t>(std::find(tiles.begin(), tiles.end(), tile) -
                                                               tiles.begin())};
            emit plotClosed(plot->view()->chart().title);
        }
        closeTile(tile);
    });
    connect(tile->exportButton(), &ExportButton::failed, this, &StudyBoard::failed);
    connect(tile->exportButton(), &ExportButton::exported, this,
            [this](const QString& path) { emit done(tr("Written: %1").arg(path)); });
    m_grid->add(tile, place);
    emit plotsChanged();
}

void StudyBoard::bringBack() {
    if (!m_closed || m_grid->isFull())
        return;
    const auto [plot, place] = *std::exchange(m_closed, {});
    auto* tile = makeTile(QString::fromStdString(plot.query.metric));
    tile->setStudy(m_marks->study());
    tile->setPoint(point());
    tile->setPlot(plot);
    addTile(tile, place);
    if (place == 0)
        sortTable();
}

void StudyBoard::forgetClosed() {
    if (std::exchange(m_closed, {}))
        emit plotClosed({});
}

void StudyBoard::closeTile(QWidget* tile) {
    const bool first = m_grid->tiles().front() == tile;
    std::erase(m_ofFigure, tile);
    m_grid->take(tile);
    if (first)
        sortTable();
    emit plotsChanged();
}

void StudyBoard::followTiles() {
    const auto count = m_grid->tiles().size();
    for (auto* each : m_grid->tiles()) {
        const bool maximised = m_grid->maximised() == each;
        auto* tile = static_cast<PlotTile*>(each);
        tile->setMaximised(maximised);
        tile->setClosable(count > 1);
        const bool large = count < 3 || (count == 3 && m_grid->tiles().front() == each);
        if (auto* plot = qobject_cast<StudyTile*>(each))
            plot->setCompact(!large && !maximised);
    }
    m_add->setEnabled(!m_grid->isFull());
    m_add->setToolTip(plainTip(m_grid->isFull() ? tr("Six plots are shown: close one first") : QString()));
}

std::vector<StudyTile*> StudyBoard::plots() const {
    std::vector<StudyTile*> plots;
    for (auto* tile : m_grid->tiles())
        if (auto* plot = qobject_cast<StudyTile*>(tile))
            plots.push_back(plot);
    return plots;
}

std::vector<engine::StudyPlot> StudyBoard::shownPlots() const {
    std::vector<engine::StudyPlot> shown;
    for (const auto* tile : plots())
        shown.push_back(tile->plot());
    return shown;
}

void StudyBoard::setPlots(const std::vector<engine::StudyPlot>& wanted) {
    const auto tiles = plots();
    for (std::size_t i = 0; i < std::min(tiles.size(), wanted.size()); ++i)
        tiles[i]->setPlot(wanted[i]);
    sortTable();
    emit plotsChanged();
}

std::vector<std::string> StudyBoard::metrics() const {
    std::vector<std::string> metrics;
    for (const auto* tile : plots())
        for (const auto* some : {&tile->plot().metrics, &tile->plot().rightMetrics})
            metrics.insert(metrics.end(), some->begin(), some->end());
    return metrics;
}

StudyTile* StudyBoard::addPlot(engine::PlotKind kind) {
    if (m_grid->isFull())
        return nullptr;
    const auto others = plots();
    const auto metric = others.empty() ? std::string("throughput_tok_s") : others.front()->query().metric;
    auto* tile = makeTile(QString::fromStdString(metric));
    if (m_marks->study()) {
        tile->setStudy(m_marks->study());
        auto plot = others.empty() ? tile->plot() : others.front()->plot();
        plot.title.clear();
        plot.kind = kind;
        const auto& form = plotForm(kind);
        plot.pareto = form.offers(&engine::StudyPlot::pareto); // as when the kind is chosen in the tile
        if (form.metrics > 1)
            plot.query.gain = {};
        for (const auto& more : metrics())
            if (std::ranges::find(plot.metrics, more) == plot.metrics.end() &&
                plot.metrics.size() < form.metrics)
                plot.metrics.push_back(more);
        tile->setPoint(point());
        tile->setPlot(plot);
    }
    addTile(tile);
    return tile;
}

TornadoTile* StudyBoard::addSensitivity() {
    if (m_grid->isFull())
        return nullptr;
    auto* tile = new TornadoTile(m_marks, m_grid);
    connect(tile, &TornadoTile::sweepRequested, this, &StudyBoard::sweepRequested);
    const auto others = plots();
    tile->showMetric(others.empty() ? "throughput_tok_s" : others.front()->query().metric);
    tile->follow();
    addTile(tile);
    return tile;
}

void StudyBoard::showStudy(const std::vector<engine::StudyPlot>& wanted, bool another) {
    const auto& study = m_marks->study();
    if (another) {
        forgetClosed();
        m_grid->maximise(nullptr);
        for (auto* tile : std::exchange(m_ofFigure, {}))
            closeTile(tile);
        while (study && plots().size() < wanted.size() && !m_grid->isFull()) {
            auto* tile = makeTile(QString::fromStdString(wanted[plots().size()].query.metric));
            m_ofFigure.push_back(tile);
            addTile(tile);
        }
    }
    const auto tiles = plots();
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        tiles[i]->setStudy(study);
        if (another && study && i < wanted.size())
            tiles[i]->setPlot(wanted[i]);
    }
    m_table->showStudy(metrics());
    sortTable();
    for (auto* tile : m_grid->tiles())
        if (auto* tornado = qobject_cast<TornadoTile*>(tile))
            tornado->follow();
}

void StudyBoard::sortTable() {
    const auto tiles = plots();
    m_table->sortBestFirst(tiles.empty() ? "throughput_tok_s" : tiles.front()->query().metric);
}

std::optional<std::size_t> StudyBoard::point() const {
    return m_marks->selected() ? m_marks->selected() : bestPoint();
}

std::optional<std::size_t> StudyBoard::bestPoint() const {
    // While tiles are changed for another study, the table still has that of the one before, which may be
    // larger.
    const auto best = m_table->best();
    return best && m_marks->study() && *best < m_marks->study()->table.rows() ? best : std::nullopt;
}

void StudyBoard::showPoint() {
    for (auto* tile : plots())
        tile->setPoint(point());
    emit pointChanged();
}

} // namespace heteroscape::widgets

#include "moc_study_board.cpp"
