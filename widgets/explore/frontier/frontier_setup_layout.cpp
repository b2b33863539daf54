// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of a frontier and where they lie.
#include "widgets/explore/frontier/frontier_setup.h"

#include "widgets/explore/run_row.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/validation/filter_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr int kMostTokens = 1 << 22;
constexpr int kNameWidth = 150; // px, beside tick, marker and what takes it away
constexpr int kLimitWidth = 84; // px

TextLabel* sectionHead(const QString& text, QWidget* parent) {
    return new TextLabel(text, TextSize::Dense, ColorRole::Text, QFont::DemiBold, parent);
}

/// A column's looks in the plots.
MeasuredLook lookAt(std::size_t place) {
    constexpr std::size_t kHues = 8;
    constexpr std::array kMarkers{ChartMarker::Circle, ChartMarker::Square, ChartMarker::Diamond,
                                  ChartMarker::Triangle};
    return {ChartColor::series(static_cast<int>(place % kHues)), kMarkers[place % kMarkers.size()]};
}

} // namespace

QComboBox* FrontierSetup::addChoice(const char* id, const QString& name) {
    auto* combo = new QComboBox(m_tools);
    combo->setObjectName(QString::fromLatin1(id));
    combo->setAccessibleName(name);
    m_tools->layout()->addWidget(combo);
    return combo;
}

void FrontierSetup::makeTools() {
    auto* row = makeRow(m_tools, {}, 8);
    m_frontier = addChoice("frontierChoice", tr("Frontier"));
    const auto& catalog = m_document->catalog();
    for (const auto& id : engine::shippedFrontiers(catalog.folder))
        m_frontier->addItem(QString::fromStdString(engine::findFrontier(catalog, id).name),
                            QString::fromStdString(id));
    row->addWidget(new TextLabel(tr("Throughput"), TextSize::Dense, ColorRole::Text2, m_tools));
    m_axis = addChoice("frontierAxis", tr("Throughput"));
    m_axis->addItems({tr("per device"), tr("per $"), tr("per W"), tr("prompts too, per device"),
                      tr("all that the budget buys")}); // in the order of FrontierAxis
    row->addWidget(new TextLabel(tr("against"), TextSize::Dense, ColorRole::Text2, m_tools));
    m_along = addChoice("frontierAlong", tr("Against"));
    m_along->addItems({tr("Speed for one user"), tr("Time to first token"),
                       tr("Price of one replica")}); // in the order of FrontierAlong
    row->addStretch(1);
    setTerm(m_tools, "frontier.md");
    setTerm(this, "frontier.md");
}

FrontierSetup::LimitField FrontierSetup::addLimit(QVBoxLayout* column, const char* id, const QString& words,
                                                  const QString& unit, int decimals, double usual) {
    constexpr double kMost = 99'999'999;
    auto* row = new QHBoxLayout;
    LimitField limit{new QCheckBox(words, this), new QDoubleSpinBox(this)};
    limit.value->setDecimals(decimals);
    limit.value->setRange(std::pow(10.0, -decimals), kMost);
    limit.value->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
    limit.value->setSuffix(QStringLiteral("\u2009") + unit);
    limit.value->setAccessibleName(words);
    limit.value->setValue(usual);
    limit.value->setKeyboardTracking(false);
    limit.value->setFixedWidth(kLimitWidth);
    const auto name = QString::fromLatin1(id);
    limit.value->setObjectName(name);
    const auto tell = [this, name] {
        auto shown = m_definition.shown;
        shown.limits = {m_firstToken.get(), m_token.get() / 1e3, m_price.get()};
        shown.goal = m_goal.get() / 1e3;
        if (shown != m_definition.shown)
            changeShown(shown, tr("Set a limit of the frontier"), QStringLiteral("frontier.") + name);
    };
    connect(limit.on, &QCheckBox::toggled, this, tell);
    connect(limit.value, &QDoubleSpinBox::valueChanged, this,
            [tell, on = limit.on] { on->isChecked() ? tell() : on->setChecked(true); });
    row->addWidget(limit.on, 1);
    row->addWidget(limit.value);
    column->addLayout(row);
    return limit;
}

double FrontierSetup::LimitField::get() const {
    return on->isChecked() ? value->value() : 0.0;
}

void FrontierSetup::LimitField::set(double limit) const {
    const QSignalBlocker quiet(on), still(value);
    on->setChecked(limit > 0);
    if (limit > 0)
        value->setValue(limit);
}

void FrontierSetup::layOut() {
    auto* column = makeColumn(this, {}, 6);
    column->addWidget(new TextLabel(tr("Frontier"), TextSize::Body, ColorRole::Text, QFont::DemiBold, this));
    auto* fields = new QGridLayout;
    fields->setHorizontalSpacing(8);
    fields->setVerticalSpacing(6);
    fields->setColumnStretch(1, 1);
    auto add = [&, at = 0](const QString& name, QWidget* field) mutable {
        field->setAccessibleName(name);
        fields->addWidget(new TextLabel(name, TextSize::Dense, ColorRole::Text2, this), at, 0);
        fields->addWidget(field, at++, 1);
    };
    m_model = new QComboBox(this);
    m_model->setObjectName(QStringLiteral("frontierModel"));
    m_model->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_model->setMinimumContentsLength(10);
    for (const auto& model : m_document->catalog().models)
        m_model->addItem(QString::fromStdString(model.name), QString::fromStdString(model.id));
    const auto tokens = [this](const char* id) {
        auto* box = new QSpinBox(this);
        box->setObjectName(QString::fromLatin1(id));
        box->setRange(1, kMostTokens);
        box->setSuffix(QStringLiteral("\u2009") + tr("tok"));
        box->setGroupSeparatorShown(true);
        box->setKeyboardTracking(false);
        box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
        return box;
    };
    m_prompt = tokens("frontierPrompt");
    m_output = tokens("frontierOutput");
    m_users = new QLineEdit(this);
    m_users->setObjectName(QStringLiteral("frontierUsers"));
    m_users->setToolTip(tr("Such as 1, 8, 64 or 1:1024:*2, which doubles from 1 to 1,024"));
    m_load = new QComboBox(this);
    m_load->setObjectName(QStringLiteral("frontierLoad"));
    m_load->addItems({tr("Batch"), tr("Users")}); // in the order of FrontierLoad
    m_load->setToolTip(tr("Designs: one batch of so many in steady state, or so many users in a closed loop, "
                          "who are simulated. GPUs under servers are always simulated"));
    add(tr("Model"), m_model);
    add(tr("Prompt"), m_prompt);
    add(tr("Output"), m_output);
    add(tr("Users"), m_users);
    add(tr("Designs"), m_load);
    column->addLayout(fields);
    auto* head = new QHBoxLayout;
    head->addWidget(sectionHead(tr("Systems"), this), 1);
    m_add = new QPushButton(tr("Add a design"), this);
    m_add->setObjectName(QStringLiteral("addFrontierDesign"));
    m_add->setProperty("flat", true);
    m_add->setToolTip(tr("Puts a design of yours, a pin or a preset on the same axes"));
    head->addWidget(m_add);
    column->addLayout(head);
    m_systems = new QVBoxLayout;
    m_systems->setSpacing(4);
    column->addLayout(m_systems);
    column->addSpacing(4);
    auto* limits = new QHBoxLayout;
    limits->addWidget(sectionHead(tr("Keep only"), this), 1);
    limits->addWidget(new TextLabel(tr("drag the lines too"), TextSize::Caption, ColorRole::Muted, this));
    column->addLayout(limits);
    m_token = addLimit(column, "tokenLimit", tr("Time per token \u2264"), tr("ms"), 1, 50);
    m_firstToken = addLimit(column, "firstTokenLimit", tr("First token \u2264"), tr("s"), 2, 2);
    m_price = addLimit(column, "priceLimit", tr("Price \u2264"), tr("$"), 0, 250000);
    m_goal = addLimit(column, "tokenGoal", tr("Goal: a token \u2264"), tr("ms"), 1, 20);
    m_goal.on->setToolTip(tr("A time per token that is wished for: a dashed line, which leaves nothing out"));
    column->addSpacing(4);
    column->addWidget(m_run);
}

void FrontierSetup::connectFields() {
    connect(m_frontier, &QComboBox::activated, this,
            [this](int at) { showFrontier(m_frontier->itemData(at).toString()); });
    const auto setAxes = [this] {
        auto shown = m_definition.shown;
        shown.axis = static_cast<engine::FrontierAxis>(m_axis->currentIndex());
        shown.along = static_cast<engine::FrontierAlong>(m_along->currentIndex());
        if (shown != m_definition.shown)
            changeShown(shown, tr("Set the axes of the frontier"), QStringLiteral("frontier.axes"));
    };
    for (auto* combo : {m_axis, m_along})
        connect(combo, &QComboBox::activated, this, setAxes);
    const auto take = [this](const QString& which) {
        auto to = m_definition;
        readFields(to);
        change(std::move(to), tr("Change what the frontier is of"), QStringLiteral("frontier.") + which);
    };
    for (auto* combo : {m_model, m_load})
        connect(combo, &QComboBox::activated, this, [take, combo] { take(combo->objectName()); });
    for (auto* box : {m_prompt, m_output})
        connect(box, &QSpinBox::valueChanged, this, [take, box] { take(box->objectName()); });
    connect(m_users, &QLineEdit::editingFinished, this, &FrontierSetup::takeUsers);
    // Not setMenu(): the arrow that Qt adds does not fit the button.
    connect(m_add, &QPushButton::clicked, this,
            [this] { m_addMenu->popup(m_add->mapToGlobal(QPoint(0, m_add->height() + 2))); });
}

void FrontierSetup::remakeSystems() {
    std::vector<std::string> rows;
    std::vector<std::string> drawn; // in the order of their looks
    if (m_study)
        drawn = m_study->axes.front().names;
    for (const auto& system : m_definition.systems)
        rows.push_back(system.name + (m_definition.shown.off.contains(system.name) ? "-" : "+") +
                       std::to_string(std::find(drawn.begin(), drawn.end(), system.name) - drawn.begin()));
    rows.push_back(std::to_string(m_shipped));
    if (rows == m_rowsOf)
        return;
    m_rowsOf = std::move(rows);
    while (auto* item = m_systems->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // a click on one of them may be under way
        delete item;
    }
    for (std::size_t i = 0; i < m_definition.systems.size(); ++i) {
        const auto& system = m_definition.systems[i].name;
        const auto name = QString::fromStdString(system);
        auto* row = new QWidget(this);
        auto* line = makeRow(row, {}, 4);
        auto* box = new QCheckBox(row);
        box->setObjectName(name);
        auto shown = box->fontMetrics().elidedText(name, Qt::ElideRight, kNameWidth);
        box->setText(shown.replace(u'&', QStringLiteral("&&")));
        box->setAccessibleName(name);
        box->setToolTip(plainTip(name));
        box->setMinimumWidth(0);
        box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        box->setChecked(!m_definition.shown.off.contains(system));
        if (const auto at = std::find(drawn.begin(), drawn.end(), system); at != drawn.end())
            box->setIcon(
                markerIcon(lookAt(static_cast<std::size_t>(at - drawn.begin())), devicePixelRatioF()));
        connect(box, &QCheckBox::toggled, this, [this, name](bool on) {
            auto to = m_definition.shown;
            if (on)
                to.off.erase(name.toStdString());
            else
                to.off.insert(name.toStdString());
            changeShown(to, on ? tr("Show %1 on the frontier").arg(name)
                               : tr("Put %1 away from the frontier").arg(name));
        });
        line->addWidget(box, 1);
        if (i >= m_shipped) {
            auto* away = new QToolButton(row);
            away->setIcon(Theme::instance().icon(QStringLiteral("close")));
            away->setObjectName(QStringLiteral("takeAway"));
            away->setAccessibleName(tr("Take %1 away").arg(name));
            away->setToolTip(plainTip(tr("Take %1 away").arg(name)));
            connect(away, &QToolButton::clicked, this, [this, system, name] {
                auto to = m_definition;
                std::erase_if(to.systems, [&](const auto& one) { return one.name == system; });
                to.shown.off.erase(system);
                change(std::move(to), tr("Take %1 from the frontier").arg(name));
            });
            line->addWidget(away);
        }
        m_systems->addWidget(row);
        row->show();
    }
}

} // namespace heteroscape::widgets
