// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/start_page.h"

#include "engine/base/error.h"
#include "engine/version.h"
#include "widgets/plots/surface.h"
#include "widgets/settings/settings.h"
#include "widgets/start/recovery_list.h"
#include "widgets/start/start_tile.h"
#include "widgets/start/what_to_buy.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QCheckBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QKeySequence>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kRailWidth = 312;
constexpr int kNarrowRail = 272;
constexpr int kNarrow = 1360;     ///< of the window, as for its other parts
constexpr int kStepsHeight = 760; ///< from which there is room for the three steps
constexpr int kCardHeight = 334;
constexpr int kLogo = 40;
constexpr int kSystemColumns = 2;
constexpr int kSeen = 24; ///< px, around an answer

/// A picture of an icon that follows the theme.
class IconLabel : public QLabel {
public:
    IconLabel(const QString& icon, int size, QWidget* parent) : QLabel(parent) {
        setFixedSize(size, size);
        Theme::instance().follow(this, [this, icon, size] {
            auto& theme = Theme::instance();
            setPixmap(theme.pixmap(icon, theme.color(ColorRole::Accent), size, devicePixelRatioF()));
        });
    }
};

std::vector<engine::Paper> papersOf(const engine::Catalog& catalog) {
    try {
        return engine::loadPapers(catalog);
    } catch (const engine::Error&) { // Compare tells it; designs can be drawn without
        return {};
    }
}

} // namespace

StartPage::StartPage(std::shared_ptr<const engine::Catalog> catalog, Settings* settings, QWidget* parent)
    : QWidget(parent), m_catalog(std::move(catalog)), m_settings(settings),
      m_numbers(new HeadlineNumbers(m_catalog, this)), m_papers(papersOf(*m_catalog)),
      m_new(new QPushButton(this)), m_open(new QPushButton(this)),
      m_clear(new QPushButton(tr("Clear"), this)),
      m_atStart(new QCheckBox(tr("Show this page at start"), this)), m_recentColumn(new QVBoxLayout),
      m_noRecent(new TextLabel(TextSize::Dense, ColorRole::Muted, this)), m_recovery(new RecoveryList(this)),
      m_buying(new WhatToBuy(m_catalog, this)) {
    auto* row = makeRow(this);
    row->addWidget(makeRail());
    row->addWidget(makePapers(), 1);
    connect(m_recovery, &RecoveryList::recoverRequested, this, &StartPage::recoverRequested);
    connect(m_recovery, &RecoveryList::discardRequested, this, &StartPage::discardRequested);
    connect(m_numbers, &HeadlineNumbers::found, this, [this](const std::string& paper, double model) {
        for (auto* card : m_cards)
            if (card->paperId() == paper)
                card->showGain(model);
    });
    refreshRecent();
}

QWidget* StartPage::makeRail() {
    auto* rail = new Surface(ColorRole::Surface, false, this);
    rail->setObjectName(QStringLiteral("StartRail"));
    rail->setFixedWidth(kRailWidth);
    auto* column = makeColumn(rail, {24, 26, 24, 16}, 6);

    auto* brand = new QHBoxLayout;
    brand->setSpacing(12);
    brand->addWidget(new IconLabel(QStringLiteral("logo"), kLogo, rail));
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(
        new TextLabel(tr("Heteroscape"), TextSize::Metric, ColorRole::Text, QFont::DemiBold, rail));
    const auto version = QString::fromUtf8(engine::kVersion);
    words->addWidget(new TextLabel(tr("Version %1").arg(version), TextSize::Caption, ColorRole::Muted, rail));
    brand->addLayout(words, 1);
    column->addLayout(brand);
    auto* about =
        new TextLabel(tr("Build an LLM inference system from parts. See its speed, cost and power as you "
                         "change it."),
                      TextSize::Body, ColorRole::Text2, rail);
    about->setWordWrap(true);
    column->addSpacing(4);
    column->addWidget(about);
    column->addSpacing(8);

    const auto keys = [](QKeySequence::StandardKey key) {
        return QKeySequence(key).toString(QKeySequence::NativeText);
    };
    m_new->setText(tr("New design"));
    m_new->setProperty("primary", true);
    m_new->setToolTip(plainTip(tr("An empty design (%1)").arg(keys(QKeySequence::New))));
    m_open->setText(tr("Open\u2026"));
    m_open->setToolTip(plainTip(tr("A design from a file (%1)").arg(keys(QKeySequence::Open))));
    m_open->setAccessibleName(tr("Open a design"));
    m_new->setMinimumHeight(34);
    m_open->setMinimumHeight(34);
    column->addWidget(m_new);
    column->addWidget(m_open);
    column->addSpacing(10);
    connect(m_new, &QPushButton::clicked, this, &StartPage::newRequested);
    connect(m_open, &QPushButton::clicked, this, &StartPage::openRequested);
    Theme::instance().follow(this, [this] {
        m_new->setIcon(Theme::instance().icon(QStringLiteral("plus"), ColorRole::OnAccent));
        m_open->setIcon(Theme::instance().icon(QStringLiteral("folder")));
    });

    auto* head = new QHBoxLayout;
    head->addWidget(
        new TextLabel(tr("Recent designs"), TextSize::Dense, ColorRole::Text, QFont::DemiBold, rail), 1);
    m_clear->setObjectName(QStringLiteral("clearRecent"));
    m_clear->setFlat(true);
    m_clear->setProperty("flat", true);
    m_clear->setAccessibleName(tr("Clear the recent designs"));
    head->addWidget(m_clear);
    column->addLayout(head);
    m_noRecent->setText(tr("Designs that you open or save stand here."));
    m_noRecent->setWordWrap(true);
    m_recentColumn->setSpacing(0);
    auto* list = new QWidget;
    auto* listColumn = new QVBoxLayout(list);
    listColumn->setContentsMargins(0, 0, 0, 0);
    listColumn->addWidget(m_noRecent);
    listColumn->addLayout(m_recentColumn);
    listColumn->addStretch(1);
    auto* scroll = scrolled(list, rail); // its rows take the focus
    scroll->viewport()->setAutoFillBackground(false);
    list->setAutoFillBackground(false);
    column->addWidget(scroll, 1);
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_settings->clearRecentFiles();
        refreshRecent();
    });

    m_atStart->setChecked(m_settings->showsStartPage());
    column->addWidget(m_atStart);
    connect(m_atStart, &QCheckBox::clicked, this, [this](bool on) { m_settings->setShowsStartPage(on); });
    return rail;
}

QWidget* StartPage::makePapers() {
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* body = new Surface(ColorRole::Panel, false, scroll);
    auto* column = makeColumn(body, {32, 28, 32, 24}, 4);
    column->addWidget(m_recovery);
    column->addSpacing(8);
    column->addWidget(m_buying);
    column->addSpacing(24);
    column->addWidget(new TextLabel(tr("Start from a published system"), TextSize::Page, ColorRole::Text,
                                    QFont::DemiBold, body));
    auto* about = new TextLabel(tr("Each opens with the paper\u2019s hardware, model and workload, so your "
                                   "first result has a number to check against."),
                                TextSize::Body, ColorRole::Text2, body);
    about->setWordWrap(true);
    column->addWidget(about);
    column->addSpacing(14);
    auto* cards = new QHBoxLayout;
    cards->setSpacing(12);
    for (const auto& paper : m_papers) {
        auto* card = new PaperStartCard(paper, *m_catalog, body);
        card->setMinimumHeight(kCardHeight);
        card->setMaximumWidth(420);
        connect(card, &PaperStartCard::openRequested, this, &StartPage::presetRequested);
        cards->addWidget(card, 1);
        m_cards.push_back(card);
    }
    column->addLayout(cards);
    column->addWidget(makeSystems(body));
    m_steps = makeSteps(body);
    column->addWidget(m_steps);
    column->addStretch(1);
    scroll->setWidget(body);
    connect(m_buying, &WhatToBuy::answered, scroll, [body, scroll](QWidget* first) {
        layOutScrolled(body, nullptr);
        scroll->ensureWidgetVisible(first, 0, kSeen);
    });
    return scroll;
}

/// Shipped designs that no paper describes, by their names.
QWidget* StartPage::makeSystems(QWidget* parent) {
    auto* systems = new QWidget(parent);
    auto* grid = new QGridLayout(systems);
    grid->setContentsMargins(0, 20, 0, 0);
    grid->setSpacing(6);
    grid->addWidget(new TextLabel(tr("Or from a server of today"), TextSize::Body, ColorRole::Text,
                                  QFont::DemiBold, systems),
                    0, 0, 1, kSystemColumns);
    int place = kSystemColumns;
    for (const auto& info : engine::listPresets(*m_catalog)) {
        if (std::any_of(m_papers.begin(), m_papers.end(),
                        [&](const engine::Paper& paper) { return info.id.starts_with(paper.id + "/"); }))
            continue;
        auto* open = new QPushButton(QString::fromStdString(info.name), systems);
        open->setFlat(true);
        open->setObjectName(QStringLiteral("StartSystem"));
        open->setToolTip(plainTip(QString::fromStdString(info.about)));
        connect(open, &QPushButton::clicked, this, [this, id = info.id] { emit presetRequested(id); });
        grid->addWidget(open, place / kSystemColumns, place % kSystemColumns, Qt::AlignLeft);
        ++place;
    }
    systems->setVisible(place > kSystemColumns);
    return systems;
}

QWidget* StartPage::makeSteps(QWidget* parent) {
    auto* steps = new QWidget(parent);
    auto* row = makeRow(steps, {0, 28, 0, 0}, 12);
    const std::pair<QString, QString> texts[] = {
        {tr("1  Draw the system"),
         tr("Drag devices onto the canvas and link them. Every number shows where it came from.")},
        {tr("2  Pick the work"),
         tr("Choose a model, batch and prompt length, then switch techniques on and off.")},
        {tr("3  Sweep and compare"),
         tr("Click the sweep mark beside any value. Click a point to open that design.")}};
    for (const auto& [title, text] : texts) {
        auto* column = new QVBoxLayout;
        column->setSpacing(2);
        column->addWidget(new TextLabel(title, TextSize::Body, ColorRole::Text, QFont::DemiBold, steps));
        auto* words = new TextLabel(text, TextSize::Dense, ColorRole::Text2, steps);
        words->setWordWrap(true);
        column->addWidget(words);
        row->addLayout(column, 1);
    }
    return steps;
}

void StartPage::refreshRecent() {
    for (auto* tile : m_recent) {
        tile->hide();
        tile->deleteLater(); // it may be the sender
    }
    m_recent.clear();
    const auto now = QDateTime::currentDateTime();
    for (const auto& path : m_settings->recentFiles()) {
        const QFileInfo info(path);
        const auto when = info.exists() ? timeText(info.lastModified(), now) : tr("not there any more");
        auto* tile = new StartTile(QStringLiteral("file"), std::nullopt, info.fileName(),
                                   tr("%1, %2").arg(when, info.path()), false, this);
        tile->setToolTip(plainTip(path));
        connect(tile, &StartTile::clicked, this, [this, path] { emit fileRequested(path); });
        m_recentColumn->addWidget(tile);
        m_recent.push_back(tile);
    }
    m_noRecent->setVisible(m_recent.empty());
    m_clear->setVisible(!m_recent.empty());
    m_atStart->setChecked(m_settings->showsStartPage());
}

void StartPage::setRecovery(std::vector<RecoveryEntry> entries) {
    m_recovery->setEntries(std::move(entries));
}

bool StartPage::isBusy() const {
    return m_numbers->isBusy() || m_buying->isBusy();
}

void StartPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_steps->setVisible(height() >= kStepsHeight);
    if (auto* rail = findChild<Surface*>(QStringLiteral("StartRail")))
        rail->setFixedWidth(width() < kNarrow ? kNarrowRail : kRailWidth);
}

void StartPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refreshRecent();
    if (!std::exchange(m_started, true))
        m_numbers->start(m_papers);
}

} // namespace heteroscape::widgets

#include "moc_start_page.cpp"
