// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/start/buy_form.h"

#include "widgets/parts/quantity_entry.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QPushButton>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kColumns = 3;             ///< of numbers
constexpr int kBoxColumns = 3;          ///< of ticks
constexpr int kNameRoom = 126;          ///< px: as beside numbers
constexpr std::size_t kMainNumbers = 8; ///< of recommendNumbers() those that everybody asks for

/// What people who serve chats ask for, until they ask for something else.
engine::RecommendQuestion usualQuestion() {
    engine::RecommendQuestion question;
    question.model = "gpt-oss-120b";
    question.users = 64;
    question.ttft = 2.0;
    question.tpot = 0.05;
    return question;
}

TextLabel* nameBeside(QWidget* field, const QString& name, QWidget* parent) {
    auto* label = new TextLabel(name, TextSize::Dense, ColorRole::Text2, parent);
    label->setBuddy(field);
    field->setAccessibleName(name);
    return label;
}

} // namespace

std::string softwareName(const engine::Catalog& catalog, const std::string& id) {
    const auto server = std::ranges::find(catalog.servers, id, &engine::Server::id);
    return server != catalog.servers.end() ? server->name : catalog.runtime(id, "software").base.name;
}

BuyForm::BuyForm(const engine::Catalog& catalog, QWidget* parent)
    : QWidget(parent), m_model(new QComboBox(this)),
      m_owning(addWords(tr("Own or rent"), "buyOwning", {tr("Buy"), tr("Rent by the hour")})),
      m_best(addWords(tr("Best"), "buyBest", {tr("Cheapest a year"), tr("Cheapest a token")})),
      m_tpot(addWords(tr("TPOT limit is of"), "buyTpot", {tr("p99 over requests"), tr("their mean")})),
      m_choices{{&engine::RecommendQuestion::vendors, tr("Vendors")},
                {&engine::RecommendQuestion::software, tr("Software")},
                {&engine::RecommendQuestion::formats, tr("Weights")},
                {&engine::RecommendQuestion::ready, tr("Ready servers")}},
      m_more(new QPushButton(tr("More"), this)), m_room(new QWidget(this)),
      m_problem(new TextLabel(TextSize::Dense, ColorRole::Error, this)),
      m_find(new QPushButton(tr("Find systems"), this)) {
    const auto usual = usualQuestion();
    setModels(catalog);
    m_model->setCurrentIndex(std::max(0, m_model->findData(QString::fromStdString(usual.model))));
    auto* column = makeColumn(this, {}, 6);
    column->addWidget(makeNumbers(usual));
    column->addWidget(makeMoney());
    column->addWidget(makeMore());
    column->addWidget(makeFoot());
    auto* numbers = qobject_cast<QGridLayout*>(m_room->layout());
    int cell = 0;
    for (const auto& number : engine::recommendNumbers().subspan(kMainNumbers))
        addNumber(number, usual, numbers, cell++);
    orderTabs();
    read();
}

void BuyForm::setModels(const engine::Catalog& catalog) {
    const auto chosen = m_model->currentData();
    m_model->clear();
    for (const auto& model : catalog.models)
        m_model->addItem(QString::fromStdString(model.name), QString::fromStdString(model.id));
    m_model->setCurrentIndex(std::max(0, m_model->findData(chosen)));
}

QComboBox* BuyForm::addWords(const QString& name, const char* id, const QStringList& words) {
    auto* box = new QComboBox(this);
    box->setObjectName(QString::fromLatin1(id));
    box->setAccessibleName(name);
    box->addItems(words);
    connect(box, &QComboBox::currentIndexChanged, this, &BuyForm::read);
    return box;
}

QuantityEntry* BuyForm::addNumber(const engine::RecommendNumber& number,
                                  const engine::RecommendQuestion& usual, QGridLayout* grid, int cell) {
    const double value = number.get(usual);
    const bool isSet = number.spec.required || value != 0.0;
    auto* entry = new QuantityEntry(number.spec, isSet ? engine::Quantity(value) : engine::Quantity(),
                                    number.spec.required, this, false);
    entry->value()->setObjectName(QString::fromUtf8(number.spec.key));
    entry->value()->setPlaceholderText(tr("no limit"));
    grid->addWidget(entry, cell / kColumns, cell % kColumns);
    connect(entry, &QuantityEntry::changed, this, &BuyForm::read);
    connect(entry->value(), &QLineEdit::returnPressed, this, [this] {
        if (m_find->isEnabled())
            emit asked();
    });
    m_numbers.emplace_back(&number, entry);
    return entry;
}

QWidget* BuyForm::makeNumbers(const engine::RecommendQuestion& usual) {
    auto* room = new QWidget(this);
    auto* grid = new QGridLayout(room);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(0);
    auto* model = new QWidget(room);
    auto* row = makeRow(model, {0, 2, 0, 2}, 6);
    auto* name = nameBeside(m_model, tr("Model"), model);
    name->setFixedWidth(kNameRoom);
    m_model->setObjectName(QStringLiteral("buyModel"));
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->setMinimumContentsLength(12);
    m_model->setMaxVisibleItems(20);
    connect(m_model, &QComboBox::currentIndexChanged, this, &BuyForm::read);
    row->addWidget(name);
    row->addWidget(m_model, 1);
    grid->addWidget(model, 0, 0);
    int cell = 1;
    for (const auto& number : engine::recommendNumbers().first(kMainNumbers))
        addNumber(number, usual, grid, cell++);
    for (int i = 0; i < kColumns; ++i)
        grid->setColumnStretch(i, 1);
    return room;
}

QWidget* BuyForm::makeMoney() {
    auto* room = new QWidget(this);
    auto* row = makeRow(room, {0, 2, 0, 2}, 8);
    row->addWidget(m_owning);
    row->addWidget(m_best);
    row->addSpacing(12);
    auto& vendors = m_choices.front();
    row->addWidget(new TextLabel(vendors.name, TextSize::Dense, ColorRole::Text2, room));
    vendors.room = new QWidget(room);
    makeRow(vendors.room, {}, 12);
    row->addWidget(vendors.room);
    row->addStretch(1);
    m_more->setObjectName(QStringLiteral("buyMore"));
    m_more->setCheckable(true);
    m_more->setProperty("flat", true);
    m_more->setToolTip(tr("Software, formats of weights, ready servers, lengths and draws"));
    row->addWidget(m_more);
    connect(m_more, &QPushButton::toggled, m_room, &QWidget::setVisible);
    return room;
}

QWidget* BuyForm::makeMore() {
    auto* grid = new QGridLayout(m_room);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(4);
    auto* tpot = new QWidget(m_room);
    auto* row = makeRow(tpot, {0, 2, 0, 2}, 6);
    auto* name = nameBeside(m_tpot, m_tpot->accessibleName(), tpot);
    name->setFixedWidth(kNameRoom);
    row->addWidget(name);
    row->addWidget(m_tpot, 1);
    grid->addWidget(tpot, 1, 1); // beside the last of the numbers
    int line = 2;
    for (auto& choice : m_choices) {
        if (choice.room)
            continue;
        auto* label = new TextLabel(choice.name, TextSize::Dense, ColorRole::Text2, m_room);
        label->setFixedWidth(kNameRoom);
        choice.room = new QWidget(m_room);
        auto* boxes = new QGridLayout(choice.room);
        boxes->setContentsMargins(0, 2, 0, 2);
        boxes->setHorizontalSpacing(12);
        boxes->setVerticalSpacing(2);
        auto* beside = new QHBoxLayout;
        beside->setSpacing(6);
        beside->addWidget(label, 0, Qt::AlignTop);
        beside->addWidget(choice.room, 1);
        grid->addLayout(beside, line++, 0, 1, kColumns);
    }
    for (int i = 0; i < kColumns; ++i)
        grid->setColumnStretch(i, 1);
    m_room->hide();
    return m_room;
}

QWidget* BuyForm::makeFoot() {
    auto* room = new QWidget(this);
    auto* row = makeRow(room, {0, 4, 0, 0}, 12);
    m_problem->setObjectName(QStringLiteral("buyProblem"));
    m_problem->setWordWrap(true);
    row->addWidget(m_problem, 1);
    m_find->setObjectName(QStringLiteral("findSystems"));
    m_find->setProperty("primary", true);
    m_find->setMinimumHeight(34);
    row->addWidget(m_find);
    connect(m_find, &QPushButton::clicked, this, &BuyForm::asked);
    return room;
}

void BuyForm::fill(Choice& choice, const std::vector<std::string>& ids,
                   const std::function<std::string(const std::string&)>& nameOf) {
    std::vector<std::string> off;
    for (const auto& [id, box] : choice.boxes) {
        if (!box->isChecked())
            off.push_back(id);
        delete box;
    }
    choice.boxes.clear();
    auto* grid = qobject_cast<QGridLayout*>(choice.room->layout());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        auto* box = new QCheckBox(QString::fromStdString(nameOf(ids[i])).replace(u'&', QStringLiteral("&&")),
                                  choice.room);
        box->setObjectName(QString::fromStdString(ids[i]));
        box->setChecked(std::find(off.begin(), off.end(), ids[i]) == off.end());
        connect(box, &QCheckBox::toggled, this, &BuyForm::read);
        const int place = static_cast<int>(i);
        if (grid)
            grid->addWidget(box, place / kBoxColumns, place % kBoxColumns, Qt::AlignLeft);
        else
            choice.room->layout()->addWidget(box);
        choice.boxes.emplace_back(ids[i], box);
    }
}

void BuyForm::offer(const engine::GpuServers& servers) {
    const auto choices = engine::recommendChoices(servers);
    const auto itself = [](const std::string& id) { return id; };
    fill(m_choices[0], choices.vendors, itself);
    fill(m_choices[1], choices.software,
         [&](const std::string& id) { return softwareName(servers.catalog(), id); });
    fill(m_choices[2], choices.formats, itself);
    fill(m_choices[3], choices.ready, [&](const std::string& id) { return servers.ready(id).name; });
    orderTabs();
    read();
}

/// As it is read: Qt has the order in which widgets were made.
void BuyForm::orderTabs() {
    std::vector<QWidget*> order{m_model};
    const auto addNumbers = [&](std::size_t begin, std::size_t end) {
        for (auto i = begin; i < end; ++i)
            order.push_back(m_numbers[i].second->value());
    };
    const auto addBoxes = [&](std::size_t begin, std::size_t end) {
        for (auto i = begin; i < end; ++i)
            for (const auto& [id, box] : m_choices[i].boxes)
                order.push_back(box);
    };
    addNumbers(0, kMainNumbers);
    order.insert(order.end(), {m_owning, m_best});
    addBoxes(0, 1);
    order.push_back(m_more);
    addNumbers(kMainNumbers, m_numbers.size());
    order.push_back(m_tpot);
    addBoxes(1, m_choices.size());
    order.push_back(m_find);
    for (std::size_t i = 1; i < order.size(); ++i)
        setTabOrder(order[i - 1], order[i]);
}

QuantityEntry* BuyForm::entry(std::string_view key) const {
    for (const auto& [number, entry] : m_numbers)
        if (number->spec.key == key)
            return entry;
    return nullptr;
}

void BuyForm::read() {
    engine::RecommendQuestion question;
    QString problem;
    question.model = m_model->currentData().toString().toStdString();
    question.rented = m_owning->currentIndex() == 1;
    question.byToken = m_best->currentIndex() == 1;
    question.meanTpot = m_tpot->currentIndex() == 1;
    for (const auto& [number, entry] : m_numbers) {
        const bool ofPrice = number->spec.key == "price_usd";
        entry->setEnabled(!ofPrice || !question.rented);
        if (!entry->problem().isEmpty() && problem.isEmpty() && entry->isEnabled())
            problem = tr("%1: %2").arg(entry->label(), entry->problem());
        number->set(question, entry->isEnabled() ? entry->quantity().valueOr(0.0) : 0.0);
    }
    entry("tpot_ms")->setLabel(question.meanTpot ? tr("TPOT mean, at most") : tr("TPOT p99, at most"));
    for (const auto& choice : m_choices) {
        for (const auto& [id, box] : choice.boxes)
            if (box->isChecked())
                (question.*choice.ids).push_back(id);
        auto& ids = question.*choice.ids;
        if (ids.empty() && !choice.boxes.empty() && problem.isEmpty())
            problem = tr("%1: nothing is ticked. Tick what may be taken.").arg(choice.name);
        if (ids.size() == choice.boxes.size())
            ids.clear(); // all
    }
    m_question.reset();
    if (problem.isEmpty())
        m_question = std::move(question);
    showProblem(problem);
    m_find->setEnabled(m_question && !m_finding);
}

void BuyForm::setFinding(bool finding) {
    m_finding = finding;
    m_find->setEnabled(m_question && !m_finding);
}

void BuyForm::showProblem(const QString& problem) {
    m_problem->setText(problem);
}

} // namespace heteroscape::widgets

#include "moc_buy_form.cpp"
