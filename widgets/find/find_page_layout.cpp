// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the page, where they lie, and what they show of what was found.
#include "engine/search/search_result.h"
#include "widgets/document/document.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/run_row.h"
#include "widgets/find/cluster_card.h"
#include "widgets/find/find_charts.h"
#include "widgets/find/find_page.h"
#include "widgets/find/find_setup.h"
#include "widgets/find/found_card.h"
#include "widgets/find/seek_panel.h"
#include "widgets/glossary/glossary.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kSideWidth = 300;
constexpr int kRightWidth = 250;
constexpr int kNarrowFind = 1360; // below this there are two cards
constexpr int kGap = 10;

/// Sideways too, where there is no room.
QScrollArea* scrolledBoth(QWidget* content, QWidget* parent) {
    auto* area = scrolled(content, parent);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    return area;
}

} // namespace

FindPage::FindPage(Document* document, const QString& folder, QWidget* parent)
    : QWidget(parent), m_document(document),
      m_runner(new SearchRunner(folder, document->sharedCatalog(), this)), m_bar(new SearchBar),
      m_setup(new FindSetup(document)), m_notice(new NoticeBar(this)), m_method(new QComboBox(this)),
      m_evaluations(new QSpinBox(this)), m_summary(new TextLabel(TextSize::Dense, ColorRole::Text2, this)),
      m_alike(new QPushButton(tr("Like for like"), this)), m_unmet(new UnmetNote(this)),
      m_hint(new TextLabel(TextSize::Caption, ColorRole::Muted, this)), m_plot(new PlotView),
      m_reachedHeading(new TextLabel(TextSize::Caption, ColorRole::Muted, this)), m_reached(new ReachedBars),
      m_growthPlot(new PlotView), m_cluster(new ClusterCard(document->sharedCatalog(), this)),
      m_export(new ExportButton(
          [this] { return m_plot->chart(); },
          {{tr("Data of this plot (CSV)…"), QStringLiteral("csv"),
            [this] { return chartCsv(m_plot->chart()); }},
           {tr("Designs of the front (CSV)…"), QStringLiteral("front.csv"),
            [this] {
                return m_found
                           ? QString::fromStdString(engine::searchCsv(m_found->problem(), m_found->tally()))
                           : QString();
            }},
           {tr("All that was found (JSON)…"), QStringLiteral("json"),
            [this] {
                return m_found ? QString::fromStdString(
                                     engine::searchJson(m_found->problem(), m_found->tally()).dump(2))
                               : QString();
            }}},
          QStringLiteral("front"), this)) {
    layOut();
    setTerm(this, "find.md");
    m_bar->addTool(m_export);
    connectRunner();
    connectCards();
    connect(m_setup, &FindSetup::changed, this, &FindPage::follow);
    connect(document, &Document::changed, this, [this] { showKept(); });
    connect(document, &Document::catalogChanged, this,
            [this] { m_runner->setCatalog(m_document->sharedCatalog()); });
    connect(document, &Document::reset, this, [this] {
        if (m_runner->isBusy())
            pause(); // its file keeps it
        m_found.reset();
        m_running.reset();
        m_growth.clear();
        m_keptName.clear();
        m_looked = false;
        m_bar->setState(SearchBar::State::Idle);
        m_bar->showPlace(0, 0);
        present();
    });
    present();
    follow();
    showKept();
}

QWidget* FindPage::makeMethodRow() {
    auto* bar = new Surface(ColorRole::Panel, false, this);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(8);
    for (const auto* method : engine::searchMethods().all())
        m_method->addItem(QString::fromUtf8(method->label()), QString::fromUtf8(method->id()));
    m_method->setObjectName(QStringLiteral("searchMethod"));
    m_method->setAccessibleName(tr("Method"));
    connect(m_method, &QComboBox::currentIndexChanged, this, &FindPage::follow);
    m_evaluations->setRange(1, 100'000'000);
    m_evaluations->setValue(10'000);
    m_evaluations->setGroupSeparatorShown(true);
    m_evaluations->setSuffix(tr(" evaluations"));
    m_evaluations->setAccessibleName(tr("Evaluations at most"));
    connect(m_evaluations, &QSpinBox::valueChanged, this, &FindPage::follow);
    row->addWidget(new TextLabel(tr("Method"), TextSize::Dense, ColorRole::Text2, bar));
    row->addWidget(m_method);
    row->addWidget(m_evaluations);
    m_summary->setElided(true);
    m_summary->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(m_summary, 1);
    m_alike->setObjectName(QStringLiteral("likeForLike"));
    m_alike->setToolTip(tr("Ideal designs, pale, are bounds that no software passes: searches again without "
                           "them, by the limit \u201cMeasured kernels\u201d"));
    m_alike->hide();
    connect(m_alike, &QPushButton::clicked, this, &FindPage::searchLikeForLike);
    row->addWidget(m_alike);
    return bar;
}

void FindPage::layOut() {
    auto* side = new Surface(ColorRole::Panel, false, this);
    auto* sideColumn = new QVBoxLayout(side);
    sideColumn->setContentsMargins(0, 0, 0, 0);
    auto* setup = scrolledBoth(m_setup, side);
    setup->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    sideColumn->addWidget(setup);
    side->setFixedWidth(kSideWidth);

    m_hint->setElided(true);
    m_hint->setObjectName(QStringLiteral("frontHint"));
    auto* front = new QWidget;
    auto* frontColumn = new QVBoxLayout(front);
    frontColumn->setContentsMargins(0, 0, 0, 0);
    frontColumn->addWidget(m_unmet);
    frontColumn->addWidget(m_plot, 1);
    m_plot->setMinimumSize(280, 180);

    auto* cards = new QWidget;
    auto* cardRow = new QHBoxLayout(cards);
    cardRow->setContentsMargins(0, 0, 0, 0);
    cardRow->setSpacing(kGap);
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        m_cards[i] = new FoundCard(QString(QChar(static_cast<char16_t>(u'A' + i))), cards);
        m_cards[i]->hide();
        cardRow->addWidget(m_cards[i]);
    }
    auto* cardScroll = scrolledBoth(cards, this);
    cardScroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    cardScroll->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    cardScroll->setMinimumHeight(190);
    auto* middle = new QVBoxLayout;
    middle->setSpacing(kGap);
    middle->addWidget(headedTile(tr("Front"), m_hint, {}, front), 3);
    middle->addWidget(cardScroll, 2);

    auto* right = new Surface(ColorRole::Window, false);
    auto* rightColumn = new QVBoxLayout(right);
    rightColumn->setContentsMargins(0, 0, 0, 0);
    rightColumn->setSpacing(kGap);
    auto* reached = new QWidget;
    auto* reachedColumn = new QVBoxLayout(reached);
    reachedColumn->setContentsMargins(12, 0, 12, 6);
    reachedColumn->addWidget(m_reached);
    m_reachedHeading->setElided(true);
    rightColumn->addWidget(headedTile(tr("Best each reaches"), m_reachedHeading, {}, reached));
    m_growthPlot->setFixedHeight(170);
    m_growthPlot->setChart(growthChart({}, 0));
    rightColumn->addWidget(headedTile(tr("Designs on the front"), nullptr, {}, m_growthPlot));
    rightColumn->addWidget(m_cluster);
    rightColumn->addStretch(1);
    auto* rightScroll = scrolledBoth(right, this);
    rightScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    rightScroll->setFixedWidth(kRightWidth);

    auto* back = new Surface(ColorRole::Window, false, this);
    auto* columns = new QHBoxLayout(back);
    columns->setContentsMargins(kGap, kGap, kGap, kGap);
    columns->setSpacing(kGap);
    columns->addLayout(middle, 1);
    columns->addWidget(rightScroll);
    floatOver(m_notice, back, Qt::TopEdge, 8);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(side);
    body->addWidget(back, 1);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addWidget(makeMethodRow());
    whole->addLayout(body, 1);
}

void FindPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showCards();
}

void FindPage::showCards() {
    const std::size_t most = width() < kNarrowFind ? 2 : m_cards.size();
    for (std::size_t i = 0; i < m_cards.size(); ++i)
        m_cards[i]->setVisible(i < std::min(most, m_shownCards));
}

void FindPage::showFront(bool keepView) {
    const auto limits = m_setup->limits()->limits();
    m_plot->setChart(frontChart(m_found, m_marks, limits), keepView);
    m_hint->setText(limits == m_found->problem().study.limits
                        ? tr("%1; a click chooses a design, Enter opens it").arg(frontTitle(*m_found))
                        : tr("%1; limits have changed: search again").arg(frontTitle(*m_found)));
}

void FindPage::present() {
    m_export->setEnabled(m_found != nullptr);
    m_alike->setVisible(m_found && m_found->truths.areIdealAmongOthers());
    if (!m_found) {
        Chart none;
        none.title = tr("Front of the search");
        none.emptyText = tr("Set up variables, objectives and limits, then search.");
        m_plot->setChart(none);
        m_growthPlot->setChart(growthChart({}, 0));
        m_summary->clear();
        m_unmet->show(nullptr);
        m_setup->seek()->setFound({});
        m_hint->clear();
        m_shownCards = 0;
        showCards();
        m_setup->showBroken(nullptr, {});
        return;
    }
    const auto& tally = m_found->tally();
    m_summary->setText(tr("%1 do not run, %2 outside the limits, %3 inside")
                           .arg(countText(tally.points() - tally.running()),
                                countText(tally.running() - tally.kept()), countText(tally.kept())));
    if (m_found->idealLeads())
        m_summary->setText(tr("An ideal design leads; %1").arg(m_summary->text()));
    m_unmet->show(m_found.get());
    m_setup->showBroken(&tally, m_found->problem().study.limits);
    m_reached->show(*m_found);
    const auto group = m_found->groupAxis();
    m_reachedHeading->setText(group ? m_found->axisName(*group) : QString());
    m_growthPlot->setChart(growthChart(m_growth, m_found->record.total()));
    presentCards();
}

/// A: what was chosen, else the middle of the front; then the best of the first goal and of the second.
void FindPage::presentCards() {
    const auto& front = m_found->front;
    std::vector<std::pair<std::uint64_t, QString>> shown;
    const auto add = [&](std::uint64_t ordinal, const QString& why) {
        if (shown.size() < m_cards.size() &&
            std::none_of(shown.begin(), shown.end(), [&](const auto& one) { return one.first == ordinal; }))
            shown.emplace_back(ordinal, why);
    };
    const auto& cloud = m_found->cloud;
    const bool isThere = m_chosen && std::any_of(cloud.begin(), cloud.end(), [&](const auto& entry) {
                             return entry.ordinal == *m_chosen;
                         });
    if (isThere)
        add(*m_chosen, tr("selected"));
    const auto& base = *m_found->problem().study.base;
    for (std::size_t g = 0; g < m_found->problem().goals.size(); ++g)
        if (const auto& best = m_found->tally().best(g); !best.empty()) {
            const auto& goal = m_found->problem().goals[g];
            // Of those that are equally good in it the one on the front.
            auto entry = std::find_if(front.begin(), front.end(), [&](const auto& one) {
                return one.values[g] == best.front().values[g];
            });
            add(entry != front.end() ? entry->ordinal : best.front().ordinal,
                (goal.better > 0 ? tr("most %1") : tr("least %1"))
                    .arg(columnWords(base, goal.column).label.toLower()));
        }
    if (!front.empty())
        add(front[front.size() / 2].ordinal, tr("between"));
    m_marks.clear();
    for (std::size_t i = 0; i < shown.size(); ++i)
        m_marks.push_back(
            {shown[i].first, QString(QChar(static_cast<char16_t>(u'A' + i))), isThere && i == 0});
    showFront(m_chosen.has_value());
    m_facts.start([this, shown, isThere, search = m_found](JobRun& job) -> Job::Show {
        std::vector<FoundFacts> facts;
        for (const auto& [ordinal, why] : shown)
            facts.push_back(foundFacts(*search, ordinal, job.stop()));
        return [this, shown, isThere, facts = std::move(facts)] {
            for (std::size_t i = 0; i < facts.size(); ++i)
                m_cards[i]->show(facts[i], shown[i].second, isThere && i == 0);
            std::vector<std::pair<QString, engine::Scenario>> designs;
            for (std::size_t i = 0; i < facts.size(); ++i)
                designs.emplace_back(QChar(static_cast<char16_t>(u'A' + i)) + QStringLiteral(": ") +
                                         facts[i].system,
                                     facts[i].design);
            m_setup->seek()->setFound(std::move(designs));
            m_shownCards = facts.size();
            showCards();
        };
    });
}

} // namespace heteroscape::widgets
