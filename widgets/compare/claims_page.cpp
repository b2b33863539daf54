// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/claims_page.h"

#include "engine/base/error.h"
#include "engine/claims/claims.h"
#include "engine/evaluation/metric.h"
#include "widgets/compare/claim_table_model.h"
#include "widgets/compare/claim_text.h"
#include "widgets/compare/paper_card.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>

namespace heteroscape::widgets {

namespace {

constexpr int kGutter = 10;

/// A sample of a bar's colour before its name.
class Swatch : public QWidget {
public:
    Swatch(bool paper, QWidget* parent) : QWidget(parent), m_paper(paper) { setFixedSize(18, 8); }

protected:
    void paintEvent(QPaintEvent*) override {
        const auto& theme = Theme::instance();
        QPainter(this).fillRect(rect(), m_paper ? theme.color(ColorRole::Baseline) : theme.series(0));
    }

private:
    bool m_paper;
};

/// What came of the papers of a catalogue, for every window on it; from any thread.
class Compared {
public:
    using Catalog = std::shared_ptr<const engine::Catalog>;
    using Comparisons = std::vector<engine::PaperComparison>;

    std::optional<Comparisons> of(const Catalog& catalog) {
        const std::lock_guard lock(m_mutex);
        return m_catalog.lock() == catalog ? std::optional(m_comparisons) : std::nullopt;
    }
    void keep(const Catalog& catalog, const Comparisons& comparisons) {
        const std::lock_guard lock(m_mutex);
        m_catalog = catalog;
        m_comparisons = comparisons;
    }

private:
    std::mutex m_mutex;
    std::weak_ptr<const engine::Catalog> m_catalog;
    Comparisons m_comparisons;
};

Compared& compared() {
    static Compared all;
    return all;
}

} // namespace

ClaimsPage::ClaimsPage(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent)
    : LatePage(parent), m_catalog(std::move(catalog)),
      m_mean(new TextLabel({}, TextSize::Dense, ColorRole::Text, QFont::DemiBold, this)),
      m_cardRow(new QHBoxLayout), m_model(new ClaimTableModel(this)),
      m_summary(new TextLabel({}, TextSize::Dense, ColorRole::Text2, this)) {
    setExport(new ExportButton(
        {}, {{tr("All claims (CSV)…"), QStringLiteral("csv"), [this] { return m_model->csv(); }}},
        QStringLiteral("claims"), this));
    auto* head = makeRow(m_tools, {}, 8);
    for (int i = 0; i < kClaimStatusCount; ++i) {
        const auto status = static_cast<ClaimStatus>(i);
        auto* chip = new QPushButton(claimStatusText(status), m_tools);
        chip->setCheckable(true);
        chip->setChecked(true);
        chip->setProperty("chip", true);
        chip->setToolTip(plainTip(claimStatusAbout(status)));
        chip->setIcon(claimStatusIcon(status));
        connect(chip, &QPushButton::toggled, this, [this, status](bool on) {
            if (on)
                m_hidden.erase(status);
            else
                m_hidden.insert(status);
            m_model->setHidden(m_hidden);
            showChosen();
        });
        m_chips[static_cast<std::size_t>(i)] = chip;
        head->addWidget(chip);
    }
    head->addSpacing(8);
    head->addWidget(m_mean);
    head->addStretch(1);
    head->addWidget(m_export);

    auto* back = new Surface(ColorRole::Window, false);
    auto* column = makeColumn(back, {kGutter, kGutter, kGutter, kGutter}, kGutter);
    auto* legend = new QHBoxLayout;
    legend->setSpacing(6);
    legend->addWidget(new Swatch(true, back));
    legend->addWidget(new TextLabel(tr("Paper"), TextSize::Caption, ColorRole::Text2, back));
    legend->addSpacing(10);
    legend->addWidget(new Swatch(false, back));
    legend->addWidget(new TextLabel(tr("Model"), TextSize::Caption, ColorRole::Text2, back));
    for (int i = 0; i < kClaimStatusCount; ++i) {
        legend->addSpacing(12);
        legend->addWidget(new TextLabel(claimStatusAbout(static_cast<ClaimStatus>(i)), TextSize::Caption,
                                        ColorRole::Muted, back));
    }
    legend->addStretch(1);
    m_cardRow->setSpacing(kGutter);
    m_summary->setWordWrap(true);
    m_summary->setAccessibleName(tr("Summary of all claims"));
    m_summary->hide();
    column->addWidget(m_notice);
    column->addWidget(m_summary);
    column->addLayout(legend);
    column->addLayout(m_cardRow);
    column->addWidget(makeTableTile(), 1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidget(back);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus);

    auto* all = makeColumn(this);
    all->addWidget(scroll, 1);
    connect(&m_search, &Job::failed, m_notice, &NoticeBar::showError);
}

QWidget* ClaimsPage::makeTableTile() {
    auto* tile = new Surface(ColorRole::Surface, true);
    m_tableNote = new TextLabel({}, TextSize::Caption, ColorRole::Muted, tile);
    m_why = new TextLabel({}, TextSize::Dense, ColorRole::Text2, tile);
    m_why->setWordWrap(true);
    m_open = new QPushButton(tr("Open its design"), tile);
    m_open->setObjectName(QStringLiteral("openDesign"));
    auto* copy = new QPushButton(tr("Copy as CSV"), tile);
    connect(copy, &QPushButton::clicked, this, [this] {
        QGuiApplication::clipboard()->setText(m_model->csv());
        m_notice->showDone(tr("All claims are on the clipboard as CSV."));
    });
    m_table = tileTable(m_model, tr("All claims"), 7);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_model->sortOnClick(*m_table);
    m_table->setSizePolicy(QSizePolicy::Expanding,
                           QSizePolicy::Ignored); // what is left, before anything scrolls
    connect(m_table->horizontalHeader(), &QHeaderView::sectionClicked, m_tableNote, &QLabel::clear);
    // activated() is both: double click and Enter.
    connect(m_table, &QTableView::activated, this, &ClaimsPage::openChosen);
    connect(m_open, &QPushButton::clicked, this, &ClaimsPage::openChosen);
    m_table->installEventFilter(this);
    m_table->viewport()->installEventFilter(this);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this] { showChosen(); });
    connect(m_model, &QAbstractItemModel::modelReset, this, [this] { showChosen(); });

    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 8, 0);
    head->setSpacing(8);
    head->addWidget(new TextLabel(tr("All claims"), TextSize::Body, ColorRole::Text, QFont::DemiBold, tile));
    head->addWidget(m_tableNote, 1);
    head->addWidget(copy);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(12, 0, 8, 2);
    foot->addWidget(m_why, 1);
    foot->addWidget(m_open);
    auto* column = makeColumn(tile, {1, 1, 1, 6}, 6);
    column->addLayout(head);
    column->addWidget(m_table, 1);
    column->addLayout(foot);
    showChosen();
    return tile;
}

void ClaimsPage::begin() {
    m_tableNote->setText(tr("Evaluating"));
    m_evaluation.start([this, catalog = m_catalog](JobRun& run) -> Job::Show {
        if (const auto kept = compared().of(catalog))
            return [this, kept] { present(*kept); };
        std::vector<engine::PaperComparison> comparisons;
        QString problem;
        try {
            for (const auto& paper : engine::loadPapers(*catalog)) {
                if (run.isStopped())
                    return {};
                comparisons.push_back(engine::compare(*catalog, paper));
            }
            compared().keep(catalog, comparisons);
        } catch (const std::exception& error) { // the papers before it are shown nevertheless
            problem = QString::fromUtf8(error.what());
        }
        return [this, comparisons, problem] {
            if (!problem.isEmpty())
                m_notice->showError(problem);
            present(comparisons);
        };
    });
}

void ClaimsPage::present(std::vector<engine::PaperComparison> comparisons) {
    m_comparisons = std::move(comparisons);
    m_evaluated = true;
    std::array<int, kClaimStatusCount> counts{};
    double sum = 0;
    int predicted = 0, total = 0;
    for (const auto& comparison : m_comparisons) {
        for (const auto& result : comparison.results) {
            ++counts[static_cast<std::size_t>(claimStatus(result))];
            ++total;
            if (result.claim.kind == engine::ClaimKind::Predicted && std::isfinite(result.error)) {
                sum += std::fabs(result.error);
                ++predicted;
            }
        }
        auto* card = new PaperCard(comparison, this);
        connect(card, &PaperCard::openRequested, this, &ClaimsPage::openScenarioRequested);
        connect(card, &PaperCard::claimOpened, this,
                [this, id = comparison.paper.id](const std::string& claim) {
                    choose(id, claim);
                    openChosen();
                });
        connect(card, &PaperCard::claimChosen, this,
                [this, id = comparison.paper.id](const std::string& claim) { choose(id, claim); });
        m_cards.push_back(card);
        m_cardRow->addWidget(card, 1);
    }
    for (int i = 0; i < kClaimStatusCount; ++i)
        m_chips[static_cast<std::size_t>(i)]->setText(tr("%1 %2")
                                                          .arg(claimStatusText(static_cast<ClaimStatus>(i)))
                                                          .arg(counts[static_cast<std::size_t>(i)]));
    m_mean->setVisible(predicted > 0);
    if (predicted > 0)
        m_mean->setText(
            tr("Mean error of predictions %1 %").arg(QString::number(100 * sum / predicted, 'f', 1)));
    m_summary->setText(QString::fromStdString(engine::summaryText(engine::summarise(m_comparisons))));
    m_summary->setVisible(!m_summary->text().isEmpty());
    m_tableNote->setText(tr("%1 in all, largest error first").arg(total));
    m_model->setComparisons(m_comparisons);
    m_table->resizeColumnsToContents();
    // The note is what tells why: leave it room.
    const auto narrow = [this](int column, int most) {
        m_table->setColumnWidth(column, std::min(m_table->columnWidth(column), most));
    };
    narrow(ClaimTableModel::Claim, 320);
    narrow(ClaimTableModel::Condition, 190);
    narrow(ClaimTableModel::Where, 150);
    showChosen();
}

void ClaimsPage::choose(const std::string& paperId, const std::string& claim) {
    const int row = m_model->find(paperId, claim);
    if (row >= 0)
        m_table->setCurrentIndex(m_model->index(row, 0));
}

void ClaimsPage::showChosen() {
    const auto index = m_table->currentIndex();
    const bool any = index.isValid() && index.row() < m_model->rowCount();
    m_open->setEnabled(any);
    std::string paper, claim;
    if (any) {
        const auto& row = m_model->at(index.row());
        paper = row.paperId;
        claim = row.result.claim.id;
        const auto note = QString::fromStdString(row.result.claim.note);
        auto why = note.isEmpty() ? tr("%1, %2").arg(QString::fromStdString(row.paper),
                                                     QString::fromStdString(row.result.claim.where))
                                  : note;
        if (!row.parts.isEmpty())
            why += QStringLiteral("  ") + row.parts;
        m_why->setText(tr("%1: paper %2, model %3, error %4. %5")
                           .arg(QString::fromStdString(row.result.claim.quantity),
                                paperValueText(row.result.claim), modelValueText(row.result),
                                errorText(row.result.error), why));
        m_open->setToolTip(plainTip(QString::fromStdString(row.result.claim.scenario)));
    } else
        m_why->setText(tr("Choose a claim to see why it differs. Double-click opens its design."));
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        for (auto* row : m_cards[i]->rows())
            row->setChosen(any && m_comparisons[i].paper.id == paper && row->result().claim.id == claim);
}

void ClaimsPage::openChosen() {
    const auto index = m_table->currentIndex();
    if (!index.isValid() || index.row() >= m_model->rowCount())
        return;
    const auto& row = m_model->at(index.row());
    findDesigns(row.result.claim, [this, claim = row.result.claim, paper = QString::fromStdString(row.paper)](
                                      const auto& designs) { offer(claim, paper, designs); });
}

void ClaimsPage::findDesigns(const engine::Claim& claim,
                             std::function<void(const std::vector<engine::ClaimDesign>&)> then) {
    m_search.start([catalog = m_catalog, claim, then = std::move(then)](JobRun&) -> Job::Show {
        return [designs = engine::claimDesigns(*catalog, claim), then] { then(designs); };
    });
}

void ClaimsPage::offer(const engine::Claim& claim, const QString& paper,
                       const std::vector<engine::ClaimDesign>& designs) {
    const auto names = claimDesignNames(claim, paper, designs);
    if (designs.size() == 1) {
        emit openDesignRequested(designs.front().scenario, names.front().name);
        return;
    }
    delete m_menu;
    m_menu = new QMenu(this);
    m_menu->setObjectName(QStringLiteral("claimDesigns"));
    m_menu->setAccessibleName(tr("Designs of this claim"));
    addHeading(m_menu, tr("%1: %2 designs").arg(QString::fromStdString(claim.quantity)).arg(designs.size()));
    for (std::size_t i = 0; i < designs.size(); ++i)
        m_menu->addAction(
            tr("%1: %2").arg(names[i].own, claimDesignValue(designs[i])).replace(u'&', QStringLiteral("&&")),
            this, [this, design = designs[i].scenario, name = names[i].name] {
                emit openDesignRequested(design, name);
            });
    const auto rect = m_table->visualRect(m_table->currentIndex());
    m_menu->popup(m_table->viewport()->mapToGlobal(rect.bottomLeft()));
    if (m_menu->actions().size() > 1)
        m_menu->setActiveAction(m_menu->actions().at(1));
}

void ClaimsPage::explainChosen(QPoint globalPoint) {
    const auto index = m_table->currentIndex();
    if (!index.isValid() || index.row() >= m_model->rowCount())
        return;
    findDesigns(m_model->at(index.row()).result.claim, [this, globalPoint](const auto& designs) {
        // The first metric of the system; one of a node hangs on its node's time per token.
        for (const auto& design : designs)
            if (engine::findMetric(design.metric)) {
                ExplanationPopup::show(design.scenario, design.metric, globalPoint, m_table);
                return;
            }
        const auto& first = designs.front();
        ExplanationPopup::show(first.scenario,
                               first.metric.find("prefill") != std::string::npos ? "ttft_s" : "tpot_s",
                               globalPoint, m_table);
    });
}

bool ClaimsPage::eventFilter(QObject* watched, QEvent* event) {
    const auto below = [this] {
        return m_table->viewport()->mapToGlobal(m_table->visualRect(m_table->currentIndex()).bottomLeft());
    };
    if (event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_E && key->modifiers() == Qt::NoModifier) {
            event->accept();
            if (event->type() == QEvent::KeyPress)
                explainChosen(below());
            return true;
        }
    }
    if (event->type() == QEvent::ContextMenu) {
        const auto* menu = static_cast<QContextMenuEvent*>(event);
        if (menu->reason() == QContextMenuEvent::Mouse)
            m_table->setCurrentIndex(m_table->indexAt(menu->pos()));
        if (!m_table->currentIndex().isValid())
            return false;
        QMenu actions(this);
        actions.addAction(tr("Open its design"), this, &ClaimsPage::openChosen);
        actions.addAction(tr("How it comes about"), this, [this, at = below()] { explainChosen(at); });
        actions.exec(menu->globalPos());
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace heteroscape::widgets

#include "moc_claims_page.cpp"
