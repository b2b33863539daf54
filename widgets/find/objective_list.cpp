// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/objective_list.h"

#include "engine/evaluation/metric.h"
#include "widgets/theme/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

namespace {

/// What is asked for next, in this order.
constexpr const char* kUsualGoals[] = {"throughput_tok_s", "price_usd", "tpot_s", "ttft_s"};

/// What one wants of it, unless one says otherwise.
int usualWay(const QString& column) {
    const auto* spec = engine::findMetric(column.toStdString());
    return spec && spec->better > 0 ? 1 : -1;
}

} // namespace

ObjectiveList::ObjectiveList(QWidget* parent)
    : QWidget(parent), m_add(new QPushButton(tr("Add"), this)), m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
    m_add->setProperty("flat", true);
    m_add->setObjectName(QStringLiteral("addObjective"));
    m_add->setAccessibleName(tr("Add an objective"));
    connect(m_add, &QPushButton::clicked, this, [this] {
        for (const auto* next : kUsualGoals)
            if (std::none_of(m_rows.begin(), m_rows.end(), [&](const Row& row) {
                    return row.what->currentData().toString() == QLatin1String(next);
                })) {
                addRow({next, usualWay(QLatin1String(next))});
                m_rows.back().what->setFocus();
                emit edited();
                return;
            }
    });
}

std::vector<engine::SearchGoal> ObjectiveList::goals() const {
    std::vector<engine::SearchGoal> goals;
    for (const auto& row : m_rows)
        goals.push_back({row.what->currentData().toString().toStdString(), row.way->currentData().toInt()});
    return goals;
}

void ObjectiveList::setGoals(const std::vector<engine::SearchGoal>& goals) {
    for (const auto& row : std::exchange(m_rows, {}))
        delete row.widget;
    for (const auto& goal : goals)
        addRow(goal);
    showAdd();
}

void ObjectiveList::setVariables(const std::vector<std::pair<QString, QString>>& variables) {
    if (std::exchange(m_variables, variables) == variables)
        return;
    for (const auto& row : m_rows) {
        const QSignalBlocker quiet(row.what);
        fill(row.what, row.what->currentData().toString());
    }
}

void ObjectiveList::fill(QComboBox* what, const QString& chosen) const {
    what->clear();
    for (const auto& spec : engine::metricSpecs())
        what->addItem(QString::fromUtf8(spec.label), QString::fromUtf8(spec.key));
    what->addItem(tr("Devices"), QStringLiteral("devices"));
    for (const auto& [path, name] : m_variables)
        what->addItem(name, path);
    if (what->findData(chosen) < 0)
        what->addItem(chosen, chosen); // a variable that is none any more, a metric of a node
    what->setCurrentIndex(what->findData(chosen));
}

void ObjectiveList::addRow(const engine::SearchGoal& goal) {
    auto* widget = new QWidget(this);
    Row row{widget, new QComboBox(widget), new QComboBox(widget)};
    row.way->addItem(tr("Most"), 1);
    row.way->addItem(tr("Least"), -1);
    row.way->setCurrentIndex(goal.better > 0 ? 0 : 1);
    row.way->setAccessibleName(tr("Most or least"));
    fill(row.what, QString::fromStdString(goal.column));
    row.what->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.what->setMinimumContentsLength(8);
    row.what->setMaxVisibleItems(20);
    row.what->setAccessibleName(tr("Objective"));
    auto* gone = new QToolButton(widget);
    Theme::instance().follow(
        gone, [gone] { gone->setIcon(Theme::instance().icon(QStringLiteral("close"), ColorRole::Muted)); });
    gone->setToolTip(tr("Remove this objective"));
    gone->setAccessibleName(tr("Remove this objective"));
    auto* line = new QHBoxLayout(widget);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(4);
    line->addWidget(row.way);
    line->addWidget(row.what, 1);
    line->addWidget(gone);
    m_column->addWidget(widget);
    widget->show();
    m_rows.push_back(row);
    connect(row.way, &QComboBox::activated, this, &ObjectiveList::edited);
    connect(row.what, &QComboBox::activated, this, [this, way = row.way, what = row.what] {
        way->setCurrentIndex(usualWay(what->currentData().toString()) > 0 ? 0 : 1);
        emit edited();
    });
    connect(gone, &QToolButton::clicked, this, [this, widget] { remove(widget); });
    showAdd();
}

void ObjectiveList::remove(const QWidget* row) {
    const auto at =
        std::find_if(m_rows.begin(), m_rows.end(), [row](const Row& one) { return one.widget == row; });
    at->widget->hide();
    at->widget->deleteLater();
    m_rows.erase(at);
    showAdd();
    m_add->setFocus();
    emit edited();
}

void ObjectiveList::showAdd() {
    m_add->setEnabled(m_rows.size() < engine::kMaxGoals);
}

} // namespace heteroscape::widgets
