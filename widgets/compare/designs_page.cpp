// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/designs_page.h"

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/scenario/edit.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/scenario_json.h"
#include "widgets/compare/breakdown_bars.h"
#include "widgets/compare/compared_designs.h"
#include "widgets/compare/design_set.h"
#include "widgets/compare/metrics_model.h"
#include "widgets/document/document.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/pins.h"
#include "widgets/document/truth_text.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"
#include "widgets/timeline/timeline_view.h"

#include <QApplication>
#include <QCheckBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QTableView>

#include <algorithm>

namespace heteroscape::widgets {

DesignsPage::DesignsPage(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent)
    : PageOf(parent), m_catalog(std::move(catalog)), m_set(new DesignSet(this)), m_addMenu(new QMenu(this)),
      m_unlike(new NoticeBar(this)), m_mixed(new NoticeBar(this)), m_alike(new NoticeBar(this)),
      m_cardRow(new QHBoxLayout), m_metrics(new MetricsModel(this)),
      m_differences(new DifferencesModel(this)), m_bars(new BreakdownBars(this)),
      m_timelines(new TimelineView(this)) {
    makeTools();
    auto* back = new Surface(ColorRole::Window, false);
    auto* column = makeColumn(back, {kTileGutter, kTileGutter, kTileGutter, kTileGutter}, kTileGutter);
    m_cardRow->setSpacing(kTileGutter);
    auto* tables = new QHBoxLayout;
    tables->setSpacing(kTileGutter);
    tables->addWidget(makeMetrics(), 6);
    tables->addWidget(makeDifferences(), 5);
    column->addWidget(m_notice);
    column->addWidget(m_unlike);
    column->addWidget(m_mixed);
    column->addWidget(m_alike);
    column->addLayout(m_cardRow);
    column->addLayout(tables, 1);
    column->addWidget(makeBars());
    column->addWidget(makeTimelines());
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(back);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);

    connect(m_set, &DesignSet::inputsChanged, this, &DesignsPage::remakeCards);
    connect(m_set, &DesignSet::evaluated, this, &DesignsPage::present);
    connect(m_set, &DesignSet::failed, m_notice, &NoticeBar::showError);
    connect(&m_reading, &Job::failed, m_notice, &NoticeBar::showError);
    connect(m_unlike, &NoticeBar::acted, m_set, &DesignSet::serveAlike);
    connect(m_mixed, &NoticeBar::acted, this, &DesignsPage::timeAlike);
    connect(m_alike, &NoticeBar::acted, m_set, &DesignSet::serveOwn);
    m_addMenu->setObjectName(QStringLiteral("addDesign"));
    connect(m_addMenu, &QMenu::aboutToShow, this, &DesignsPage::fillAddMenu);
    connect(m_bars, &BreakdownBars::explainRequested, this,
            [this](std::size_t design, const std::string& metric, QPoint at) {
                ExplanationPopup::show(m_set->designs()[design]->input.scenario, metric, at, m_bars);
            });
    for (auto* table : {m_metricsTable, m_differencesTable})
        table->viewport()->installEventFilter(this);
    remakeCards();
}

void DesignsPage::makeTools() {
    auto* add = new QPushButton(tr("Design"), m_tools);
    add->setAccessibleName(tr("Add a design to compare"));
    add->setToolTip(tr("Put another design beside these"));
    Theme::instance().follow(add, [add] { add->setIcon(Theme::instance().icon(QStringLiteral("plus"))); });
    // Not setMenu(): the arrow that Qt adds does not fit the button.
    connect(add, &QPushButton::clicked, this,
            [this, add] { m_addMenu->popup(add->mapToGlobal(QPoint(0, add->height() + 2))); });
    setExport(new ExportButton(ExportButton::Picture([this](const QString& path, const ImageSize& size) {
                                   exportDesigns(m_set->designs(), m_timelines->view(), path, size);
                               }),
                               {{tr("Metrics (CSV)…"), QStringLiteral("csv"),
                                 [this] { return metricsCsv(m_set->designs(), m_metrics->reference()); }},
                                {tr("Differences (CSV)…"), QStringLiteral("csv"),
                                 [this] { return differencesCsv(m_set->designs(), m_set->properties()); }},
                                {tr("Time of one batch (CSV)…"), QStringLiteral("csv"),
                                 [this] { return partsCsv(m_set->designs()); }}},
                               QStringLiteral("designs"), m_tools));
    auto* row = makeRow(m_tools, {}, 8);
    row->addWidget(add);
    row->addStretch(1);
    row->addWidget(m_export);
}

QWidget* DesignsPage::makeMetrics() {
    auto* copy = copyButton(tr("Copy the metrics as CSV"), m_notice,
                            [this] { return metricsCsv(m_set->designs(), m_metrics->reference()); });
    m_metricsTable = tileTable(m_metrics, tr("Metrics of the designs"), 9);
    m_metricsTable->setObjectName(QStringLiteral("metrics"));
    m_metricsTable->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    explainCells(
        m_metricsTable,
        [this](const QModelIndex& index) -> std::optional<ExplainTarget> {
            const auto design = m_metrics->designOf(index.column()).value_or(m_metrics->reference());
            if (design >= m_set->designs().size())
                return {};
            return ExplainTarget{m_set->designs()[design]->input.scenario,
                                 std::string(m_metrics->spec(index.row()).key)};
        },
        true);
    return headedTile(tr("Metrics"), {}, {copy}, m_metricsTable);
}

QWidget* DesignsPage::makeDifferences() {
    m_differencesNote = new TextLabel({}, TextSize::Caption, ColorRole::Muted, QFont::Normal);
    m_same = new QCheckBox(tr("Show what is the same"));
    connect(m_same, &QCheckBox::toggled, m_differences, &DifferencesModel::setSameShown);
    m_differencesTable = tileTable(m_differences, tr("Differences of the designs"), 9);
    m_differencesTable->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
    return headedTile(tr("Differences"), m_differencesNote, {m_same}, m_differencesTable);
}

QWidget* DesignsPage::makeBars() {
    auto* shares = new QCheckBox(tr("As shares"));
    shares->setToolTip(tr("Every design as long as the others, so that short ones can be read too"));
    connect(shares, &QCheckBox::toggled, m_bars, &BreakdownBars::setShares);
    return headedTile(tr("Time of one batch"),
                      new TextLabel(tr("from the start of its prefill to its last token"), TextSize::Caption,
                                    ColorRole::Muted, QFont::Normal),
                      {shares}, m_bars);
}

QWidget* DesignsPage::makeTimelines() {
    m_timelineNote = new TextLabel({}, TextSize::Caption, ColorRole::Muted, QFont::Normal);
    m_timelineNote->setElided(true);
    auto* whole = new QPushButton(tr("Whole step"));
    auto* layer = new QPushButton(tr("One layer"));
    connect(whole, &QPushButton::clicked, m_timelines, &TimelineView::fitStep);
    connect(layer, &QPushButton::clicked, m_timelines, &TimelineView::fitLayer);
    return headedTile(tr("One decode step"), m_timelineNote, {whole, layer}, m_timelines);
}

void DesignsPage::fillAddMenu() {
    m_addMenu->clear();
    if (m_document)
        addOpenDesigns(m_addMenu, m_document, [this](const QString& name, const engine::Scenario& design) {
            addDesign(name, design);
        });
    m_addMenu->addAction(tr("From a file…"), this, [this] {
        const auto path = QFileDialog::getOpenFileName(this, tr("Compare with a design"), {},
                                                       tr("Heteroscape designs (*.hscape);;All files (*)"));
        if (!path.isEmpty())
            addFile(path);
    });
    std::vector<Document*> others;
    for (auto* window : QApplication::topLevelWidgets())
        if (window != this->window())
            for (auto* document : window->findChildren<Document*>())
                if (!document->scenario().nodes.empty())
                    others.push_back(document);
    if (!others.empty())
        addHeading(m_addMenu, tr("Other windows"));
    for (auto* document : others)
        m_addMenu->addAction(document->title(), document, [this, document] {
            m_set->add({document->title(), document->scenario()});
        });
    addPresets(m_addMenu, *m_catalog, [this](const std::string& id) { addPreset(id); });
}

void DesignsPage::setDocument(Document* document) {
    m_document = document;
    connect(document, &Document::changed, this, &DesignsPage::follow);
    connect(document, &Document::titleChanged, this, &DesignsPage::follow);
    follow();
}

bool DesignsPage::refresh() {
    if (!m_document)
        return false;
    m_set->setOpen({m_document->title(), m_document->scenario()});
    return true;
}

void DesignsPage::addPreset(const std::string& id) {
    try {
        const auto scenario = engine::loadPreset(*m_catalog, id, id);
        m_set->add({QString::fromStdString(scenario.name.empty() ? id : scenario.name), scenario});
    } catch (const engine::Error& error) {
        m_notice->showError(QString::fromStdString(error.what()));
    }
}

void DesignsPage::addDesign(const QString& name, const engine::Scenario& design) {
    m_set->add({name, design});
}

void DesignsPage::addFile(const QString& path) {
    m_reading.start([this, path, catalog = m_catalog](JobRun&) -> Job::Show {
        auto scenario = engine::loadScenario(path.toStdString(), *catalog);
        return [this, name = QFileInfo(path).completeBaseName(), scenario = std::move(scenario)] {
            m_set->add({name, scenario});
        };
    });
}

bool DesignsPage::isBusy() const {
    return m_reading.isBusy() || m_set->isBusy();
}

void DesignsPage::remakeCards() {
    for (auto* card : m_cards) {
        m_cardRow->removeWidget(card);
        card->hide();
        card->deleteLater(); // a click on one of its buttons may be under way
    }
    m_cards.clear();
    for (std::size_t i = 0; i < m_set->inputs().size(); ++i) {
        const auto& input = m_set->inputs()[i];
        auto* card = new DesignCard(input.name, i == 0, i == m_set->reference(), this);
        connect(card, &DesignCard::referenceChosen, m_set, [this, i] { m_set->setReference(i); });
        connect(card, &DesignCard::removed, m_set, [this, i] { m_set->remove(i); });
        connect(card, &DesignCard::opened, this, [this, i] {
            emit openDesignRequested(m_set->inputs()[i].scenario, m_set->inputs()[i].name);
        });
        for (const auto& design : m_set->designs())
            if (design->input == input)
                card->setDesign(*design);
        m_cards.push_back(card);
        m_cardRow->addWidget(card, 1);
    }
}

void DesignsPage::present() {
    const auto& designs = m_set->designs();
    for (std::size_t i = 0; i < std::min(m_cards.size(), designs.size()); ++i)
        if (designs[i]->input == m_set->inputs()[i]) // after a failure they are those of before
            m_cards[i]->setDesign(*designs[i]);
    m_metrics->setDesigns(designs, m_set->reference());
    std::vector<QString> names;
    for (const auto& design : designs)
        names.push_back(design->input.name);
    m_differences->setProperties(m_set->properties(), std::move(names));
    m_differencesNote->setText(designs.size() < 2
                                   ? tr("add a design to see how they differ")
                                   : tr("%1 properties differ").arg(m_differences->differences()));
    fitTables();
    m_bars->setDesigns(designs);
    warnOfUnlike();
    warnOfMixed();
    presentTimelines();
}

void DesignsPage::fitTables() {
    const auto& designs = m_set->designs();
    std::vector<int> values, properties;
    for (std::size_t i = 0; i < designs.size(); ++i) {
        values.push_back(m_metrics->valueColumn(i));
        properties.push_back(DifferencesModel::FirstDesign + static_cast<int>(i));
    }
    // First as they are at least: what room is left then is shared.
    m_metrics->setNameWidth(kLeastNameWidth);
    m_differences->setNameWidth(kLeastNameWidth);
    const int names = longestName(designs) + 8;
    m_metrics->setNameWidth(fitNames(m_metricsTable, 160, 140, values, names + 24));
    m_differences->setNameWidth(fitNames(m_differencesTable, 240, 150, properties, names));
}

bool DesignsPage::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && static_cast<QResizeEvent*>(event)->size().width() !=
                                               static_cast<QResizeEvent*>(event)->oldSize().width())
        fitTables();
    return PageOf::eventFilter(watched, event);
}

void DesignsPage::warnOfUnlike() {
    using Group = engine::PropertyGroup;
    QStringList unlike;
    for (const auto& [group, text] : {std::pair(Group::Model, tr("models")),
                                      {Group::Workload, tr("workloads")},
                                      {Group::Requests, tr("arrivals or batching")}})
        if (std::any_of(m_set->properties().begin(), m_set->properties().end(),
                        [of = group](const auto& row) { return row.group == of && row.differs; }))
            unlike << text;
    if (unlike.isEmpty())
        m_unlike->hide();
    else
        m_unlike->showWarning(
            tr("These designs serve different %1: what they reach says little of which is better.")
                .arg(unlike.join(tr(" and "))),
            tr("Same workload for all"));
    if (unlike.isEmpty() && m_set->anyServesAlike())
        m_set->isTimedAlike()
            ? m_alike->showOffer(tr("All rest on the same kind of truth."), tr("As they were"))
            : m_alike->showOffer(tr("All serve what the open design serves."), tr("Their own workloads"));
    else
        m_alike->hide();
}

std::vector<engine::EditList> DesignsPage::likeForLike() const {
    std::vector<engine::Scenario> designs;
    for (const auto& input : m_set->inputs())
        designs.push_back(input.scenario);
    return engine::likeForLike(designs, *m_catalog);
}

void DesignsPage::warnOfMixed() {
    engine::Truths truths;
    QStringList words;
    for (const auto& design : m_set->designs()) {
        const auto truth = engine::truthOf(design->input.scenario);
        truths.add(truth);
        words << tr("%1: %2").arg(design->input.name, truthWords(truth));
    }
    if (!truths.areMixed())
        return m_mixed->hide();
    m_mixed->showWarning(
        tr("Truths of different kinds, whose ratios say little. %1.").arg(words.join(QStringLiteral("; "))),
        likeForLike().empty() ? QString() : tr("Like for like"));
}

void DesignsPage::timeAlike() {
    const auto edits = likeForLike();
    if (edits.empty())
        return;
    m_set->timeAlike(edits);
    if (!edits.front().edits.empty())
        m_document->perform(edits.front(), {}, QString::fromStdString(edits.front().text));
}

void DesignsPage::presentTimelines() {
    TimelineTracks tracks;
    QStringList without;
    for (const auto& design : m_set->designs()) {
        if (design->track)
            tracks.push_back(*design->track);
        else
            without << tr("%1: %2").arg(design->input.name,
                                        design->runs() ? tr("no step to show") : design->reason);
    }
    m_timelineNote->setText(without.isEmpty() ? tr("all on one scale of time; wheel zooms, drag moves")
                                              : without.join(QStringLiteral("  ")));
    m_timelineNote->setRole(without.isEmpty() ? ColorRole::Muted : ColorRole::Error);
    const bool whole = m_timelines->view() == TimeSpan{0.0, endOf(m_timelines->tracks())};
    const bool first = m_timelines->tracks().empty();
    m_timelines->setTracks(std::move(tracks), true);
    if (first || whole)
        m_timelines->fitStep();
    m_timelines->setFixedHeight(std::max(60, m_timelines->sizeHint().height()));
}

} // namespace heteroscape::widgets

#include "moc_designs_page.cpp"
