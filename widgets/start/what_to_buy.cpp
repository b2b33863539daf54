// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/what_to_buy.h"

#include "engine/base/parallel.h"
#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/number_text.h"
#include "widgets/explore/run_row.h"
#include "widgets/find/found_card.h"
#include "widgets/inspector/value_text.h"
#include "widgets/start/buy_form.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QGridLayout>
#include <QProgressBar>
#include <QPushButton>

#include <cmath>
#include <limits>

namespace heteroscape::widgets {

namespace {

constexpr int kCards = 3; ///< beside each other

QString said(const std::string& words) {
    return QString::fromStdString(words);
}

TextLabel* sentence(const std::string& words, ColorRole role, QWidget* parent) {
    auto* label = new TextLabel(said(words), TextSize::Dense, role, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

TextLabel* headOf(const QString& text, QWidget* parent) {
    auto* label = new TextLabel(text, TextSize::Body, ColorRole::Text, QFont::DemiBold, parent);
    label->setWordWrap(true);
    return label;
}

/// A figure with its band, and how much of its limit it uses.
FoundFacts::Use useOf(const engine::RecommendQuestion& question, const engine::RecommendedSystem& system,
                      engine::RecommendFigure figure, const QString& label) {
    const auto& value = system.of(figure);
    double share = std::numeric_limits<double>::quiet_NaN();
    for (const auto& limit : engine::recommendLimits(question))
        if (limit.figure == figure)
            share = value.value / limit.most;
    return {label, share, said(engine::recommendText(question, figure, value))};
}

FoundFacts factsOf(const engine::RecommendQuestion& question, const engine::RecommendedSystem& system,
                   const engine::Catalog& catalog, bool drawn) {
    using enum engine::RecommendFigure;
    FoundFacts facts;
    facts.design = system.design;
    const auto named = said(system.name).section(u',', 0, 0); // without "8 GPUs"
    facts.system = WhatToBuy::tr("%1 \u00d7 %2").arg(said(engine::exactText(system.point.count)), named);
    facts.name = WhatToBuy::tr("%1, %2 %3, %4")
                     .arg(facts.system, said(system.point.server), said(system.point.precision),
                          said(system.point.layout));
    facts.chips = {
        {{}, said(softwareName(catalog, system.point.server))},
        {{}, said(system.point.precision)},
        {{}, said(system.point.layout).replace(QStringLiteral(" x "), QStringLiteral(" \u00d7 "))}};
    const auto addFigure = [&](engine::RecommendFigure figure, const QString& caption) {
        const auto value = said(engine::recommendText(question, figure, system.of(figure).value));
        const auto band = said(engine::recommendText(question, figure, system.of(figure))).mid(value.size());
        facts.figures.push_back({value, caption + band, caption});
    };
    addFigure(Year, question.rented ? WhatToBuy::tr("rent a year") : WhatToBuy::tr("a year"));
    if (!question.rented)
        addFigure(Price, WhatToBuy::tr("to buy"));
    facts.uses = {{WhatToBuy::tr("Devices"), std::numeric_limits<double>::quiet_NaN(),
                   said(engine::exactText(system.point.devices))},
                  useOf(question, system, FirstToken, WhatToBuy::tr("TTFT p99")),
                  useOf(question, system, PerToken,
                        question.meanTpot ? WhatToBuy::tr("TPOT mean") : WhatToBuy::tr("TPOT p99")),
                  useOf(question, system, Rated, WhatToBuy::tr("Rated power")),
                  useOf(question, system, Drawn, WhatToBuy::tr("Power drawn")),
                  useOf(question, system, Throughput, WhatToBuy::tr("Throughput")),
                  useOf(question, system, Token, WhatToBuy::tr("Token cost"))};
    if (question.price > 0.0)
        facts.uses.push_back(useOf(question, system, Price, WhatToBuy::tr("Price")));
    if (drawn)
        facts.uses.push_back({WhatToBuy::tr("Keeps limits"), std::numeric_limits<double>::quiet_NaN(),
                              WhatToBuy::tr("in %1 of draws").arg(shareText(system.kept))});
    return facts;
}

} // namespace

WhatToBuy::WhatToBuy(std::shared_ptr<const engine::Catalog> catalog, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent), m_catalog(std::move(catalog)),
      m_form(new BuyForm(*m_catalog, this)), m_progress(makeProgress()), m_answer(nullptr),
      m_room(new QVBoxLayout) {
    auto* column = makeColumn(this, {20, 16, 20, 16}, 4);
    column->addWidget(
        new TextLabel(tr("What should I buy?"), TextSize::Page, ColorRole::Text, QFont::DemiBold, this));
    auto* about = new TextLabel(tr("The cheapest whole servers that serve a model within your limits: "
                                   "software, weights and layouts searched, requests simulated."),
                                TextSize::Body, ColorRole::Text2, this);
    about->setWordWrap(true);
    column->addWidget(about);
    column->addSpacing(8);
    column->addWidget(m_form);
    column->addWidget(m_progress);
    column->addLayout(m_room);
    connect(m_form, &BuyForm::asked, this, &WhatToBuy::find);
    connect(&m_search, &Job::failed, m_form, &BuyForm::showProblem);
    connect(&m_search, &Job::finished, this, [this] { showFinding(false); });
    connect(&m_study, &Job::failed, m_form, &BuyForm::showProblem);
    connect(&m_offer, &Job::failed, m_form, &BuyForm::showProblem);
}

void WhatToBuy::setCatalog(std::shared_ptr<const engine::Catalog> catalog) {
    m_catalog = std::move(catalog);
    m_form->setModels(*m_catalog);
}

void WhatToBuy::showEvent(QShowEvent* event) {
    Surface::showEvent(event);
    if (m_form->isOffered() || m_offer.isBusy())
        return;
    m_offer.start([this, catalog = m_catalog](JobRun&) -> Job::Show {
        const auto servers = std::make_shared<const engine::GpuServers>(*catalog, engine::shippedKernels());
        return [this, catalog, servers] { m_form->offer(*servers); };
    });
}

QWidget* WhatToBuy::makeProgress() {
    auto* room = new QWidget(this);
    auto* row = makeRow(room, {0, 4, 0, 4}, 12);
    m_bar = new QProgressBar(room);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(6);
    m_place = new TextLabel(TextSize::Dense, ColorRole::Muted, room);
    auto* cancel = new QPushButton(tr("Cancel"), room);
    cancel->setObjectName(QStringLiteral("cancelFinding"));
    connect(cancel, &QPushButton::clicked, this, &WhatToBuy::cancel);
    row->addWidget(m_bar, 1);
    row->addWidget(m_place);
    row->addWidget(cancel);
    room->hide();
    return room;
}

void WhatToBuy::showProgress(std::size_t done, std::size_t all) {
    m_bar->setRange(0, static_cast<int>(all));
    m_bar->setValue(static_cast<int>(done));
    m_place->setText(done == 0     ? tr("Listing what can be bought")
                     : done == all ? tr("Drawing errors, lengths and prices for the robust best")
                                   : tr("%1 of %2 ready servers").arg(countText(done), countText(all)));
}

void WhatToBuy::showFinding(bool finding) {
    m_form->setFinding(finding);
    m_progress->setVisible(finding);
}

void WhatToBuy::find() {
    const auto& question = m_form->question();
    if (!question)
        return;
    forget();
    m_form->showProblem({});
    showProgress(0, 0);
    showFinding(true);
    m_search.start([this, question = *question, catalog = m_catalog](JobRun& run) -> Job::Show {
        const engine::GpuServers servers(*catalog, engine::shippedKernels());
        const auto tell = [&](std::size_t done, std::size_t all) {
            run.tell([this, done, all] { showProgress(done, all); });
        };
        auto found = std::make_shared<const engine::Recommendation>(
            engine::recommend(question, servers, engine::coreCount(), run.stop(), tell));
        return [this, found] { show(found); };
    });
}

void WhatToBuy::cancel() {
    m_search.drop();
    showFinding(false);
}

void WhatToBuy::forget() {
    m_found.reset();
    if (m_answer) {
        m_answer->hide();
        m_answer->deleteLater(); // a click on it may be under way
    }
    m_answer = nullptr;
}

void WhatToBuy::show(const std::shared_ptr<const engine::Recommendation>& found) {
    forget();
    m_found = found;
    const auto words = engine::recommendWords(*found, *m_catalog);
    m_answer = new QWidget(this);
    m_answer->setObjectName(QStringLiteral("buyAnswer"));
    auto* column = makeColumn(m_answer, {0, 16, 0, 0}, 6);
    column->addWidget(headOf(said(words.asked), m_answer));
    column->addWidget(sentence(words.limits + ' ' + words.terms, ColorRole::Text2, m_answer));
    QWidget* first = nullptr;
    for (std::size_t i = 0; i < found->lists.size(); ++i) {
        auto* list = addList(found->lists[i], words.lists[i]);
        if (!first)
            first = list;
    }
    addRobust(words);
    addOthers(words);
    m_room->addWidget(m_answer);
    m_answer->show();
    emit answered(first ? first : m_answer);
}

FoundCard* WhatToBuy::cardOf(const engine::RecommendedSystem& system, const QString& letter,
                             const QString& why, bool chosen, QWidget* parent) {
    auto* card = new FoundCard(letter, parent, false);
    card->show(factsOf(m_found->question, system, *m_catalog, m_found->robust.draws > 0), why, chosen);
    connect(card, &FoundCard::openRequested, this,
            [this, card] { emit designRequested(card->facts().design, card->facts().name); });
    connect(card, &FoundCard::compareRequested, this,
            [this, card] { emit compareRequested(card->facts().name, card->facts().design); });
    return card;
}

QWidget* WhatToBuy::addList(const engine::RecommendList& list, const engine::RecommendWords::List& words) {
    auto* room = new QWidget(m_answer);
    room->setObjectName(QStringLiteral("buyList"));
    auto* column = makeColumn(room, {0, 10, 0, 0}, 6);
    column->addWidget(headOf(said(words.head), room));
    auto* cards = new QGridLayout;
    cards->setSpacing(12);
    for (int i = 0; i < kCards; ++i)
        cards->setColumnStretch(i, 1);
    for (std::size_t i = 0; i < list.systems.size(); ++i) {
        const auto& system = list.systems[i];
        const auto why = i == 0 ? tr("Best") : !system.tooClose.empty() ? tr("Too close to call") : QString();
        cards->addWidget(cardOf(system, QString::number(i + 1), why, i == 0, room), 0, static_cast<int>(i));
    }
    column->addLayout(cards);
    for (const auto& close : words.close)
        column->addWidget(sentence(close, ColorRole::Warning, room));
    m_answer->layout()->addWidget(room);
    return room;
}

void WhatToBuy::addRobust(const engine::RecommendWords& words) {
    if (words.robust.empty())
        return;
    auto* room = new QWidget(m_answer);
    room->setObjectName(QStringLiteral("buyRobust"));
    auto* grid = new QGridLayout(room);
    grid->setContentsMargins(0, 10, 0, 0);
    grid->setSpacing(12);
    for (int i = 0; i < kCards; ++i)
        grid->setColumnStretch(i, 1);
    auto* text = new QVBoxLayout;
    text->setSpacing(6);
    text->addWidget(sentence(words.robust + ' ' + words.chosen + '.', ColorRole::Text2, room));
    text->addWidget(headOf(said(words.measure), room));
    text->addStretch(1);
    grid->addWidget(headOf(tr("Robust best, and what to measure first"), room), 0, 0, 1, kCards);
    const auto& system = m_found->robust.system;
    if (system)
        grid->addWidget(cardOf(*system, QStringLiteral("R"), tr("Robust"), false, room), 1, 0);
    grid->addLayout(text, 1, system ? 1 : 0, 1, system ? kCards - 1 : kCards);
    m_answer->layout()->addWidget(room);
}

void WhatToBuy::addOthers(const engine::RecommendWords& words) {
    auto* room = new QWidget(m_answer);
    room->setObjectName(QStringLiteral("buyOthers"));
    auto* column = makeColumn(room, {0, 10, 0, 0}, 4);
    if (!words.others.empty())
        column->addWidget(headOf(tr("Why the others fell out"), room));
    for (const auto& [why, who] : words.others)
        column->addWidget(sentence(who + ": " + why + '.', ColorRole::Text2, room));
    auto* foot = new QHBoxLayout;
    foot->setSpacing(12);
    foot->addWidget(sentence(words.notes, ColorRole::Muted, room), 1);
    auto* study = new QPushButton(tr("Open the search as a study"), room);
    study->setObjectName(QStringLiteral("buyStudy"));
    study->setEnabled(!m_found->simulated.empty());
    study->setToolTip(tr("Every design that was simulated as a point, on the page of frontiers"));
    connect(study, &QPushButton::clicked, this, &WhatToBuy::openStudy);
    foot->addWidget(study, 0, Qt::AlignBottom);
    column->addSpacing(6);
    column->addLayout(foot);
    m_answer->layout()->addWidget(room);
}

void WhatToBuy::openStudy() {
    m_study.start([this, found = m_found, catalog = m_catalog](JobRun&) -> Job::Show {
        const engine::GpuServers servers(*catalog, engine::shippedKernels());
        auto study = std::make_shared<const engine::Study>(engine::recommendStudy(*found, servers));
        return [this, study] { emit studyRequested(*study); };
    });
}

} // namespace heteroscape::widgets

#include "moc_what_to_buy.cpp"
